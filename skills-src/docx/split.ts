import { OfficePackage } from "../common/office-package.ts";
import { attr, child, children, descend, type Element } from "../common/xml.ts";
import { cutBlocks } from "./cut-blocks.ts";
import { readStyles } from "./styles.ts";
import { paragraphText } from "./text-spans.ts";

export interface DocxPart {
  readonly title: string;
  readonly bytes: Buffer;
}

/** Parts of a document that each begin with a heading up to the level; what stands before the first is a part too. */
export function splitDocx(
  bytes: Buffer,
  { what, level }: { readonly what: string; readonly level: number },
): readonly DocxPart[] {
  const source = OfficePackage.open(bytes, what);
  const starts = headingsOf(source, level);
  const count = bodyOf(source).length;
  const bounds = [...(starts[0]?.at === 0 ? [] : [{ at: 0, title: "" }]), ...starts];
  return bounds
    .map(({ at, title }, index) => ({ from: at, to: bounds[index + 1]?.at ?? count, title }))
    .filter(({ from, to }) => to > from)
    .map(({ from, to, title }) => ({ title, bytes: keepRange(OfficePackage.open(bytes, what), from, to) }));
}

const bodyOf = (pack: OfficePackage): readonly Element[] => {
  const body = child(pack.xml(pack.main()).documentElement, "body");
  return body ? children(body).filter((one) => one.localName !== "sectPr") : [];
};

/** Headings at the top level of the body, with their place among its elements. */
export function headingsOf(
  pack: OfficePackage,
  level: number,
): readonly { readonly at: number; readonly title: string; readonly level: number }[] {
  const part = pack.related(pack.main(), "styles");
  const styles = readStyles(part ? pack.xml(part) : null);
  return bodyOf(pack).flatMap((element, at) => {
    if (element.localName !== "p") return [];
    const own = descend(element, "pPr", "outlineLvl");
    const outline = own
      ? Number(attr(own, "val"))
      : styles.paragraph(attr(descend(element, "pPr", "pStyle"), "val")).outline;
    const title = paragraphText(element).text.trim();
    return outline !== undefined && outline < level && title !== ""
      ? [{ at, title, level: outline + 1 }]
      : [];
  });
}

/** The document with a range of its body alone; pictures that only the rest used go as well. */
export function keepRange(pack: OfficePackage, from: number, to: number): Buffer {
  const part = pack.main();
  const body = child(pack.xml(part).documentElement, "body");
  const doomed = new Set(bodyOf(pack).filter((_, at) => at < from || at >= to));
  if (body !== null) cutBlocks(body, doomed);
  pack.touch(part);
  dropUnusedPictures(pack, part);
  return pack.save();
}

function dropUnusedPictures(pack: OfficePackage, part: string): void {
  const used = new Set<string>();
  for (const element of pack.xml(part).getElementsByTagNameNS("*", "*"))
    for (let at = 0; at < element.attributes.length; at += 1) {
      const one = element.attributes.item(at);
      if (one?.namespaceURI?.endsWith("/officeDocument/2006/relationships")) used.add(one.value);
    }
  for (const { id, type, target, external } of pack.relations(part)) {
    if (!type.endsWith("/image") || external || used.has(id)) continue;
    pack.unrelate(part, id);
    const parts = pack.names().filter((name) => name.startsWith("word/") && name.endsWith(".xml"));
    if (!parts.some((name) => pack.relations(name).some((one) => one.target === target))) pack.remove(target);
  }
}
