import { basename, extname } from "node:path";
import Papa from "papaparse";
import { decodeText, readInput } from "../common/command.ts";
import { Failure, usage } from "../common/failure.ts";
import type { Cell, Table } from "./table.ts";

/** What `--as` may say of CSV files. */
export interface CsvOptions {
  readonly delimiter: string | null;
  readonly header: boolean;
}

/** The first bytes of an SQLite file. */
const sqliteMark = "SQLite format 3\0";

export function isSqlite(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 16)).toString("latin1") === sqliteMark;
}

/** A table's name from its file's: `Sales 2024.csv` → `sales_2024`. */
export function tableName(path: string): string {
  const plain = basename(path, extname(path))
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_+|_+$/g, "");
  return /^\p{L}/u.test(plain) ? plain : `t_${plain}`;
}

/** Reads CSV, TSV, JSON (a list of objects) and JSON Lines. The kind is told from the content where the ending does not. */
export function readTable(
  path: string,
  { name, csv }: { readonly name: string; readonly csv: CsvOptions },
): Table {
  const bytes = readInput(path);
  if (bytes.subarray(0, 4).toString("latin1") === "PK\u0003\u0004")
    throw new Failure(`${path} is a ZIP or Office file`, {
      hint: "turn a workbook into CSV first: skill xlsx",
    });
  const text = decodeText(bytes).replace(/^\uFEFF/, "");
  if (text.includes("\0")) throw new Failure(`${path} is not a text file`);
  const kind = extname(path).toLowerCase();
  const start = text.trimStart()[0];
  if (
    kind === ".jsonl" ||
    kind === ".ndjson" ||
    (kind !== ".csv" && kind !== ".tsv" && start === "{" && text.trim().includes("\n{"))
  )
    return fromObjects(jsonLines(text, path), name);
  if (kind === ".json" || (kind !== ".csv" && kind !== ".tsv" && (start === "[" || start === "{")))
    return fromObjects(jsonList(text, path), name);
  return fromCsv(text, {
    path,
    name,
    csv: kind === ".tsv" && csv.delimiter === null ? { ...csv, delimiter: "\t" } : csv,
  });
}

function jsonLines(text: string, path: string): readonly unknown[] {
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    try {
      return [JSON.parse(line) as unknown];
    } catch {
      throw new Failure(`${path}:${index + 1} is not JSON`);
    }
  });
}

function jsonList(text: string, path: string): readonly unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Failure(`${path} is not JSON: ${error instanceof Error ? error.message : ""}`);
  }
  if (Array.isArray(value)) return value;
  const lists =
    typeof value === "object" && value !== null
      ? Object.entries(value).filter(([, one]) => Array.isArray(one))
      : [];
  const [only, second] = lists;
  if (only !== undefined && second === undefined) return only[1] as readonly unknown[];
  throw new Failure(
    `${path} holds no list of objects`,
    lists.length > 1 ? { hint: `it has several lists: ${lists.map(([key]) => key).join(", ")}` } : {},
  );
}

function fromObjects(list: readonly unknown[], name: string): Table {
  const columns = new Map<string, number>();
  const flat = list.map((item) => {
    const record = new Map<string, Cell>();
    spread(typeof item === "object" && item !== null && !Array.isArray(item) ? item : { value: item }, {
      prefix: "",
      into: record,
    });
    for (const key of record.keys()) if (!columns.has(key)) columns.set(key, columns.size);
    return record;
  });
  const names = [...columns.keys()];
  return {
    name,
    columns: unique(names),
    rows: flat.map((record) => names.map((key) => record.get(key) ?? null)),
    notes: [],
  };
}

function spread(
  value: object,
  { prefix, into }: { readonly prefix: string; readonly into: Map<string, Cell> },
): void {
  for (const [key, one] of Object.entries(value)) {
    const path = `${prefix}${key}`;
    if (typeof one === "object" && one !== null && !Array.isArray(one))
      spread(one, { prefix: `${path}_`, into });
    else if (typeof one === "string" || typeof one === "number") into.set(path, one);
    else if (typeof one === "boolean") into.set(path, one ? 1 : 0);
    else into.set(path, one === null || one === undefined ? null : JSON.stringify(one));
  }
}

function fromCsv(
  text: string,
  { path, name, csv }: { readonly path: string; readonly name: string; readonly csv: CsvOptions },
): Table {
  const parsed = Papa.parse<string[]>(text, { delimiter: csv.delimiter ?? "", skipEmptyLines: "greedy" });
  const [first, ...others] = parsed.data;
  if (first === undefined) throw new Failure(`${path} is empty`);
  const rows = csv.header ? others : parsed.data;
  const notes: string[] = [];
  const quote = parsed.errors.find(({ type }) => type === "Quotes");
  if (quote !== undefined)
    notes.push(
      `a quotation mark near row ${(quote.row ?? 0) + 1} is not closed or stands alone; cells after it may be joined`,
    );
  const width = rows.reduce((most, row) => Math.max(most, row.length), first.length);
  const odd = rows.filter((row) => row.length !== first.length);
  if (odd.length > 0) {
    const at = rows.findIndex((row) => row.length !== first.length) + (csv.header ? 2 : 1);
    notes.push(
      `${odd.length} rows do not have ${first.length} cells; the first is row ${at} with ${odd[0]?.length ?? 0}`,
    );
  }
  const titles = Array.from(
    { length: width },
    (_, index) => (csv.header ? (first[index] ?? "").trim() : "") || `column_${index + 1}`,
  );
  const columns = Array.from({ length: width }, (_, index) => typed(rows.map((row) => row[index] ?? "")));
  return {
    name,
    columns: unique(titles),
    rows: rows.map((_, row) => columns.map((cells) => cells[row] ?? null)),
    notes,
  };
}

const number = /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
const nothing = /^(?:|na|n\/a|null|none|nan|-)$/i;

/** Numbers where every filled cell is one; texts as they are otherwise. `007` stays a text, and so does a very long number. */
function typed(cells: readonly string[]): readonly Cell[] {
  const numeric =
    cells.some((cell) => number.test(cell.trim())) &&
    cells.every((cell) => nothing.test(cell.trim()) || number.test(cell.trim()));
  if (numeric) return cells.map((cell) => (nothing.test(cell.trim()) ? null : Number(cell)));
  return cells.map((cell) => (cell === "" ? null : cell));
}

/** SQLite does not tell upper from lower case in names of columns. */
function unique(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let count = 2; seen.has(own.toLowerCase()); count++) own = `${name}_${count}`;
    seen.add(own.toLowerCase());
    return own;
  });
}

export function csvOptions(delimiter: string | undefined, header: boolean): CsvOptions {
  const named: Readonly<Record<string, string>> = { tab: "\t", comma: ",", semicolon: ";", pipe: "|" };
  const sign = delimiter === undefined ? null : (named[delimiter] ?? delimiter);
  if (sign !== null && [...sign].length !== 1)
    throw usage("--delimiter is one sign, or tab, comma, semicolon, pipe");
  return { delimiter: sign, header };
}
