import type { TextDocument } from "../common/document.ts";
import { Failure } from "../common/failure.ts";
import { type OfficePackage, officeType } from "../common/office-package.ts";
import { child, children, type Element, parseXml } from "../common/xml.ts";
import { cutBlocks } from "./cut-blocks.ts";
import { headingsOf } from "./split.ts";
import { paragraphText } from "./text-spans.ts";
import { BodyWriter } from "./write-docx.ts";

const main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const drawing = "http://schemas.openxmlformats.org/drawingml/2006";

export type InsertPlace =
  | { readonly kind: "end" }
  | { readonly kind: "after" | "before"; readonly text: string };

/** Puts new blocks into a document, in its own styles; gives what pictures are left out. */
export function insertBlocks(
  pack: OfficePackage,
  document: TextDocument,
  place: InsertPlace,
): readonly string[] {
  const part = pack.main();
  const tree = pack.xml(part);
  const body = child(tree.documentElement, "body") as Element;
  const writer = new BodyWriter(pack, document, {
    look: { latin: "Calibri", eastAsian: "Microsoft YaHei", size: 11 },
  });
  const parts = document.sections.flatMap(({ blocks }) => blocks.map((block) => writer.block(block)));
  const names = `xmlns:w="${main}" xmlns:r="${officeType("").slice(0, -1)}" xmlns:wp="${drawing}/wordprocessingDrawing" xmlns:a="${drawing}/main" xmlns:pic="${drawing}/picture"`;
  const made = parseXml(`<w:body ${names}>${parts.join("")}</w:body>`, "new text").documentElement as Element;
  const before = placeIn(body, place);
  for (const one of children(made)) body.insertBefore(tree.importNode(one, true), before);
  pack.touch(part);
  return writer.warnings;
}

function placeIn(body: Element, place: InsertPlace): Element | null {
  if (place.kind === "end") return children(body, "sectPr").at(-1) ?? null;
  const found = children(body).find(
    (one) => one.localName === "p" && paragraphText(one).text.includes(place.text),
  );
  if (found === undefined) throw new Failure(`no paragraph of the body holds "${place.text}"`);
  if (place.kind === "before") return found;
  const all = children(body);
  return all[all.indexOf(found) + 1] ?? null;
}

/** Removes paragraphs that hold a text, or a heading's whole section; gives their number. */
export function removeBlocks(
  pack: OfficePackage,
  what: { readonly text?: string; readonly section?: string },
): number {
  const part = pack.main();
  const body = child(pack.xml(part).documentElement, "body") as Element;
  const elements = children(body).filter((one) => one.localName !== "sectPr");
  const doomed = new Set<Element>();
  if (what.text !== undefined) {
    const { text } = what;
    for (const one of elements)
      if (one.localName === "p" && paragraphText(one).text.includes(text)) doomed.add(one);
  }
  if (what.section !== undefined) {
    const headings = headingsOf(pack, 9);
    const start = headings.find(({ title }) => title.includes(what.section ?? ""));
    if (start !== undefined) {
      const end =
        headings.find(({ at, level }) => at > start.at && level <= start.level)?.at ?? elements.length;
      for (const one of elements.slice(start.at, end)) doomed.add(one);
    }
  }
  cutBlocks(body, doomed);
  if (doomed.size > 0) pack.touch(part);
  return doomed.size;
}
