import { Failure } from "../common/failure.ts";
import { columnIndex } from "./cells.ts";

/** A sheet's text cut at its rows. */
export interface SheetText {
  readonly before: string;
  rows: string[];
  readonly after: string;
  /** Of the elements' names, with its colon. */
  readonly prefix: string;
}

/**
 * Cuts a sheet's text at its rows. Editing works on the text, so that whatever else the sheet has stays byte for byte and
 * a large sheet needs no tree.
 */
export function openSheet(text: string, what: string): SheetText {
  const empty = /<((?:\w+:)?)sheetData\s*\/>/.exec(text);
  if (empty) {
    const prefix = empty[1] ?? "";
    return {
      before: `${text.slice(0, empty.index)}<${prefix}sheetData>`,
      rows: [],
      after: `</${prefix}sheetData>${text.slice(empty.index + empty[0].length)}`,
      prefix,
    };
  }
  const start = /<((?:\w+:)?)sheetData\b[^>]*>/.exec(text);
  const prefix = start?.[1] ?? "";
  const end = text.lastIndexOf(`</${prefix}sheetData>`);
  if (start === null || end === -1) throw new Failure(`${what} is damaged: it has no sheet data`);
  const from = start.index + start[0].length;
  const row = new RegExp(`<${prefix}row\\b[^>]*?(?:/>|>[\\s\\S]*?</${prefix}row>)`, "g");
  return {
    before: text.slice(0, from),
    rows: text.slice(from, end).match(row) ?? [],
    after: text.slice(end),
    prefix,
  };
}

/** Places of the rows from 0; one without a number follows the one before. */
export function rowNumbers(rows: readonly string[]): readonly number[] {
  let expected = 0;
  return rows.map((row) => {
    const found = /^<[^>]*?\sr="(\d+)"/.exec(row)?.[1];
    const number = found === undefined ? expected : Number(found) - 1;
    expected = number + 1;
    return number;
  });
}

export interface CellText {
  readonly column: number;
  readonly xml: string;
}

/** Cells of a row. */
export function cellsOf(row: string, prefix: string): readonly CellText[] {
  const open = /^<[^>]*>/.exec(row)?.[0] ?? "";
  const cell = new RegExp(`<${prefix}c\\b[^>]*?(?:/>|>[\\s\\S]*?</${prefix}c>)`, "g");
  let expected = 0;
  return (row.slice(open.length).match(cell) ?? []).map((xml) => {
    const reference = /^<[^>]*?\sr="([A-Z]+)\d+"/.exec(xml)?.[1];
    const column = reference === undefined ? expected : columnIndex(reference);
    expected = column + 1;
    return { column, xml };
  });
}

export const styleOf = (cell: string): number => Number(/^<[^>]*?\ss="(\d+)"/.exec(cell)?.[1] ?? 0);

/** Something stands in the row, not styles alone. */
export const hasContent = (row: string): boolean => /<(?:\w+:)?(?:v|f|is)\b/.test(row);

export const unescapeXml = (text: string): string =>
  text.replace(/&(lt|gt|amp|quot|apos|#\d+|#x[\da-f]+);/gi, (all, name: string) => {
    const known = ({ lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" } as Record<string, string>)[name];
    if (known !== undefined) return known;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
