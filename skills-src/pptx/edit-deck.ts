import { posix } from "node:path";
import { Failure } from "../common/failure.ts";
import { editPieces, type FoundEdit, findEdits, type Search } from "../common/find-edits.ts";
import { type OfficePackage, relationsName } from "../common/office-package.ts";
import { all, child, children, type Element } from "../common/xml.ts";
import { slideParts } from "./read-pptx.ts";

const relationsNamespace = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/**
 * Replaces in the text of slides and notes, all searches in one pass; gives how often each was found. Text that is spread
 * over runs counts as one, and keeps the first one's look.
 */
export function replaceInSlides(pack: OfficePackage, searches: readonly Search[]): readonly number[] {
  const counts = searches.map(() => 0);
  for (const slide of slideParts(pack))
    for (const part of [slide, pack.related(slide, "notesSlide")]) {
      if (part === null) continue;
      const edits = all(pack.xml(part), "p").flatMap((paragraph) => replaceInParagraph(paragraph, searches));
      for (const { search } of edits) counts[search] = (counts[search] ?? 0) + 1;
      if (edits.length > 0) pack.touch(part);
    }
  return counts;
}

function replaceInParagraph(paragraph: Element, searches: readonly Search[]): readonly FoundEdit[] {
  const nodes = children(paragraph)
    .map((one) => (one.localName === "r" || one.localName === "fld" ? child(one, "t") : one))
    .filter((one): one is Element => one !== null && (one.localName === "t" || one.localName === "br"));
  const pieces = nodes.map((node) => (node.localName === "br" ? "\n" : (node.textContent ?? "")));
  const edits = findEdits(pieces.join(""), searches);
  if (edits.length === 0) return edits;
  let carried = "";
  editPieces(pieces, edits).forEach((made, at) => {
    const node = nodes[at] as Element;
    if (node.localName === "t") {
      node.textContent = carried + made;
      carried = "";
    } else if (made !== "\n") {
      // What begins at a line break takes its place, in the text that follows.
      carried += made;
      paragraph.removeChild(node);
    }
  });
  const last = nodes.filter(({ localName }) => localName === "t").at(-1);
  if (carried !== "" && last !== undefined) last.textContent += carried;
  return edits;
}

/** Keeps these slides (from 0) in this order; a slide that is named twice is copied. */
export function arrangeSlides(pack: OfficePackage, wanted: readonly number[]): void {
  const main = pack.main();
  const parts = slideParts(pack);
  const list = child(pack.xml(main).documentElement, "sldIdLst") as Element;
  const elements = children(list, "sldId");
  const used = new Set<number>();
  const order = wanted.map((at) => {
    const element = elements[at];
    const part = parts[at];
    if (element === undefined || part === undefined) throw new Failure(`there is no slide ${at + 1}`);
    if (!used.has(at)) {
      used.add(at);
      return element;
    }
    const copied = copyParts(pack, {
      from: pack,
      part,
      keep: (name) => !/\/slides\/|\/notesSlides\//.test(name),
    });
    return addSlideId(pack, copied);
  });
  for (const one of children(list)) list.removeChild(one);
  for (const one of order) list.appendChild(one);
  parts.forEach((part, at) => {
    if (used.has(at)) return;
    const id = elements[at]?.getAttributeNS(relationsNamespace, "id") ?? "";
    const notes = pack.related(part, "notesSlide");
    pack.unrelate(main, id);
    for (const name of [notes, part])
      if (name !== null) {
        pack.dropContentType(name);
        pack.remove(relationsName(name));
        pack.remove(name);
      }
  });
  dropSections(pack);
  pack.touch(main);
}

/** Sections name slides by number, which no longer hold. */
function dropSections(pack: OfficePackage): void {
  for (const one of all(pack.xml(pack.main()), "sectionLst")) {
    const extension = one.parentNode;
    extension?.parentNode?.removeChild(extension);
  }
  for (const list of all(pack.xml(pack.main()), "extLst"))
    if (children(list).length === 0) list.parentNode?.removeChild(list);
}

function addSlideId(pack: OfficePackage, part: string): Element {
  const main = pack.main();
  const tree = pack.xml(main);
  const ids = all(tree, "sldId").map((one) => Number(one.getAttribute("id")) || 256);
  const element = tree.createElementNS(tree.documentElement?.namespaceURI ?? "", "p:sldId");
  element.setAttribute("id", String(Math.max(255, ...ids) + 1));
  element.setAttributeNS(relationsNamespace, "r:id", pack.relate(main, { type: "slide", target: part }));
  child(tree.documentElement, "sldIdLst")?.appendChild(element);
  pack.touch(main);
  return element;
}

interface Copying {
  readonly from: OfficePackage;
  readonly part: string;
  /** Parts that are taken as they are in the target, not copied. */
  readonly keep: (name: string) => boolean;
  readonly known?: Map<string, string>;
}

/** Copies a part with all it leads to under free names; gives the new name. */
function copyParts(target: OfficePackage, { from, part, keep, known = new Map() }: Copying): string {
  const old = known.get(part);
  if (old !== undefined) return old;
  if (keep(part)) return part;
  const ending = posix.extname(part);
  const name = target.freeName(part.slice(0, part.length - ending.length).replace(/\d+$/, ""), ending);
  known.set(part, name);
  target.set(name, from.bytes(part));
  const type = from.contentType(part);
  if (type) target.setContentType(name, type);
  const relations = from.relations(part);
  if (relations.length > 0) {
    const lines = relations.map((relation) => {
      const isPart = !relation.external && from.has(relation.target);
      const to = isPart
        ? `/${copyParts(target, { from, part: relation.target, keep, known })}`
        : relation.target;
      return `<Relationship Id="${relation.id}" Type="${relation.type}" Target="${to.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"${relation.external ? ' TargetMode="External"' : ""}/>`;
    });
    target.set(
      relationsName(name),
      `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${lines.join("")}</Relationships>`,
    );
  }
  return name;
}

/** Appends all slides of other presentations with their layouts and masters, so that they keep their look. */
export function mergeDecks(pack: OfficePackage, others: readonly OfficePackage[]): void {
  for (const other of others) {
    const known = new Map<string, string>();
    const notesMaster = pack.related(pack.main(), "notesMaster");
    const otherNotes = other.related(other.main(), "notesMaster");
    if (notesMaster && otherNotes) known.set(otherNotes, notesMaster);
    for (const slide of slideParts(other))
      addSlideId(pack, copyParts(pack, { from: other, part: slide, keep: () => false, known }));
    for (const [old, made] of known)
      if (/\/slideMasters\//.test(old) && /\/slideMasters\//.test(made)) addMaster(pack, made);
  }
}

function addMaster(pack: OfficePackage, part: string): void {
  const main = pack.main();
  const tree = pack.xml(main);
  const masters = pack.names().filter((name) => /\/slideMasters\/[^/]+\.xml$/.test(name));
  const used = [
    ...all(tree, "sldMasterId"),
    ...masters.flatMap((name) => all(pack.xml(name), "sldLayoutId")),
  ].map((one) => Number(one.getAttribute("id")) || 0);
  let next = Math.max(2_147_483_648, ...used) + 1;
  const list = child(tree.documentElement, "sldMasterIdLst");
  const element = tree.createElementNS(tree.documentElement?.namespaceURI ?? "", "p:sldMasterId");
  element.setAttribute("id", String(next));
  element.setAttributeNS(
    relationsNamespace,
    "r:id",
    pack.relate(main, { type: "slideMaster", target: part }),
  );
  list?.appendChild(element);
  for (const layout of all(pack.xml(part), "sldLayoutId")) {
    next += 1;
    layout.setAttribute("id", String(next));
  }
  pack.touch(part);
  pack.touch(main);
}
