import { Failure } from "../common/failure.ts";
import { all, children, descend, type Element } from "../common/xml.ts";
import {
  type CellPlace,
  type CellRange,
  type CellValue,
  cellName,
  mostRows,
  parseCell,
  parseRange,
} from "./cells.ts";
import { freeFormulas } from "./free-formulas.ts";
import type { SheetInfo, Workbook } from "./read-workbook.ts";
import { cellsOf, hasContent, openSheet, rowNumbers, styleOf } from "./sheet-text.ts";
import { growTables, headingTest } from "./tables.ts";
import { cellXml } from "./write-workbook.ts";

export interface CellEdit {
  readonly place: CellPlace;
  readonly value: CellValue;
  readonly formula?: string;
  /** The number is a date: a cell whose format shows none gets one that does. */
  readonly date?: boolean;
}

/**
 * Sets cells. A cell that was there keeps its style; a new one takes that of the cell above it. Gives those that nobody
 * sees, because a merged cell lies over them.
 */
export function setCells(book: Workbook, sheet: SheetInfo, wanted: readonly CellEdit[]): readonly string[] {
  const text = openSheet(book.pack.text(sheet.part), `${book.pack.what} (${sheet.name})`);
  const isHeading = headingTest(book, sheet);
  const edits = wanted.map((edit) => {
    if (!isHeading(edit.place)) return edit;
    if (edit.formula !== undefined || edit.date)
      throw new Failure(`${cellName(edit.place)} is a heading of a table: it must be text`);
    return { ...edit, value: edit.value === null ? null : String(edit.value) };
  });
  freeFormulas(
    text,
    edits.map(({ place }) => place),
  );
  const numbers = rowNumbers(text.rows);
  const places = new Map(numbers.map((number, at) => [number, at]));
  const byRow = new Map<number, CellEdit[]>();
  for (const edit of edits) {
    const own = byRow.get(edit.place.row);
    if (own) own.push(edit);
    else byRow.set(edit.place.row, [edit]);
  }
  const dated = dateStyles(book);
  const rows = text.rows.map((xml, at) => [numbers[at] ?? 0, xml] as const);
  const added: (readonly [number, string])[] = [];
  for (const [row, cells] of byRow) {
    const at = places.get(row);
    const above = at === undefined ? text.rows[places.get(row - 1) ?? -1] : undefined;
    const made = editRow(at === undefined ? null : (text.rows[at] ?? null), {
      row,
      cells,
      prefix: text.prefix,
      models: stylesOf(above ?? "", text.prefix),
      dated,
    });
    if (at === undefined) added.push([row, made]);
    else rows[at] = [row, made];
  }
  const all = added.length === 0 ? rows : [...rows, ...added].sort(([a], [b]) => a - b);
  book.pack.set(
    sheet.part,
    growDimension(text.before, edits) + all.map(([, xml]) => xml).join("") + text.after,
  );
  const merges = mergesOf(text.after);
  return edits
    .filter(({ place }) => merges.some((range) => covers(range, place)))
    .map(({ place }) => cellName(place));
}

/** Merged ranges of a sheet, from its text. */
function mergesOf(text: string): readonly CellRange[] {
  return [...text.matchAll(/<(?:\w+:)?mergeCell\b[^>]*?\sref="([^"]+)"/g)].flatMap(([, reference]) => {
    const range = parseRange(reference ?? "");
    return range === null ? [] : [range];
  });
}

const covers = ({ from, to }: CellRange, { row, column }: CellPlace): boolean =>
  row >= from.row &&
  row <= to.row &&
  column >= from.column &&
  column <= to.column &&
  !(row === from.row && column === from.column);

interface RowEdit {
  readonly row: number;
  readonly cells: readonly CellEdit[];
  readonly prefix: string;
  /** Styles of new cells, by column. */
  readonly models: ReadonlyMap<number, number>;
  readonly dated: (style: number) => number;
}

const stylesOf = (row: string, prefix: string): ReadonlyMap<number, number> =>
  new Map(cellsOf(row, prefix).map(({ column, xml }) => [column, styleOf(xml)]));

/** The row with its cells set; null is a new one. */
function editRow(old: string | null, { row, cells, prefix, models, dated }: RowEdit): string {
  const open = /^<[^>]*>/.exec(old ?? "")?.[0] ?? `<${prefix}row r="${row + 1}">`;
  const head = open.replace(/\s*\/?>$/, ">").replace(/\sspans="[^"]*"/, "");
  const made = new Map(cellsOf(old ?? "", prefix).map(({ column, xml }) => [column, xml]));
  for (const { place, value, formula, date } of cells) {
    const there = made.get(place.column);
    const style = there === undefined ? (models.get(place.column) ?? 0) : styleOf(there);
    const xml = cellXml(
      { value, ...(formula === undefined ? {} : { formula }) },
      { name: cellName({ row, column: place.column }), style: date ? dated(style) : style },
    );
    made.set(place.column, prefix === "" ? xml : xml.replace(/<(\/?)(?=[a-z])/g, `<$1${prefix}`));
  }
  const sorted = [...made].sort(([a], [b]) => a - b);
  return `${head}${sorted.map(([, cell]) => cell).join("")}</${prefix}row>`;
}

function growDimension(before: string, edits: readonly CellEdit[]): string {
  return before.replace(/(<(?:\w+:)?dimension ref=")([^"]+)"/, (all, head: string, ref: string) => {
    const [a, b = a] = ref.split(":");
    const [from, to] = [parseCell(a ?? ""), parseCell(b ?? "")];
    if (!from || !to) return all;
    const rows = edits.map(({ place }) => place.row);
    const columns = edits.map(({ place }) => place.column);
    const min = {
      row: rows.reduce((x, y) => Math.min(x, y), from.row),
      column: columns.reduce((x, y) => Math.min(x, y), from.column),
    };
    const max = {
      row: rows.reduce((x, y) => Math.max(x, y), to.row),
      column: columns.reduce((x, y) => Math.max(x, y), to.column),
    };
    return `${head}${cellName(min)}:${cellName(max)}"`;
  });
}

/**
 * Adds rows below the last one that holds something; each cell takes the style of the last row's cell in its column, in a
 * row that was prepared its own. Tables that end there grow. Gives the first new row.
 */
export function appendRows(
  book: Workbook,
  sheet: SheetInfo,
  rows: readonly (readonly (Omit<CellEdit, "place"> | null)[])[],
): number {
  const what = `${book.pack.what} (${sheet.name})`;
  const text = openSheet(book.pack.text(sheet.part), what);
  const numbers = rowNumbers(text.rows);
  const end = text.rows.findLastIndex(hasContent) + 1;
  const first = end === 0 ? 0 : (numbers[end - 1] ?? 0) + 1;
  if (first + rows.length > mostRows) throw new Failure(`${what} has no room for ${rows.length} more rows`);
  // A line of totals is no model for rows: the last of the fullest ones is.
  const near = text.rows.slice(Math.max(0, end - 20), end);
  const sizes = near.map((row) => cellsOf(row, text.prefix).length);
  const models = stylesOf(near[sizes.lastIndexOf(Math.max(0, ...sizes))] ?? "", text.prefix);
  const prepared = new Map(text.rows.slice(end).map((row, at) => [numbers[end + at] ?? 0, row]));
  const dated = dateStyles(book);
  const edits: CellEdit[] = [];
  rows.forEach((row, at) => {
    const place = { row: first + at, column: 0 };
    const cells = row.flatMap((cell, column) =>
      cell === null ? [] : [{ ...cell, place: { ...place, column } }],
    );
    for (const cell of cells) edits.push(cell);
    const old = prepared.get(place.row) ?? null;
    prepared.set(place.row, editRow(old, { row: place.row, cells, prefix: text.prefix, models, dated }));
  });
  const below = [...prepared].sort(([a], [b]) => a - b).map(([, row]) => row);
  book.pack.set(
    sheet.part,
    growDimension(text.before, edits) + text.rows.slice(0, end).join("") + below.join("") + text.after,
  );
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  growTables(book, sheet, { first, count: rows.length, columns });
  return first;
}

/** Style of a date in a cell of some style: the same where that shows dates, else a new one like it. */
function dateStyles(book: Workbook): (style: number) => number {
  const made = new Map<number, number>();
  return (style) => {
    if (book.formats[style]?.isDate) return style;
    const part = book.pack.related(book.part, "styles");
    const list = part === null ? null : descend(book.pack.xml(part).documentElement, "cellXfs");
    if (part === null || list === null) return style;
    let id = made.get(style);
    if (id === undefined) {
      const formats = children(list, "xf");
      const copy = (formats[style] ?? formats[0])?.cloneNode(true) as Element | undefined;
      if (copy === undefined) return style;
      copy.setAttribute("numFmtId", "14");
      copy.setAttribute("applyNumberFormat", "1");
      list.appendChild(copy);
      id = formats.length;
      list.setAttribute("count", String(id + 1));
      made.set(style, id);
      book.pack.touch(part);
    }
    return id;
  };
}

/** After an edit, stored results of formulas may be wrong: they go, and the next program calculates anew. */
export function forgetResults(book: Workbook): void {
  for (const sheet of book.sheets) {
    const text = book.pack.text(sheet.part);
    if (!/<(?:\w+:)?f[\s>/]/.test(text)) continue;
    const made = text.replace(
      /<((?:\w+:)?)c\b([^>]*)>((?:(?!<\/\1c>)[\s\S])*?<\1f\b(?:(?!<\/\1c>)[\s\S])*?)<\/\1c>/g,
      (_, prefix: string, attributes: string, inner: string) => {
        const kept = inner.replace(new RegExp(`<${prefix}v>[\\s\\S]*?</${prefix}v>|<${prefix}v/>`, "g"), "");
        return `<${prefix}c${attributes.replace(/\st="[^"]*"/, "")}>${kept}</${prefix}c>`;
      },
    );
    if (made !== text) book.pack.set(sheet.part, made);
  }
  const { pack, part } = book;
  const chain = pack.related(part, "calcChain");
  if (chain !== null) {
    const relation = pack.relations(part).find(({ target }) => target === chain);
    if (relation) pack.unrelate(part, relation.id);
    pack.dropContentType(chain);
    pack.remove(chain);
  }
  const tree = pack.xml(part);
  const root = tree.documentElement as Element;
  let calc = all(root, "calcPr")[0];
  if (calc === undefined) {
    calc = tree.createElementNS(root.namespaceURI, `${root.prefix ? `${root.prefix}:` : ""}calcPr`);
    // The order of a workbook's parts is fixed: calcPr follows the names, else the sheets.
    const before =
      all(root, "definedNames")[0] ?? all(root, "externalReferences")[0] ?? all(root, "sheets")[0];
    root.insertBefore(calc, before?.nextSibling ?? null);
  }
  calc.setAttribute("fullCalcOnLoad", "1");
  pack.touch(part);
}
