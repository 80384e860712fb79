import { all, attr, child, children, type Element } from "../common/xml.ts";

/**
 * Takes blocks out of a document's body, so that what stays is whole: a section keeps its page and headers as long as
 * anything of it stays, marks that begin or end a range outside stay, and so do the halves of fields.
 */
export function cutBlocks(body: Element, doomed: ReadonlySet<Element>): void {
  const gone = children(body).filter((one) => doomed.has(one));
  keepMarks(gone);
  keepFields(body, gone);
  keepSections(body, doomed);
  for (const one of gone) body.removeChild(one);
}

/** Marks of a range, by the name of their beginning. */
const ranges = /^(bookmark|commentRange|perm|moveFromRange|moveToRange)(Start|End)$/;

function keepMarks(gone: readonly Element[]): void {
  const marks = gone.flatMap((block) =>
    [block, ...all(block, "*")].flatMap((mark) => {
      const kind = ranges.exec(mark.localName ?? "");
      return kind === null ? [] : [{ block, mark, key: `${kind[1]} ${attr(mark, "id")}`, half: kind[2] }];
    }),
  );
  for (const { block, mark, key, half } of marks)
    if (!marks.some((other) => other.key === key && other.half !== half))
      block.parentNode?.insertBefore(mark, block);
}

function keepFields(body: Element, gone: readonly Element[]): void {
  const begun: Element[][] = [];
  const ends: Element[] = [];
  for (const run of gone.flatMap((block) => all(block, "r"))) {
    const open = begun.at(-1);
    const kinds = children(run, "fldChar").map((one) => attr(one, "fldCharType"));
    if (kinds.includes("begin")) begun.push([run]);
    else if (kinds.includes("end")) {
      if (open === undefined) ends.push(run);
      else begun.pop();
    } else if (kinds.includes("separate")) (open ?? ends).push(run);
    // What a field shows goes; what it does belongs to its beginning.
    else if (open !== undefined && all(run, "instrText").length > 0) open.push(run);
  }
  if (begun.length === 0 && ends.length === 0) return;
  const [first, last] = [gone[0], gone.at(-1)];
  const inside = new Set(gone.flatMap((block) => [block, ...all(block, "p")]));
  const paragraphs = all(body, "p");
  const staying = (one: Element): boolean => !inside.has(one);
  const before = paragraphs.slice(0, firstIn(paragraphs, first)).filter(staying).at(-1);
  const after = paragraphs.slice(firstIn(paragraphs, last)).find(staying);
  for (const run of ends) before?.appendChild(run);
  const place = after === undefined ? null : (child(after, "pPr")?.nextSibling ?? after.firstChild);
  for (const run of begun.flat()) after?.insertBefore(run, place);
}

/** Where the block's first paragraph stands. */
function firstIn(paragraphs: readonly Element[], block: Element | undefined): number {
  const own = block === undefined ? undefined : block.localName === "p" ? block : all(block, "p")[0];
  return own === undefined ? paragraphs.length : paragraphs.indexOf(own);
}

function keepSections(body: Element, doomed: ReadonlySet<Element>): void {
  const sections: { readonly blocks: Element[]; readonly own: Element | null; readonly last: boolean }[] = [];
  let blocks: Element[] = [];
  for (const block of children(body)) {
    if (block.localName === "sectPr") {
      sections.push({ blocks, own: block, last: true });
      blocks = [];
      continue;
    }
    blocks.push(block);
    const own = child(child(block, "pPr"), "sectPr");
    if (block.localName !== "p" || own === null) continue;
    sections.push({ blocks, own, last: false });
    blocks = [];
  }
  let dropped: Element | null = null;
  let kept: Element | null = null;
  for (const { blocks: all, own, last } of sections) {
    if (own === null) continue;
    const staying = all.filter((block) => !doomed.has(block));
    if (dropped !== null) inherit(own, dropped);
    dropped = null;
    if (last) {
      // A document ends with its last section, so the one before becomes it when nothing of the last one stays.
      if (staying.length === 0 && kept !== null && all.some((block) => doomed.has(block))) {
        inherit(own, kept);
        kept.parentNode?.removeChild(kept);
        body.replaceChild(kept, own);
      }
    } else if (staying.length === 0) dropped = own;
    else {
      const holder = all.at(-1) as Element;
      if (doomed.has(holder)) holdSection(staying.at(-1) as Element, own);
      kept = own;
    }
  }
}

/** A section without a header of some kind shows that of the section before it. */
function inherit(section: Element, before: Element): void {
  const kinds = new Set(references(section).map(kindOf));
  for (const one of references(before).reverse())
    if (!kinds.has(kindOf(one))) section.insertBefore(one.cloneNode(true), section.firstChild);
}

const references = (section: Element): Element[] =>
  children(section).filter(
    ({ localName }) => localName === "headerReference" || localName === "footerReference",
  );

const kindOf = (reference: Element): string =>
  `${reference.localName} ${attr(reference, "type") ?? "default"}`;

/** Lets a block end the section; one that is no paragraph gets an empty paragraph behind it. */
function holdSection(block: Element, section: Element): void {
  const make = (name: string): Element =>
    section.ownerDocument?.createElementNS(
      section.namespaceURI,
      `${section.prefix ? `${section.prefix}:` : ""}${name}`,
    ) as Element;
  let paragraph = block;
  if (block.localName !== "p") {
    paragraph = make("p");
    block.parentNode?.insertBefore(paragraph, block.nextSibling);
  }
  let properties = child(paragraph, "pPr");
  if (properties === null) {
    properties = make("pPr");
    paragraph.insertBefore(properties, paragraph.firstChild);
  }
  properties.insertBefore(section, child(properties, "pPrChange"));
}
