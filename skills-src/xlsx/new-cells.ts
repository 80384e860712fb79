import { basename, extname } from "node:path";
import { readJson, readText } from "../common/command.ts";
import { Failure, usage } from "../common/failure.ts";
import { readMarkdown } from "../common/read-markdown.ts";
import { writePlainText } from "../common/write-markdown.ts";
import { type CellValue, serialOf } from "./cells.ts";
import { guessDelimiter, parseCsv } from "./csv.ts";
import type { NewCell, NewSheet } from "./write-workbook.ts";

export interface Typing {
  /** Every value stays text. */
  readonly text: boolean;
  /** Text that begins with `=` becomes a formula. */
  readonly formulas: boolean;
}

/**
 * What a piece of text is in a sheet: numbers and dates by their look; leading zeros, long digits and numbers that no
 * program can hold stay text.
 */
export function typedCell(text: string, typing: Typing): NewCell | null {
  const cell = cellByLook(text, typing);
  return typeof cell?.value === "number" && !Number.isFinite(cell.value) ? { value: text } : cell;
}

function cellByLook(text: string, typing: Typing): NewCell | null {
  if (text === "") return null;
  if (typing.formulas && /^=./.test(text)) return { value: null, formula: text.slice(1) };
  if (typing.text) return { value: text };
  if (
    /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/.test(text) &&
    text.replace(/\D/g, "").length <= 15
  )
    return { value: Number(text) };
  if (/^-?(?:0|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?$/.test(text))
    return { value: Number(text.replaceAll(",", "")), format: text.includes(".") ? "#,##0.00" : "#,##0" };
  if (/^-?\d+(?:\.\d+)?%$/.test(text))
    return { value: Number(text.slice(0, -1)) / 100, format: text.includes(".") ? "0.00%" : "0%" };
  if (/^(?:true|false)$/i.test(text)) return { value: /^t/i.test(text) };
  const date = text.replace(
    /^(\d{4})[/.年](\d{1,2})[/.月](\d{1,2})日?$/,
    (_, year: string, month: string, day: string) =>
      `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`,
  );
  if (serialOf(date) !== null)
    return { value: date, format: date.length > 10 ? "yyyy-mm-dd hh:mm:ss" : "yyyy-mm-dd" };
  return { value: text };
}

export interface SheetOptions extends Typing {
  readonly delimiter?: string;
  readonly name?: string;
  readonly headerRows: number;
}

/** Sheets from a CSV, TSV, JSON or Markdown file. */
export function sheetsFrom(path: string, options: SheetOptions): readonly NewSheet[] {
  const ending = extname(path).toLowerCase();
  const name = options.name ?? basename(path, extname(path));
  if (ending === ".json") return sheetsFromJson(readJson(path), { name, options });
  const text = readText(path);
  if (ending === ".md" || ending === ".markdown") return sheetsFromMarkdown(text, { name, options });
  const delimiter = options.delimiter ?? (ending === ".tsv" ? "\t" : guessDelimiter(text));
  const rows = parseCsv(text, delimiter).map((row, at) =>
    row.map((field) => (at < options.headerRows ? { value: field } : typedCell(field, options))),
  );
  if (rows.length === 0) throw new Failure(`${path} is empty: it has no rows`);
  return [{ name, rows, headerRows: options.headerRows, filter: options.headerRows > 0 }];
}

function sheetsFromMarkdown(
  text: string,
  { name, options }: { readonly name: string; readonly options: SheetOptions },
): readonly NewSheet[] {
  const { sections } = readMarkdown(text, { loadPicture: () => null });
  let title = name;
  const sheets = sections
    .flatMap(({ blocks }) => blocks)
    .flatMap((block): readonly NewSheet[] => {
      if (block.kind === "paragraph" && block.heading) title = writePlainText([block]).trim();
      if (block.kind !== "table") return [];
      const rows = block.rows.map((row) =>
        row.cells.map((cell) => {
          const value = writePlainText(cell.blocks).trim();
          return row.header ? { value } : typedCell(value, options);
        }),
      );
      return [{ name: title, rows, headerRows: 1, filter: true }];
    });
  if (sheets.length === 0) throw usage("the Markdown has no table");
  return sheets;
}

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `[[…]]`, `[{…}]`, `{"sheets": [{name, rows | records, columns, …}]}` or `{"Sheet name": rows}`. */
function sheetsFromJson(
  data: unknown,
  { name, options }: { readonly name: string; readonly options: SheetOptions },
): readonly NewSheet[] {
  if (Array.isArray(data))
    return [
      sheetFromJson({ name, [data.every(isObject) && data.length > 0 ? "records" : "rows"]: data }, options),
    ];
  if (!isObject(data)) throw usage("the JSON must be a list of rows or records, or an object with sheets");
  if (Array.isArray(data.sheets))
    return data.sheets.map((sheet, at) =>
      sheetFromJson(
        isObject(sheet) ? { name: `Sheet${at + 1}`, ...sheet } : { name: `Sheet${at + 1}`, rows: sheet },
        options,
      ),
    );
  if (data.rows !== undefined || data.records !== undefined)
    return [sheetFromJson({ name, ...data }, options)];
  return Object.entries(data).map(([key, value]) =>
    sheetFromJson(
      { name: key, [Array.isArray(value) && value.every(isObject) ? "records" : "rows"]: value },
      options,
    ),
  );
}

function sheetFromJson(sheet: Fields, options: SheetOptions): NewSheet {
  const columns = Array.isArray(sheet.columns)
    ? sheet.columns.map((one) => (isObject(one) ? one : { header: String(one) }))
    : [];
  const formats = columns.map((column) => (typeof column.format === "string" ? column.format : undefined));
  const rows: (NewCell | null)[][] = [];
  let headerRows = typeof sheet.headerRows === "number" ? sheet.headerRows : 0;
  if (Array.isArray(sheet.records)) {
    const records = sheet.records.filter(isObject);
    const keys =
      columns.length > 0
        ? columns.map((column) => String(column.key ?? column.header ?? ""))
        : [...new Set(records.flatMap((record) => Object.keys(record)))];
    rows.push(keys.map((key, at) => ({ value: String(columns[at]?.header ?? key) })));
    headerRows = 1;
    for (const record of records)
      rows.push(keys.map((key, at) => jsonCell(record[key], { format: formats[at], options })));
  } else if (Array.isArray(sheet.rows)) {
    if (columns.length > 0) {
      rows.push(columns.map((column) => ({ value: String(column.header ?? "") })));
      headerRows = 1;
    } else if (sheet.headerRows === undefined) headerRows = options.headerRows;
    for (const row of sheet.rows) {
      if (!Array.isArray(row)) throw usage(`a row of sheet "${String(sheet.name)}" is no list`);
      const isHeader = rows.length < headerRows;
      rows.push(
        row.map((value, at) => jsonCell(value, { format: isHeader ? undefined : formats[at], options })),
      );
    }
  } else throw usage(`sheet "${String(sheet.name)}" has neither rows nor records`);
  return {
    name: String(sheet.name),
    rows,
    headerRows,
    widths: columns.map((column) => (typeof column.width === "number" ? column.width : undefined)),
    ...(Array.isArray(sheet.merges)
      ? { merges: sheet.merges.map(String).filter((ref) => /^[A-Z]{1,3}\d+:[A-Z]{1,3}\d+$/.test(ref)) }
      : {}),
    filter: sheet.filter !== false && headerRows > 0,
  };
}

/** A JSON value as a cell: `"=…"` is a formula, an object says value, formula, format, bold, fill, color, align. */
export function jsonCell(
  value: unknown,
  { format, options }: { readonly format: string | undefined; readonly options: Typing },
): NewCell | null {
  if (value === null || value === undefined || value === "") return null;
  const base = format === undefined ? {} : { format };
  if (typeof value === "number" && !Number.isFinite(value)) throw usage("a number of the JSON is too large");
  if (typeof value === "number" || typeof value === "boolean") return { value, ...base };
  if (typeof value === "string") {
    if (/^=./.test(value) && !options.text) return { value: null, formula: value.slice(1), ...base };
    if (serialOf(value) !== null && !options.text)
      return { value, format: format ?? (value.length > 10 ? "yyyy-mm-dd hh:mm:ss" : "yyyy-mm-dd") };
    return { value, ...base };
  }
  if (!isObject(value)) return { value: JSON.stringify(value), ...base };
  if (typeof value.value === "number" && !Number.isFinite(value.value))
    throw usage("a number of the JSON is too large");
  const inner: CellValue = ["string", "number", "boolean"].includes(typeof value.value)
    ? (value.value as CellValue)
    : null;
  const color = (one: unknown): string | undefined =>
    typeof one === "string" && /^#?[\da-f]{6}$/i.test(one) ? one.replace("#", "").toUpperCase() : undefined;
  const [fill, text] = [color(value.fill), color(value.color)];
  return {
    value: inner,
    ...base,
    ...(typeof value.formula === "string" ? { formula: value.formula.replace(/^=/, "") } : {}),
    ...(typeof value.format === "string" ? { format: value.format } : {}),
    ...(typeof value.bold === "boolean" ? { bold: value.bold } : {}),
    ...(fill ? { fill } : {}),
    ...(text ? { color: text } : {}),
    ...(value.align === "left" || value.align === "center" || value.align === "right"
      ? { align: value.align }
      : {}),
    ...(value.wrap === true ? { wrap: true } : {}),
  };
}
