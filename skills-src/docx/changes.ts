import type { OfficePackage } from "../common/office-package.ts";
import { all, attr, child, children, type Element } from "../common/xml.ts";
import { textParts } from "./replace.ts";

export interface Change {
  readonly kind: "inserted" | "deleted" | "formatted";
  readonly author: string;
  readonly date: string;
  readonly text: string;
}

/** Tracked changes in the order of the text. */
export function listChanges(pack: OfficePackage): readonly Change[] {
  return textParts(pack).flatMap((part) =>
    all(pack.xml(part).documentElement as Element, "*").flatMap((element): readonly Change[] => {
      const kind = (
        {
          ins: "inserted",
          moveTo: "inserted",
          del: "deleted",
          moveFrom: "deleted",
          rPrChange: "formatted",
          pPrChange: "formatted",
        } as const
      )[element.localName ?? ""];
      if (kind === undefined || attr(element, "author") === null) return [];
      const text = [...all(element, "t"), ...all(element, "delText")]
        .map((one) => one.textContent ?? "")
        .join("");
      const around =
        kind === "formatted"
          ? all(element.parentNode?.parentNode as Element, "t")
              .map((one) => one.textContent ?? "")
              .join("")
          : text;
      return [
        {
          kind,
          author: attr(element, "author") ?? "",
          date: attr(element, "date") ?? "",
          text: around || "¶",
        },
      ];
    }),
  );
}

/** Accepts or rejects all tracked changes, or those of one author; gives their number. */
export function settleChanges(
  pack: OfficePackage,
  options: { readonly accept: boolean; readonly author?: string },
): number {
  let count = 0;
  const concerns = (element: Element): boolean =>
    attr(element, "author") !== null &&
    (options.author === undefined || attr(element, "author") === options.author);
  for (const part of textParts(pack)) {
    const root = pack.xml(part).documentElement as Element;
    const elements = all(root, "*").filter(concerns);
    const keep = (name: string): boolean => (name === "ins" || name === "moveTo") === options.accept;
    for (const element of elements) {
      const name = element.localName ?? "";
      const parent = element.parentNode as Element | null;
      if (parent === null) continue;
      if (/^(?:ins|del|moveTo|moveFrom)$/.test(name)) {
        if (parent.localName === "rPr") {
          // The mark stands for the end of its paragraph.
          const paragraph = parent.parentNode?.parentNode as Element;
          parent.removeChild(element);
          if (!keep(name)) joinWithNext(paragraph);
        } else if (parent.localName === "trPr") {
          const row = parent.parentNode as Element;
          if (keep(name)) parent.removeChild(element);
          else row.parentNode?.removeChild(row);
        } else if (keep(name)) unwrap(element);
        else parent.removeChild(element);
        count += 1;
      } else if (name.endsWith("Change")) {
        settleFormat(element, options.accept);
        count += 1;
      } else if (name === "cellIns" || name === "cellDel") {
        const cell = parent.parentNode as Element;
        if ((name === "cellIns") === options.accept) parent.removeChild(element);
        else cell.parentNode?.removeChild(cell);
        count += 1;
      } else if (name === "cellMerge") parent.removeChild(element);
    }
    // Marks of moves go with the moves; the grid of a table has no author.
    if (all(root, "moveFrom").length + all(root, "moveTo").length === 0)
      for (const name of ["moveFromRangeStart", "moveFromRangeEnd", "moveToRangeStart", "moveToRangeEnd"])
        for (const one of all(root, name)) one.parentNode?.removeChild(one);
    if (options.author === undefined)
      for (const one of all(root, "tblGridChange")) settleFormat(one, options.accept);
    if (elements.length === 0) continue;
    makeWhole(root);
    pack.touch(part);
  }
  return count;
}

function unwrap(element: Element): void {
  for (const text of all(element, "delText")) {
    const plain = text.ownerDocument?.createElementNS(text.namespaceURI, "w:t");
    if (!plain) continue;
    plain.setAttribute("xml:space", "preserve");
    plain.textContent = text.textContent;
    text.parentNode?.replaceChild(plain, text);
  }
  while (element.firstChild !== null) element.parentNode?.insertBefore(element.firstChild, element);
  element.parentNode?.removeChild(element);
}

/** Properties that the old ones in a mark never tell, which stay as they are: those before the others, those behind. */
const untold: Readonly<
  Record<string, { readonly before?: readonly string[]; readonly behind?: readonly string[] }>
> = {
  pPr: { behind: ["rPr", "sectPr"] },
  sectPr: { before: ["headerReference", "footerReference"] },
  rPr: { before: ["ins", "del", "moveFrom", "moveTo"] },
  trPr: { behind: ["ins", "del"] },
  tcPr: { behind: ["cellIns", "cellDel", "cellMerge"] },
};

/** The old properties stand inside the mark; rejecting puts them back. */
function settleFormat(element: Element, accept: boolean): void {
  const properties = element.parentNode as Element;
  const old = children(element)[0];
  properties.removeChild(element);
  if (accept || old === undefined) return;
  const { before = [], behind = [] } = untold[properties.localName ?? ""] ?? {};
  const [first, last] = [before, behind].map((names) =>
    children(properties).filter(({ localName }) => names.includes(localName ?? "")),
  );
  const told = children(old).filter(
    ({ localName }) => !before.includes(localName ?? "") && !behind.includes(localName ?? ""),
  );
  while (properties.firstChild !== null) properties.removeChild(properties.firstChild);
  for (const one of [...(first ?? []), ...told, ...(last ?? [])]) properties.appendChild(one);
}

/** What lost its content goes or gets what it must have: tables without rows, cells and notes without paragraphs. */
function makeWhole(root: Element): void {
  for (const row of all(root, "tr")) if (inner(row, "tc").length === 0) row.parentNode?.removeChild(row);
  for (const table of all(root, "tbl").reverse())
    if (inner(table, "tr").length === 0) table.parentNode?.removeChild(table);
  const holders = ["tc", "txbxContent", "footnote", "endnote", "comment"].flatMap((name) => all(root, name));
  for (const holder of [...holders, root]) {
    if (holder === root && !/^(?:hdr|ftr)$/.test(root.localName ?? "")) continue;
    const last = children(holder).at(-1);
    if (all(holder, "p").length > 0 && !(holder.localName === "tc" && last?.localName === "tbl")) continue;
    const made = holder.ownerDocument?.createElementNS(
      holder.namespaceURI,
      `${holder.prefix ? `${holder.prefix}:` : ""}p`,
    );
    if (made) holder.appendChild(made);
  }
}

/** Elements of a name in one, also where content controls and the like stand between. */
function inner(element: Element, name: string): Element[] {
  return children(element).flatMap((one) =>
    one.localName === name
      ? [one]
      : /^(?:sdt|sdtContent|customXml|ins|del)$/.test(one.localName ?? "")
        ? inner(one, name)
        : [],
  );
}

function joinWithNext(paragraph: Element): void {
  let next = paragraph.nextSibling;
  while (next !== null && next.nodeType !== 1) next = next.nextSibling;
  if (next === null || (next as Element).localName !== "p") {
    if (children(paragraph).every((one) => one.localName === "pPr"))
      paragraph.parentNode?.removeChild(paragraph);
    return;
  }
  const following = next as Element;
  const properties = child(following, "pPr");
  const first = properties ? properties.nextSibling : following.firstChild;
  for (const one of children(paragraph)) if (one.localName !== "pPr") following.insertBefore(one, first);
  paragraph.parentNode?.removeChild(paragraph);
}
