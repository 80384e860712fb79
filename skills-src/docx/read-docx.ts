import type {
  Block,
  Inline,
  Note,
  PageSetup,
  Paragraph,
  Section,
  Table,
  TextDocument,
  TextStyle,
} from "../common/document.ts";
import type { OfficePackage, Relation } from "../common/office-package.ts";
import { all, attr, attrNumber, child, children, descend, type Element } from "../common/xml.ts";
import { type ListCounter, readNumbering } from "./numbering.ts";
import { colorOf, isOn, paragraphProperties, readStyles, type StyleSheet, textStyle } from "./styles.ts";

export interface DocxComment {
  readonly id: string;
  readonly author: string;
  readonly date: string;
  readonly text: string;
  /** The text it was made on. */
  readonly on: string;
}

export interface DocxContent {
  readonly document: TextDocument;
  readonly comments: readonly DocxComment[];
}

interface State {
  readonly pack: OfficePackage;
  readonly part: string;
  readonly relations: ReadonlyMap<string, Relation>;
  readonly styles: StyleSheet;
  readonly lists: ListCounter;
  readonly notes: Map<string, Note>;
  readonly commentTexts: Map<string, string>;
  readonly openComments: Set<string>;
  readonly fields: { instruction: string; state: "code" | "result" }[];
  /** Blocks of text boxes, put after the paragraph they hang on. */
  readonly floating: Block[];
  depth: number;
}

const most = { columns: 200, depth: 40 };

/** A Word document as sections of blocks, with notes, header and footer, tracked changes marked on the text. */
export function readDocx(pack: OfficePackage): DocxContent {
  const part = pack.main();
  const root = pack.xml(part).documentElement;
  const body = child(root, "body");
  const stylesPart = pack.related(part, "styles");
  const numberingPart = pack.related(part, "numbering");
  const shared = {
    pack,
    styles: readStyles(stylesPart ? pack.xml(stylesPart) : null),
    notes: new Map<string, Note>(),
    commentTexts: new Map<string, string>(),
    openComments: new Set<string>(),
    fields: [],
    floating: [],
    depth: 0,
  };
  const numbering = (): ListCounter => readNumbering(numberingPart ? pack.xml(numberingPart) : null);
  const stateOf = (name: string): State => ({
    ...shared,
    part: name,
    lists: numbering(),
    relations: new Map(pack.relations(name).map((relation) => [relation.id, relation])),
  });
  const state = stateOf(part);
  const sections: Section[] = [];
  let blocks: Block[] = [];
  const close = (properties: Element | null): void => {
    const outer = (kind: "header" | "footer"): readonly Block[] => {
      const reference = children(properties ?? (body as Element), `${kind}Reference`).find(
        (one) => attr(one, "type") !== "first" && attr(one, "type") !== "even",
      );
      const target = state.relations.get(attr(reference, "id") ?? "")?.target;
      if (target === undefined || !pack.has(target)) return sections.at(-1)?.[kind] ?? [];
      const rootOf = pack.xml(target).documentElement;
      return rootOf ? blocksOf(rootOf, stateOf(target)) : [];
    };
    sections.push({
      page: pageOf(properties),
      blocks,
      header: properties ? outer("header") : [],
      footer: properties ? outer("footer") : [],
    });
    blocks = [];
  };
  for (const element of body ? children(body) : []) {
    if (element.localName === "sectPr") continue;
    blocks.push(...blocksOf(element, state, true));
    const ends = descend(element, "pPr", "sectPr");
    if (element.localName === "p" && ends) close(ends);
  }
  close(child(body, "sectPr"));
  const properties = coreProperties(pack);
  const body14 = shared.styles.text(null, "paragraph");
  return {
    document: {
      title: properties.title,
      author: properties.author,
      sections: sections.filter((section, at) => section.blocks.length > 0 || at === 0),
      notes: [...shared.notes.values()],
      fontSize: body14.size ?? shared.styles.defaults.size ?? 10,
      font: body14.font ?? shared.styles.defaults.font ?? "serif",
    },
    comments: readComments(pack, part, shared.commentTexts),
  };
}

export function coreProperties(pack: OfficePackage): { readonly title: string; readonly author: string } {
  const part = pack.relations("").find(({ type }) => type.endsWith("/core-properties"))?.target;
  if (part === undefined || !pack.has(part)) return { title: "", author: "" };
  const root = pack.xml(part).documentElement;
  return {
    title: child(root, "title")?.textContent ?? "",
    author: child(root, "creator")?.textContent ?? "",
  };
}

function pageOf(properties: Element | null): PageSetup {
  const size = child(properties, "pgSz");
  const margin = child(properties, "pgMar");
  const points = (element: Element | null, name: string, otherwise: number): number => {
    const value = attrNumber(element, name);
    return value === null ? otherwise : Math.min(5000, Math.max(0, value / 20));
  };
  return {
    width: points(size, "w", 595.3) || 595.3,
    height: points(size, "h", 841.9) || 841.9,
    top: points(margin, "top", 72),
    right: points(margin, "right", 72),
    bottom: points(margin, "bottom", 72),
    left: points(margin, "left", 72),
  };
}

/** Blocks of an element, or of its children unless `itself`. */
function blocksOf(element: Element, state: State, itself = false): Block[] {
  if (!itself) return children(element).flatMap((one) => blocksOf(one, state, true));
  switch (element.localName) {
    case "p":
      return paragraphOf(element, state);
    case "tbl":
      return state.depth > most.depth ? [] : [tableOf(element, state)];
    case "sdt":
      return blocksOf(child(element, "sdtContent") ?? element, state);
    case "customXml":
    case "smartTag":
    case "ins":
    case "moveTo":
    case "txbxContent":
      return blocksOf(element, state);
    case "AlternateContent": {
      const choice = child(element, "Choice") ?? child(element, "Fallback");
      return choice ? blocksOf(choice, state) : [];
    }
    default:
      return [];
  }
}

function paragraphOf(element: Element, state: State): Block[] {
  const own = child(element, "pPr");
  const styleId = attr(child(own, "pStyle"), "val");
  const style = state.styles.paragraph(styleId);
  const direct = paragraphProperties(own);
  const outline = direct.outline ?? style.outline;
  const numbering = direct.numbering ?? style.numbering;
  const counted = numbering && numbering.id !== "0" ? state.lists.next(numbering.id, numbering.level) : null;
  const base = { ...state.styles.defaults, ...state.styles.text(styleId, "paragraph") };
  const inlines = inlinesOf(element, { ...base }, state);
  const floating = state.floating.splice(0);
  const layout = { ...style.layout, ...direct.layout };
  const isHeading = outline !== undefined && outline < 6;
  const left = direct.layout.left ?? counted?.left ?? style.layout.left;
  const paragraph: Paragraph = {
    kind: "paragraph",
    inlines,
    ...layout,
    ...(left === undefined ? {} : { left }),
    ...(style.styleName ? { style: style.styleName } : {}),
    ...(isHeading ? { heading: outline + 1 } : {}),
    ...(counted && !isHeading
      ? {
          list: {
            level: numbering?.level ?? 0,
            ordered: counted.ordered,
            label: counted.label,
            id: Number(numbering?.id) || 0,
          },
        }
      : {}),
    ...(/^(?:intense )?quote$/i.test(style.styleName ?? "") ? { quote: true } : {}),
  };
  const numbered =
    counted && isHeading
      ? { ...paragraph, inlines: [{ kind: "text" as const, text: `${counted.label} `, ...base }, ...inlines] }
      : paragraph;
  if (inlines.length === 0 && child(child(own, "pBdr"), "bottom") !== null)
    return [{ kind: "rule" }, ...floating];
  const ticked = counted && !isHeading && !counted.ordered ? tickOf(inlines) : null;
  if (ticked && paragraph.list)
    return [{ ...paragraph, list: { ...paragraph.list, ...ticked.list }, inlines: ticked.rest }, ...floating];
  const codeText = codeOf(paragraph);
  if (codeText !== null) return [{ kind: "code", text: codeText, language: "" }, ...floating];
  return [...splitPages(numbered), ...floating];
}

/** A box at the beginning of an item makes it a task. */
function tickOf(inlines: readonly Inline[]): {
  readonly list: { readonly checked: boolean; readonly label: string };
  readonly rest: readonly Inline[];
} | null {
  const [first, ...others] = inlines;
  const mark = first?.kind === "text" ? /^\s*([☐☑☒])\s*/u.exec(first.text) : null;
  if (first?.kind !== "text" || mark === null) return null;
  const checked = mark[1] !== "☐";
  const text = first.text.slice(mark[0].length);
  const rest = text === "" ? others : [{ ...first, text }, ...others];
  return { list: { checked, label: checked ? "☑" : "☐" }, rest };
}

/** A page break within a paragraph cuts it in two. */
function splitPages(paragraph: Paragraph): Block[] {
  const parts: Block[] = [];
  let inlines: Inline[] = [];
  for (const inline of paragraph.inlines) {
    if (inline.kind === "text" && inline.text === "\f") {
      if (inlines.length > 0) parts.push({ ...paragraph, inlines });
      parts.push({ kind: "page" });
      inlines = [];
    } else inlines.push(inline);
  }
  if (inlines.length > 0 || parts.length === 0) parts.push({ ...paragraph, inlines });
  return parts;
}

function codeOf(paragraph: Paragraph): string | null {
  if (!/^(?:source code|code|preformatted text|html preformatted)$/i.test(paragraph.style ?? "")) return null;
  return paragraph.inlines
    .map((one) =>
      one.kind === "text" ? one.text : one.kind === "break" ? "\n" : one.kind === "tab" ? "\t" : "",
    )
    .join("");
}

function inlinesOf(element: Element, style: TextStyle, state: State): Inline[] {
  const found: Inline[] = [];
  for (const one of children(element)) {
    switch (one.localName) {
      case "r":
        found.push(...runOf(one, style, state));
        break;
      case "hyperlink": {
        const target = state.relations.get(attr(one, "id") ?? "")?.target;
        const anchor = attr(one, "anchor");
        const link = target ?? (anchor ? `#${anchor}` : undefined);
        found.push(...inlinesOf(one, link ? { ...style, link } : style, state));
        break;
      }
      case "ins":
      case "moveTo":
        found.push(
          ...inlinesOf(
            one,
            { ...style, change: { kind: "inserted", author: attr(one, "author") ?? "" } },
            state,
          ),
        );
        break;
      case "del":
      case "moveFrom":
        found.push(
          ...inlinesOf(
            one,
            { ...style, change: { kind: "deleted", author: attr(one, "author") ?? "" } },
            state,
          ),
        );
        break;
      case "fldSimple": {
        const field = pageField(attr(one, "instr") ?? "");
        found.push(...(field ? [field] : inlinesOf(one, style, state)));
        break;
      }
      case "sdt":
        found.push(...inlinesOf(child(one, "sdtContent") ?? one, style, state));
        break;
      case "smartTag":
      case "customXml":
      case "dir":
      case "bdo":
        found.push(...inlinesOf(one, style, state));
        break;
      case "commentRangeStart":
        state.openComments.add(attr(one, "id") ?? "");
        break;
      case "commentRangeEnd":
        state.openComments.delete(attr(one, "id") ?? "");
        break;
      case "oMath":
      case "oMathPara": {
        const text = all(one, "t")
          .map((part) => part.textContent ?? "")
          .join("");
        if (text !== "") found.push({ kind: "text", text, ...style, italic: true });
        break;
      }
    }
  }
  return found;
}

function pageField(instruction: string): Inline | null {
  if (/^\s*PAGE\b/i.test(instruction)) return { kind: "field", field: "page" };
  return /^\s*(?:NUMPAGES|SECTIONPAGES)\b/i.test(instruction) ? { kind: "field", field: "pages" } : null;
}

function runOf(run: Element, outer: TextStyle, state: State): Inline[] {
  const properties = child(run, "rPr");
  if (isOn(child(properties, "vanish"))) return [];
  const styleId = attr(child(properties, "rStyle"), "val");
  const named = styleId ? state.styles.text(styleId, "character") : {};
  const style: TextStyle = {
    ...outer,
    ...named,
    ...textStyle(properties),
    ...(/verbatim|^code|htmlcode|sourcetext/i.test(styleId ?? "") ? { code: true } : {}),
  };
  const found: Inline[] = [];
  const push = (text: string): void => {
    if (state.fields.some((field) => field.state === "code")) return;
    found.push({ kind: "text", text, ...style });
    for (const id of state.openComments)
      state.commentTexts.set(id, (state.commentTexts.get(id) ?? "") + text);
  };
  for (const one of children(run)) {
    switch (one.localName) {
      case "t":
      case "delText":
        push(one.textContent ?? "");
        break;
      case "tab":
      case "ptab":
        found.push({ kind: "tab" });
        break;
      case "br":
      case "cr":
        if (attr(one, "type") === "page") found.push({ kind: "text", text: "\f" });
        else found.push({ kind: "break" });
        break;
      case "noBreakHyphen":
        push("\u2011");
        break;
      case "sym":
        push(symbolOf(one));
        break;
      case "fldChar":
        fieldChar(attr(one, "fldCharType") ?? "", { state, found });
        break;
      case "instrText": {
        const field = state.fields.at(-1);
        if (field) field.instruction += one.textContent ?? "";
        break;
      }
      case "footnoteReference":
      case "endnoteReference":
        found.push(noteOf(one, state));
        break;
      case "drawing":
      case "pict":
      case "object":
        found.push(...picturesOf(one, state));
        for (const box of all(one, "txbxContent").slice(0, 50)) pushFloating(box, state);
        break;
      case "AlternateContent": {
        const choice = child(one, "Choice") ?? child(one, "Fallback");
        if (choice) {
          found.push(...picturesOf(choice, state));
          for (const box of all(choice, "txbxContent").slice(0, 50)) pushFloating(box, state);
        }
        break;
      }
    }
  }
  return found;
}

function pushFloating(box: Element, state: State): void {
  if (state.depth > 3) return;
  const inner: State = { ...state, floating: [], depth: state.depth + 1 };
  state.floating.push(...blocksOf(box, inner));
}

function symbolOf(element: Element): string {
  const code = Number.parseInt(attr(element, "char") ?? "", 16);
  if (code === 0xf0fe || code === 0xf052) return "☑";
  if (code === 0xf0a8 || code === 0xf06f || code === 0xf0a3) return "☐";
  return Number.isInteger(code) && code < 0xe000 && code > 31 ? String.fromCodePoint(code) : "•";
}

/** Fields show their result; page numbers become fields of ours. */
function fieldChar(
  kind: string,
  { state, found }: { readonly state: State; readonly found: Inline[] },
): void {
  const { fields } = state;
  if (kind === "begin") fields.push({ instruction: "", state: "code" });
  const open = fields.at(-1);
  if (open === undefined) return;
  const field = pageField(open.instruction);
  if (kind === "separate" && field === null) open.state = "result";
  if (kind === "end") {
    fields.pop();
    if (field) found.push(field);
  }
}

function noteOf(reference: Element, state: State): Inline {
  const kind = reference.localName === "footnoteReference" ? "footnotes" : "endnotes";
  const id = attr(reference, "id") ?? "";
  const key = `${kind === "footnotes" ? "" : "e"}${id}`;
  const known = state.notes.get(key);
  if (known) return { kind: "note", id: key, label: known.label };
  const label = String(state.notes.size + 1);
  state.notes.set(key, { id: key, label, blocks: [] });
  const part = state.pack.related(state.part, kind);
  const note = part
    ? children(state.pack.xml(part).documentElement as Element).find((one) => attr(one, "id") === id)
    : undefined;
  if (note) state.notes.set(key, { id: key, label, blocks: blocksOf(note, { ...state, floating: [] }) });
  return { kind: "note", id: key, label };
}

const pointsPerEmu = 1 / 12700;

function picturesOf(element: Element, state: State): Inline[] {
  const found: Inline[] = [];
  const extent = all(element, "extent")[0];
  const size = (name: string): number | null => {
    const value = attrNumber(extent, name);
    return value === null || value <= 0 ? null : Math.min(5000, value * pointsPerEmu);
  };
  const alt = attr(all(element, "docPr")[0], "descr") ?? attr(all(element, "docPr")[0], "name") ?? "";
  for (const blip of [...all(element, "blip"), ...all(element, "imagedata")]) {
    const relation = state.relations.get(attr(blip, "embed") ?? attr(blip, "id") ?? "");
    if (relation === undefined) continue;
    const known = !relation.external && state.pack.has(relation.target);
    found.push({
      kind: "picture",
      bytes: known ? state.pack.bytes(relation.target) : null,
      name: relation.target,
      alt,
      width: size("cx"),
      height: size("cy"),
    });
  }
  return found;
}

function tableOf(element: Element, state: State): Table {
  const inner: State = { ...state, depth: state.depth + 1 };
  const widths = children(child(element, "tblGrid") ?? element, "gridCol").map((one) =>
    Math.max(1, attrNumber(one, "w") ?? 1),
  );
  interface Open {
    rows: number;
    readonly cell: Mutable;
  }
  type Mutable = {
    blocks: readonly Block[];
    columns: number;
    rows: number;
    shade?: string;
    vertical?: "top" | "middle" | "bottom";
  };
  const open = new Map<number, Open>();
  const rows = rowsOf(element).map((row, at) => {
    let column = attrNumber(descend(row, "trPr", "gridBefore"), "val") ?? 0;
    const cells: Mutable[] = [];
    for (const cell of cellsOf(row)) {
      const properties = child(cell, "tcPr");
      const columns = Math.min(
        most.columns,
        Math.max(1, attrNumber(child(properties, "gridSpan"), "val") ?? 1),
      );
      const merge = child(properties, "vMerge");
      const continues = merge !== null && attr(merge, "val") !== "restart";
      const above = open.get(column);
      if (continues && above) above.cell.rows += 1;
      else {
        const shade = colorOf(attr(child(properties, "shd"), "fill"));
        const vertical = ({ center: "middle", bottom: "bottom" } as const)[
          attr(child(properties, "vAlign"), "val") ?? ""
        ];
        const made: Mutable = {
          blocks: blocksOf(cell, inner),
          columns,
          rows: 1,
          ...(shade ? { shade } : {}),
          ...(vertical ? { vertical } : {}),
        };
        cells.push(made);
        open.delete(column);
        if (merge !== null) open.set(column, { rows: 1, cell: made });
      }
      column += columns;
    }
    return {
      cells,
      header:
        isOn(descend(row, "trPr", "tblHeader")) ||
        (at === 0 && attr(descend(element, "tblPr", "tblLook"), "firstRow") === "1"),
    };
  });
  const styleId = attr(descend(element, "tblPr", "tblStyle"), "val") ?? "";
  const direct = child(descend(element, "tblPr"), "tblBorders");
  const borders = direct
    ? children(direct).some((one) => !["none", "nil"].includes(attr(one, "val") ?? "none"))
    : styleId !== "" && !/normal|plain/i.test(styleId);
  const cellBorders = all(element, "tcBorders").length > 0;
  return {
    kind: "table",
    rows,
    widths: widths.length > 0 && widths.length <= most.columns ? widths : [],
    borders: borders || cellBorders,
  };
}

/** Rows and cells may stand in content controls. */
const rowsOf = (table: Element): Element[] => unwrapped(table, "tr");
const cellsOf = (row: Element): Element[] => unwrapped(row, "tc");

function unwrapped(element: Element, name: string): Element[] {
  return children(element).flatMap((one) => {
    if (one.localName === name) return [one];
    if (one.localName === "sdt") return unwrapped(child(one, "sdtContent") ?? one, name);
    return one.localName === "customXml" || one.localName === "ins" ? unwrapped(one, name) : [];
  });
}

function readComments(
  pack: OfficePackage,
  part: string,
  texts: ReadonlyMap<string, string>,
): readonly DocxComment[] {
  const name = pack.related(part, "comments");
  if (name === null) return [];
  return all(pack.xml(name), "comment").map((comment) => {
    const id = attr(comment, "id") ?? "";
    const text = all(comment, "p")
      .map((p) =>
        all(p, "t")
          .map((t) => t.textContent ?? "")
          .join(""),
      )
      .join("\n");
    return {
      id,
      author: attr(comment, "author") ?? "",
      date: attr(comment, "date") ?? "",
      text,
      on: texts.get(id) ?? "",
    };
  });
}
