import { SaxesParser } from "saxes";
import { Failure, refused } from "../common/failure.ts";
import type { OfficePackage } from "../common/office-package.ts";
import { all, attr, child, children, descend, guardXml } from "../common/xml.ts";
import {
  type CellRange,
  type CellValue,
  cellName,
  columnIndex,
  columnName,
  formatCode,
  formatNumber,
  isDateFormat,
  isoDate,
  mostColumns,
  mostRows,
  parseCell,
  parseRange,
} from "./cells.ts";

export interface SheetInfo {
  readonly name: string;
  readonly part: string;
  readonly hidden: boolean;
}

export interface Cell {
  readonly row: number;
  readonly column: number;
  /** Dates are ISO text. */
  readonly value: CellValue;
  /** As its format shows it. */
  readonly shown: string;
  readonly formula: string | null;
  readonly style: number;
  readonly isDate: boolean;
}

export interface Workbook {
  readonly pack: OfficePackage;
  readonly part: string;
  readonly sheets: readonly SheetInfo[];
  readonly names: readonly { readonly name: string; readonly refers: string }[];
  readonly strings: readonly string[];
  readonly formats: readonly { readonly code: string; readonly isDate: boolean }[];
  readonly from1904: boolean;
}

const mostStrings = 5_000_000;
const mostSheets = 2_000;

export function openWorkbook(pack: OfficePackage): Workbook {
  const part = pack.main();
  const root = pack.xml(part).documentElement;
  if (root?.localName !== "workbook") throw new Failure(`${pack.what} is no Excel workbook`);
  const relations = new Map(pack.relations(part).map((relation) => [relation.id, relation.target]));
  const sheets = children(child(root, "sheets") ?? root, "sheet").flatMap((sheet) => {
    const target = relations.get(attr(sheet, "id") ?? "");
    if (target === undefined || !pack.has(target)) return [];
    return [
      {
        name: attr(sheet, "name") ?? "",
        part: target,
        hidden: (attr(sheet, "state") ?? "visible") !== "visible",
      },
    ];
  });
  if (sheets.length > mostSheets) throw refused(`${pack.what} has ${sheets.length} sheets`);
  const strings = pack.related(part, "sharedStrings");
  return {
    pack,
    part,
    sheets,
    names: all(pack.xml(part), "definedName").map((one) => ({
      name: attr(one, "name") ?? "",
      refers: one.textContent ?? "",
    })),
    strings: strings ? readStrings(pack.text(strings), pack.what) : [],
    formats: readFormats(pack, part),
    from1904: ["1", "true"].includes(attr(child(root, "workbookPr"), "date1904") ?? ""),
  };
}

function readFormats(pack: OfficePackage, part: string): Workbook["formats"] {
  const styles = pack.related(part, "styles");
  if (styles === null) return [];
  const tree = pack.xml(styles);
  const codes = new Map(
    all(tree, "numFmt").map((one) => [Number(attr(one, "numFmtId")), attr(one, "formatCode") ?? "General"]),
  );
  const formats = descend(tree.documentElement, "cellXfs");
  return children(formats ?? (tree.documentElement as never), "xf").map((one) => {
    const id = Number(attr(one, "numFmtId") ?? 0);
    const code = codes.get(id);
    return { code: formatCode(id, code), isDate: isDateFormat(id, code) };
  });
}

/** Shared strings in order; phonetic hints are left out. Counts that the file claims are not believed. */
function readStrings(text: string, what: string): readonly string[] {
  const strings: string[] = [];
  let current = "";
  let inText = false;
  let phonetic = 0;
  scan(text, what, {
    open: (name) => {
      if (name === "si") current = "";
      if (name === "rPh") phonetic += 1;
      if (name === "t" && phonetic === 0) inText = true;
    },
    text: (part) => {
      if (inText) current += part;
    },
    close: (name) => {
      if (name === "t") inText = false;
      if (name === "rPh") phonetic -= 1;
      if (name === "si") strings.push(current);
      if (strings.length > mostStrings) throw refused(`${what} has more than ${mostStrings} strings`);
    },
  });
  return strings.map(unescapeText);
}

/** `_x000D_` and the like stand for characters that XML cannot hold. */
export const unescapeText = (text: string): string =>
  text.includes("_x")
    ? text.replace(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

interface Handlers {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

/** Streams a part; nothing of it is kept. Document types are refused before. */
function scan(text: string, what: string, handlers: Handlers): void {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text.slice(0, 4096))) guardXml(text.slice(0, 4096), what);
  const parser = new SaxesParser();
  const bare = (name: string): string => name.slice(name.indexOf(":") + 1);
  let depth = 0;
  parser.on("doctype", () => {
    throw refused(`${what} declares a document type or entities`);
  });
  parser.on("opentag", (tag) => {
    depth += 1;
    if (depth > 200) throw refused(`${what} is nested deeper than 200 elements`);
    handlers.open(bare(tag.name), tag.attributes as Readonly<Record<string, string>>);
  });
  parser.on("text", (part) => handlers.text?.(part));
  parser.on("cdata", (part) => handlers.text?.(part));
  parser.on("closetag", (tag) => {
    depth -= 1;
    handlers.close?.(bare(tag.name));
  });
  parser.on("error", (error) => {
    throw new Failure(`${what} is damaged: ${error.message.slice(0, 160)}`);
  });
  const step = 1 << 20;
  for (let at = 0; at < text.length; at += step) parser.write(text.slice(at, at + step));
  parser.close();
}

export interface SheetExtras {
  readonly merges: readonly CellRange[];
  readonly widths: ReadonlyMap<number, number>;
  readonly hiddenRows: ReadonlySet<number>;
}

/** Streams a sheet's cells in the order of the file; empty cells are left out. Gives merged ranges and widths. */
export function readSheet(book: Workbook, sheet: SheetInfo, onCell: (cell: Cell) => void): SheetExtras {
  const merges: CellRange[] = [];
  const widths = new Map<number, number>();
  const hiddenRows = new Set<number>();
  let row = -1;
  let column = -1;
  let cell: { type: string; style: number; value: string; formula: string | null } | null = null;
  let collecting: "v" | "f" | "t" | null = null;
  let phonetic = false;
  let shared: string | null = null;
  const sharedFormulas = new Map<
    string,
    { readonly text: string; readonly row: number; readonly column: number }
  >();
  const what = `${book.pack.what} (${sheet.name})`;
  scan(book.pack.text(sheet.part), what, {
    open: (name, attributes) => {
      if (name === "row") {
        row = attributes.r === undefined ? row + 1 : Number(attributes.r) - 1;
        if (!(row >= 0 && row < mostRows)) throw refused(`${what} has a row ${attributes.r}`);
        if (attributes.hidden === "1") hiddenRows.add(row);
        column = -1;
      } else if (name === "c") {
        const place = attributes.r === undefined ? null : parseCell(attributes.r);
        column = place?.column ?? column + 1;
        if (column >= mostColumns) throw refused(`${what} has more than ${mostColumns} columns`);
        cell = { type: attributes.t ?? "n", style: Number(attributes.s ?? 0) || 0, value: "", formula: null };
      } else if (name === "v" || (name === "t" && !phonetic)) collecting = name;
      else if (name === "rPh") phonetic = true;
      else if (name === "f" && cell) {
        collecting = "f";
        cell.formula = "";
        shared = attributes.t === "shared" ? (attributes.si ?? null) : null;
      } else if (name === "mergeCell" && merges.length < 200_000) {
        const range = parseRange(attributes.ref ?? "");
        if (range) merges.push(range);
      } else if (name === "col") {
        const [first, last] = [Number(attributes.min), Math.min(Number(attributes.max), mostColumns)];
        for (let at = first; at <= last && at < first + 256; at += 1)
          widths.set(at - 1, Number(attributes.width));
      }
    },
    text: (part) => {
      if (cell === null || collecting === null) return;
      if (collecting === "f") cell.formula = `${cell.formula ?? ""}${part}`;
      else cell.value += part;
    },
    close: (name) => {
      if (name === "v" || name === "t" || name === "f") collecting = null;
      if (name === "rPh") phonetic = false;
      if (name === "f" && cell !== null && shared !== null) {
        const master = sharedFormulas.get(shared);
        if (cell.formula) sharedFormulas.set(shared, { text: cell.formula, row, column });
        else if (master)
          cell.formula = shiftFormula(master.text, {
            rows: row - master.row,
            columns: column - master.column,
          });
        shared = null;
      }
      if (name !== "c" || cell === null) return;
      const made = finish(book, cell, { row, column });
      if (made !== null) onCell(made);
      cell = null;
    },
  });
  return { merges, widths, hiddenRows };
}

function finish(
  book: Workbook,
  raw: {
    readonly type: string;
    readonly style: number;
    readonly value: string;
    readonly formula: string | null;
  },
  { row, column }: { readonly row: number; readonly column: number },
): Cell | null {
  if (raw.value === "" && raw.formula === null) return null;
  const format = book.formats[raw.style] ?? { code: "General", isDate: false };
  const base = { row, column, formula: raw.formula, style: raw.style };
  const text = (value: string): Cell => ({ ...base, value, shown: value, isDate: false });
  switch (raw.type) {
    case "s":
      return text(book.strings[Number(raw.value)] ?? "");
    case "str":
    case "inlineStr":
      return text(unescapeText(raw.value));
    case "e":
      return text(raw.value);
    case "d":
      return { ...text(raw.value.replace("T00:00:00", "")), isDate: true };
    case "b":
      return {
        ...base,
        value: raw.value === "1",
        shown: raw.value === "1" ? "TRUE" : "FALSE",
        isDate: false,
      };
  }
  if (raw.value === "") return { ...base, value: null, shown: "", isDate: false };
  const number = Number(raw.value);
  if (!Number.isFinite(number)) return text(raw.value);
  if (format.isDate) {
    const date = isoDate(number, book.from1904);
    return { ...base, value: date, shown: date, isDate: true };
  }
  return { ...base, value: number, shown: formatNumber(number, format.code), isDate: false };
}

export interface Grid {
  readonly rows: readonly (readonly (Cell | undefined)[])[];
  readonly columns: number;
  readonly extras: SheetExtras;
}

/** Places of a grid, empty ones included. */
const mostPlaces = 20_000_000;

/**
 * A sheet, or a range of it, as rows of cells; merges are of the range's places. A few cells far apart span more places
 * than fit into memory: that is refused, and a range asked for.
 */
export function readGrid(book: Workbook, sheet: SheetInfo, range?: CellRange): Grid {
  const { from, to } = range ?? { from: { row: 0, column: 0 }, to: { row: mostRows, column: mostColumns } };
  const rows: (Cell | undefined)[][] = [];
  let columns = 0;
  let count = 0;
  const extras = readSheet(book, sheet, (cell) => {
    const [row, column] = [cell.row - from.row, cell.column - from.column];
    if (row < 0 || column < 0 || cell.row > to.row || cell.column > to.column) return;
    columns = Math.max(columns, column + 1);
    count += 1;
    while (rows.length <= row) rows.push([]);
    (rows[row] as (Cell | undefined)[])[column] = cell;
    if (rows.length * columns > mostPlaces)
      throw new Failure(
        `the cells of sheet "${sheet.name}" lie too far apart: ${count} cells reach over ${rows.length} rows and ${columns} columns`,
        {
          hint: `read a part of it: --range A1:${cellName({ row: 999, column: Math.min(columns, 100) - 1 })}`,
        },
      );
  });
  const merges = extras.merges.flatMap((merge) => {
    const [top, left] = [merge.from.row - from.row, merge.from.column - from.column];
    if (top < 0 || left < 0 || merge.from.row > to.row || merge.from.column > to.column) return [];
    const end = { row: Math.min(merge.to.row, to.row), column: Math.min(merge.to.column, to.column) };
    return [
      { from: { row: top, column: left }, to: { row: end.row - from.row, column: end.column - from.column } },
    ];
  });
  return { rows, columns, extras: { ...extras, merges } };
}

/** The sheet of a name or number from 1; the first visible one without either. */
export function pickSheet(book: Workbook, wanted: string | undefined): SheetInfo {
  const [first] = book.sheets;
  if (first === undefined) throw new Failure(`${book.pack.what} has no sheets`);
  if (wanted === undefined) return book.sheets.find(({ hidden }) => !hidden) ?? first;
  const found = book.sheets.find(({ name }) => name === wanted) ?? book.sheets[Number(wanted) - 1];
  if (found === undefined)
    throw new Failure(`${book.pack.what} has no sheet "${wanted}"`, {
      hint: `it has: ${book.sheets.map(({ name }) => name).join(", ")}`,
    });
  return found;
}

/** A formula moved by rows and columns: references without `$` move with it. */
export function shiftFormula(text: string, by: { readonly rows: number; readonly columns: number }): string {
  return text.replace(
    /("(?:[^"]|"")*"|'(?:[^']|'')*')|(?<![\w.])(\$?)([A-Z]{1,3})(\$?)(\d{1,7})(?![\w(.])/g,
    (all, quoted: string | undefined, fixedColumn: string, column: string, fixedRow: string, row: string) => {
      if (quoted !== undefined) return all;
      const at = fixedColumn ? columnIndex(column) : columnIndex(column) + by.columns;
      const line = fixedRow ? Number(row) : Number(row) + by.rows;
      return at < 0 || line < 1 ? "#REF!" : `${fixedColumn}${columnName(at)}${fixedRow}${line}`;
    },
  );
}
