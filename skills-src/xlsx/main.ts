import { extname, join } from "node:path";
import { type Call, readInput, readJson, runProgram } from "../common/command.ts";
import type { Block, TextDocument } from "../common/document.ts";
import { Failure, usage } from "../common/failure.ts";
import { literalPattern } from "../common/find-edits.ts";
import { drawDocument } from "../common/layout-document.ts";
import { fontOptions, fontSettings, pageOf, pageOptions } from "../common/markdown-file.ts";
import { OfficePackage } from "../common/office-package.ts";
import { writeMarkdown } from "../common/write-markdown.ts";
import { type CellValue, cellName, columnIndex, parseCell, parseRange, serialOf } from "./cells.ts";
import { csvLine } from "./csv.ts";
import { appendRows, type CellEdit, forgetResults, setCells } from "./edit-sheet.ts";
import { deleteSheet, renameSheet } from "./edit-sheets.ts";
import { jsonCell, sheetsFrom, typedCell } from "./new-cells.ts";
import {
  type Cell,
  type Grid,
  openWorkbook,
  pickSheet,
  readGrid,
  readSheet,
  type SheetInfo,
  type Workbook,
} from "./read-workbook.ts";
import { replaceInCells } from "./replace-cells.ts";
import { followHeadings } from "./tables.ts";
import { type NewCell, type NewSheet, uniqueNames, writeWorkbook } from "./write-workbook.ts";

const open = (path: string): Workbook => {
  if (extname(path).toLowerCase() === ".xls")
    throw new Failure(`${path} is in the old binary format`, {
      hint: "save it as .xlsx first; LibreOffice: soffice --headless --convert-to xlsx FILE",
    });
  return openWorkbook(OfficePackage.open(readInput(path), path));
};

/** Cells of the wanted range. */
function gridOf(book: Workbook, sheet: SheetInfo, call: Call): Grid {
  const wanted = call.text("range");
  if (wanted === undefined) return readGrid(book, sheet);
  const range = parseRange(wanted);
  if (range === null || range.to.row < range.from.row || range.to.column < range.from.column)
    throw usage(`--range is like A1:C20, not "${wanted}"`);
  return readGrid(book, sheet, range);
}

/** A formula stands for itself where it is asked for, and where no program has stored its result. */
const showsFormula = (cell: Cell, call: Call): boolean =>
  cell.formula !== null && (call.flag("formulas") || cell.value === null);

const textOf = (cell: Cell | undefined, call: Call): string => {
  if (cell === undefined) return "";
  if (showsFormula(cell, call)) return `=${cell.formula}`;
  return call.flag("formatted")
    ? cell.shown
    : cell.value === null
      ? ""
      : typeof cell.value === "boolean"
        ? cell.shown
        : String(cell.value);
};

function csvOf(grid: Grid, { call, delimiter }: { readonly call: Call; readonly delimiter: string }): string {
  const lines = grid.rows.map((row) =>
    csvLine(
      Array.from({ length: grid.columns }, (_, at) => textOf(row[at], call)),
      { delimiter, safe: call.flag("safe") },
    ),
  );
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

function jsonOf(grid: Grid, call: Call): unknown {
  const value = (cell: Cell | undefined): CellValue =>
    cell === undefined ? null : showsFormula(cell, call) ? `=${cell.formula}` : cell.value;
  const rows = grid.rows.map((row) => Array.from({ length: grid.columns }, (_, at) => value(row[at])));
  if (!call.flag("records")) return rows;
  const [header = [], ...rest] = rows;
  const keys = header.map((name, at) => (name === null || name === "" ? `column${at + 1}` : String(name)));
  return rest
    .filter((row) => row.some((one) => one !== null))
    .map((row) => Object.fromEntries(keys.map((key, at) => [key, row[at] ?? null])));
}

/** Places of a table that is laid out. */
const mostDrawn = 1_000_000;

function tableOf(grid: Grid, call: Call): Block {
  if (grid.rows.length * grid.columns > mostDrawn)
    throw new Failure(
      `a table of ${grid.rows.length} rows and ${grid.columns} columns is too large for this`,
      {
        hint: "take a part of it with --range A1:H1000, or read it as CSV or JSON",
      },
    );
  const text = (cell: Cell | undefined): Block => ({
    kind: "paragraph",
    inlines: [
      {
        kind: "text",
        text: cell === undefined ? "" : showsFormula(cell, call) ? `=${cell.formula}` : cell.shown,
      },
    ],
    ...(typeof cell?.value === "number" ? { align: "right" as const } : {}),
  });
  const spans = new Map<string, { columns: number; rows: number }>();
  const covered = new Set<string>();
  for (const { from, to } of grid.extras.merges.slice(0, 5000)) {
    const [rows, columns] = [
      Math.min(to.row - from.row + 1, 500),
      Math.min(to.column - from.column + 1, 200),
    ];
    spans.set(`${from.row}:${from.column}`, { columns, rows });
    for (let row = 0; row < rows; row += 1)
      for (let column = 0; column < columns; column += 1)
        if (row + column > 0) covered.add(`${from.row + row}:${from.column + column}`);
  }
  return {
    kind: "table",
    borders: true,
    widths: [],
    rows: grid.rows.map((row, at) => ({
      header: at === 0,
      cells: Array.from({ length: grid.columns }, (_, column) => column)
        .filter((column) => !covered.has(`${at}:${column}`))
        .map((column) => ({
          blocks: [text(row[column])],
          columns: 1,
          rows: 1,
          ...spans.get(`${at}:${column}`),
          ...(at === 0 ? { shade: "deeaf6" } : {}),
        })),
    })),
  };
}

interface Reading {
  readonly sheets: readonly SheetInfo[];
  readonly call: Call;
}

function warnOfResults(book: Workbook, sheets: readonly SheetInfo[], call: Call): void {
  let empty = 0;
  for (const sheet of sheets)
    readSheet(book, sheet, (cell) => {
      if (cell.formula !== null && cell.value === null) empty += 1;
    });
  if (empty > 0)
    call.warn(
      `${empty} formulas have no stored result: they stand there themselves; open and save the file in a spreadsheet program first (soffice --headless --convert-to xlsx --outdir FOLDER FILE)`,
    );
}

function sheetsOf(book: Workbook, call: Call): readonly SheetInfo[] {
  if (call.flag("all")) return book.sheets;
  const sheet = pickSheet(book, call.text("sheet"));
  if (call.text("sheet") === undefined && book.sheets.length > 1)
    call.warn(
      `only the sheet "${sheet.name}" of ${book.sheets.length}; --all takes all, --sheet NAME another`,
    );
  return [sheet];
}

function markdownOf(book: Workbook, { sheets, call }: Reading): string {
  return sheets
    .map((sheet) => {
      const grid = gridOf(book, sheet, call);
      const most = call.number("rows", { min: 1, max: 1_048_576 }) ?? 1000;
      const shown = { ...grid, rows: grid.rows.slice(0, most) };
      const table =
        grid.rows.length === 0
          ? "(empty)\n"
          : writeMarkdown([tableOf(shown, call)], [], { picture: () => null, changes: "accept" });
      const more =
        grid.rows.length > most ? `\n${grid.rows.length - most} more rows; --rows N shows more.\n` : "";
      return `## ${sheet.name}\n\n${table}${more}`;
    })
    .join("\n");
}

function read(call: Call): void {
  const path = call.needed(0, "the workbook");
  const book = open(path);
  const format = call.text("format") ?? "markdown";
  const sheets = sheetsOf(book, call);
  if (!call.flag("formulas")) warnOfResults(book, sheets, call);
  const single = (): Grid => gridOf(book, sheets[0] as SheetInfo, call);
  let text: string;
  if (format === "markdown") text = markdownOf(book, { sheets, call });
  else if (format !== "json" && sheets.length > 1)
    throw usage(
      `--all is for markdown and json; convert FILE.xlsx OUT.csv --all writes a file for each sheet`,
    );
  else if (format === "csv" || format === "tsv")
    text = csvOf(single(), { call, delimiter: format === "csv" ? "," : "\t" });
  else if (format === "json")
    text = `${JSON.stringify(call.flag("all") ? Object.fromEntries(book.sheets.map((sheet) => [sheet.name, jsonOf(gridOf(book, sheet, call), call)])) : jsonOf(single(), call))}\n`;
  else throw usage(`--format is markdown, csv, tsv or json, not "${format}"`);
  const out = call.text("out");
  if (out === undefined) call.print(text);
  else call.write([{ path: out, bytes: text }]);
}

function info(call: Call): void {
  const path = call.needed(0, "the workbook");
  const book = open(path);
  const sheets = book.sheets.map((sheet) => {
    let [rows, columns, cells, formulas, noResult] = [0, 0, 0, 0, 0];
    const errors: string[] = [];
    const header: string[] = [];
    const { merges } = readSheet(book, sheet, (cell) => {
      rows = Math.max(rows, cell.row + 1);
      columns = Math.max(columns, cell.column + 1);
      cells += 1;
      if (cell.row === 0 && cell.column < 60) header[cell.column] = cell.shown;
      if (cell.formula !== null) formulas += 1;
      if (cell.formula !== null && cell.value === null) noResult += 1;
      if (
        typeof cell.value === "string" &&
        /^#(?:REF!|DIV\/0!|N\/A|NAME\?|VALUE!|NUM!|NULL!|SPILL!)$/.test(cell.value) &&
        errors.length < 20
      )
        errors.push(`${cellName(cell)} ${cell.value}`);
    });
    return {
      name: sheet.name,
      hidden: sheet.hidden,
      rows,
      columns,
      cells,
      formulas,
      formulasWithoutResult: noResult,
      errors,
      merged: merges.length,
      firstRow: [...header].map((one) => one ?? ""),
    };
  });
  call.print(
    JSON.stringify(
      { file: path, sheets, names: book.names.filter(({ name }) => !name.startsWith("_xlnm")) },
      null,
      2,
    ),
  );
}

function headerRows(call: Call): number {
  return call.flag("no-header") ? 0 : 1;
}

function build(out: string, inputs: readonly string[], call: Call): void {
  const delimiter = call.text("delimiter");
  const name = call.text("sheet");
  const sheets = inputs.flatMap((input) =>
    sheetsFrom(input, {
      text: call.flag("text"),
      formulas: call.flag("formulas"),
      headerRows: headerRows(call),
      ...(delimiter === undefined ? {} : { delimiter: delimiter === "\\t" ? "\t" : delimiter }),
      ...(name === undefined ? {} : { name }),
    }),
  );
  call.write([{ path: out, bytes: writeWorkbook(sheets, {}) }]);
  call.print(sheets.map((sheet) => `${sheet.name}: ${sheet.rows.length} rows`).join("\n"));
}

function create(call: Call): void {
  const out = call.needed(0, "the output");
  const inputs = call.texts("from");
  if (inputs.length === 0)
    throw usage("--from FILE is missing: a .csv, .tsv, .json or .md file; may be repeated");
  build(out, inputs, call);
}

function convert(call: Call): void {
  const [from, to] = [call.needed(0, "the input"), call.needed(1, "the output")];
  const [source, target] = [extname(from).toLowerCase(), extname(to).toLowerCase()];
  if (target === ".xlsx") {
    if (![".csv", ".tsv", ".txt", ".json", ".md"].includes(source))
      throw usage(`cannot convert "${source}" to .xlsx`, "known: .csv, .tsv, .json, .md");
    build(to, [from], call);
    return;
  }
  const book = [".csv", ".tsv"].includes(source)
    ? openWorkbook(
        OfficePackage.open(
          writeWorkbook(sheetsFrom(from, { text: true, formulas: false, headerRows: 1 })),
          from,
        ),
      )
    : open(from);
  const sheets = sheetsOf(book, call);
  if (!call.flag("formulas")) warnOfResults(book, sheets, call);
  if (target === ".csv" || target === ".tsv") {
    const delimiter = call.text("delimiter") ?? (target === ".csv" ? "," : "\t");
    const mark = call.flag("bom") ? "\uFEFF" : "";
    const names = uniqueNames(sheets.map(({ name }) => name));
    const file = (at: number): string =>
      sheets.length === 1 ? to : `${to.slice(0, -target.length)}-${names[at]}${target}`;
    call.write(
      sheets.map((sheet, at) => ({
        path: file(at),
        bytes: mark + csvOf(gridOf(book, sheet, call), { call, delimiter }),
      })),
    );
  } else if (target === ".json")
    call.write([
      {
        path: to,
        bytes: `${JSON.stringify(sheets.length === 1 ? jsonOf(gridOf(book, sheets[0] as SheetInfo, call), call) : Object.fromEntries(sheets.map((sheet) => [sheet.name, jsonOf(gridOf(book, sheet, call), call)])), null, 1)}\n`,
      },
    ]);
  else if (target === ".md") call.write([{ path: to, bytes: markdownOf(book, { sheets, call }) }]);
  else if (target === ".pdf") toPdf(to, { book, sheets, call });
  else throw usage(`cannot convert to "${target}"`, "known: .csv, .tsv, .json, .md, .pdf, .xlsx");
}

function toPdf(to: string, { book, sheets, call }: Reading & { readonly book: Workbook }): void {
  const page = pageOf(call);
  const document: TextDocument = {
    title: "",
    author: "",
    sections: sheets.map((sheet) => {
      const grid = gridOf(book, sheet, call);
      const wide = grid.columns > 6 && page.width < page.height && !call.flag("landscape");
      const setup = wide ? { ...page, width: page.height, height: page.width } : page;
      return {
        page: { ...setup, left: 36, right: 36, top: 48, bottom: 48 },
        header: [],
        footer: [],
        blocks: [
          { kind: "paragraph", heading: 2, inlines: [{ kind: "text", text: sheet.name }] },
          ...(grid.rows.length > 0 ? [tableOf(grid, call)] : []),
        ],
      };
    }),
    notes: [],
    fontSize: call.number("size", { min: 4, max: 30, fraction: true }) ?? 9,
    font: "sans",
  };
  const { bytes, pages, warnings } = drawDocument(document, { ...fontSettings(call), pageNumbers: true });
  for (const warning of warnings) call.warn(warning);
  call.write([{ path: to, bytes }]);
  call.print(`${pages} page${pages === 1 ? "" : "s"}`);
}

function parseEdit(text: string): { readonly sheet: string | undefined; readonly edit: CellEdit } {
  const found = /^(?:(?:'((?:[^']|'')+)'|([^!=]+))!)?(\$?[A-Za-z]{1,3}\$?\d+)=([\s\S]*)$/.exec(text);
  const place = found ? parseCell(found[3] ?? "") : null;
  if (found === null || place === null)
    throw usage(`"${text}" is no cell: write B2=VALUE or 'Sheet name'!B2=VALUE`);
  const value = found[4] ?? "";
  const cell: NewCell = typedCell(value, { text: false, formulas: true }) ?? { value: null };
  return {
    sheet: found[1]?.replaceAll("''", "'") ?? found[2],
    edit: {
      place,
      ...settingOf(cell),
    },
  };
}

/** What a cell is set to: dates become numbers. */
function settingOf(cell: NewCell): Omit<CellEdit, "place"> {
  const formula = cell.formula === undefined ? {} : { formula: cell.formula };
  const serial = typeof cell.value === "string" && cell.format !== undefined ? serialOf(cell.value) : null;
  return serial === null ? { value: cell.value, ...formula } : { value: serial, date: true };
}

function set(call: Call): void {
  const [path, out] = [call.needed(0, "the workbook"), call.needed(1, "the output")];
  const book = open(path);
  const edits = call.texts("cell").map(parseEdit);
  const data = call.text("data");
  if (data !== undefined) {
    const values = readJson(data);
    if (typeof values !== "object" || values === null || Array.isArray(values))
      throw usage('--data is an object: {"B2": 5, "Sheet2!C3": "text"}');
    for (const [key, value] of Object.entries(values)) {
      const target = parseEdit(`${key}=`);
      const cell = jsonCell(value, { format: undefined, options: { text: false, formulas: true } }) ?? {
        value: null,
      };
      edits.push({
        sheet: target.sheet,
        edit: {
          place: target.edit.place,
          ...settingOf(cell),
        },
      });
    }
  }
  if (edits.length === 0) throw usage("nothing to set: give --cell B2=VALUE or --data");
  const bySheet = new Map<string, { readonly sheet: SheetInfo; readonly edits: CellEdit[] }>();
  for (const { sheet, edit } of edits) {
    const info = pickSheet(book, sheet ?? call.text("sheet"));
    const entry = bySheet.get(info.part) ?? { sheet: info, edits: [] };
    entry.edits.push(edit);
    bySheet.set(info.part, entry);
  }
  for (const { sheet, edits: own } of bySheet.values()) {
    const covered = setCells(book, sheet, own);
    if (covered.length > 0)
      call.warn(`a merged cell covers ${covered.slice(0, 10).join(", ")}: what was set there is not shown`);
  }
  finish(book, out, call);
  call.print(`${edits.length} cell${edits.length === 1 ? "" : "s"} set`);
}

function finish({ pack }: Workbook, out: string, call: Call): void {
  const book = openWorkbook(pack);
  followHeadings(book);
  forgetResults(book);
  call.write([{ path: out, bytes: pack.save() }]);
}

function append(call: Call): void {
  const [path, out, from] = [call.needed(0, "the workbook"), call.needed(1, "the output"), call.text("from")];
  if (from === undefined) throw usage("--from FILE.csv or .json is missing");
  const book = open(path);
  const sheet = pickSheet(book, call.text("sheet"));
  const [source] = sheetsFrom(from, { text: call.flag("text"), formulas: false, headerRows: 0 });
  const skip = call.flag("skip-header") || source?.headerRows === 1 ? 1 : 0;
  const rows = (source?.rows ?? [])
    .slice(skip)
    .map((row) => row.map((cell) => (cell === null ? null : settingOf(cell))));
  const at = appendRows(book, sheet, rows);
  finish(book, out, call);
  call.print(`${rows.length} rows added from row ${at + 1}`);
}

function replace(call: Call): void {
  const [path, out] = [call.needed(0, "the workbook"), call.needed(1, "the output")];
  const [find, value] = [call.text("find"), call.text("with")];
  if (!find || value === undefined) throw usage("--find TEXT and --with TEXT are needed");
  const book = open(path);
  const count = replaceInCells(book, {
    find: literalPattern(find, call.flag("ignore-case")),
    value: () => value,
  });
  if (count === 0) throw new Failure(`nothing found: ${find}`);
  finish(book, out, call);
  call.print(`${count} replaced`);
}

function fill(call: Call): void {
  const [path, out, given] = [
    call.needed(0, "the workbook"),
    call.needed(1, "the output"),
    call.text("data"),
  ];
  if (given === undefined) throw usage("--data is missing: a JSON file, or JSON itself");
  const data = readJson(given) as Readonly<Record<string, unknown>>;
  const book = open(path);
  const missing = new Set<string>();
  const known = (name: string): unknown =>
    name
      .split(".")
      .reduce<unknown>(
        (value, part) =>
          typeof value === "object" && value !== null && Object.hasOwn(value, part)
            ? (value as Record<string, unknown>)[part]
            : undefined,
        data,
      );
  // A cell that is nothing but a placeholder takes the value's own kind.
  let count = 0;
  for (const sheet of book.sheets) {
    const edits: CellEdit[] = [];
    readSheet(book, sheet, (cell) => {
      const name =
        typeof cell.value === "string" ? /^\{\{\s*([^{}]+?)\s*\}\}$/.exec(cell.value)?.[1] : undefined;
      const value = name === undefined ? undefined : known(name);
      if (typeof value === "number" || typeof value === "boolean") edits.push({ place: cell, value });
    });
    if (edits.length > 0) setCells(book, sheet, edits);
    count += edits.length;
  }
  count += replaceInCells(book, {
    find: /\{\{\s*([^{}]+?)\s*\}\}/gu,
    value: ([, name = ""]) => {
      const value = known(name);
      if (value === undefined) missing.add(name);
      return value === undefined ? null : value === null ? "" : String(value);
    },
  });
  if (missing.size > 0) call.warn(`without a value, left as they are: ${[...missing].join(", ")}`);
  if (count === 0) throw new Failure("nothing was filled: no cell has a placeholder {{name}} of these names");
  finish(book, out, call);
  call.print(`${count} filled`);
}

function sheet(call: Call): void {
  const [path, out] = [call.needed(0, "the workbook"), call.needed(1, "the output")];
  const book = open(path);
  const [wanted, name] = [call.text("rename"), call.text("to")];
  if (wanted !== undefined) {
    if (name === undefined) throw usage("--to NAME is missing");
    if (uniqueNames([name])[0] !== name)
      throw usage(`"${name}" is no name Excel allows: at most 31 characters, none of [ ] : * ? / \\`);
    if (book.sheets.some((one) => one.name.toLowerCase() === name.toLowerCase() && one.name !== wanted))
      throw usage(`there is a sheet "${name}" already`);
    renameSheet(book, pickSheet(book, wanted), name);
  }
  const doomed = call.texts("delete");
  for (const one of doomed) {
    const now = openWorkbook(book.pack);
    const users = deleteSheet(now, pickSheet(now, one));
    if (users.length > 0)
      call.warn(
        `what referred to "${one}" is #REF! now: ${users.slice(0, 10).join(", ")}${users.length > 10 ? ` and ${users.length - 10} more` : ""}`,
      );
  }
  if (wanted === undefined && doomed.length === 0)
    throw usage("--rename OLD --to NEW or --delete NAME is needed");
  finish(book, out, call);
}

/** A sheet of one workbook as a new sheet with its values, formulas and number formats. */
function copied(book: Workbook, sheet: SheetInfo, rows?: readonly number[]): NewSheet {
  const grid = readGrid(book, sheet);
  const wanted = rows ? rows.map((row) => grid.rows[row] ?? []) : grid.rows;
  const one = (cell: Cell | undefined): NewCell | null => {
    if (cell === undefined) return null;
    const code = book.formats[cell.style]?.code ?? "General";
    return {
      value: cell.value,
      ...(code === "General" ? {} : { format: code }),
      ...(cell.formula && !rows ? { formula: cell.formula } : {}),
    };
  };
  const widths = Array.from({ length: grid.columns }, (_, at) => grid.extras.widths.get(at));
  const merges = rows ? [] : grid.extras.merges.map(({ from, to }) => `${cellName(from)}:${cellName(to)}`);
  return {
    name: sheet.name,
    rows: wanted.map((row) => Array.from({ length: grid.columns }, (_, at) => one(row[at]))),
    headerRows: 1,
    widths,
    merges,
    filter: false,
  };
}

function merge(call: Call): void {
  const [out, ...inputs] = [call.needed(0, "the output"), ...call.positionals.slice(1)];
  if (inputs.length < 2) throw usage("name at least two workbooks to merge");
  const sheets = inputs.flatMap((path) => {
    if (/\.(?:csv|tsv)$/i.test(path))
      return sheetsFrom(path, { text: false, formulas: false, headerRows: 1 });
    const book = open(path);
    return book.sheets.map((one) => copied(book, one));
  });
  if (call.flag("stack")) {
    const [first, ...rest] = sheets;
    const key = (row: readonly (NewCell | null)[] | undefined): string =>
      JSON.stringify(row?.map((cell) => cell?.value ?? null));
    const different = rest.find((one) => key(one.rows[0]) !== key(first?.rows[0]));
    if (different)
      throw new Failure(
        `the sheets cannot be stacked: "${different.name}" has other headings than "${first?.name}"`,
      );
    const rows = sheets.flatMap((one, at) => (at === 0 ? one.rows : one.rows.slice(1)));
    call.write([{ path: out, bytes: writeWorkbook([{ ...(first as NewSheet), rows, merges: [] }]) }]);
  } else call.write([{ path: out, bytes: writeWorkbook(sheets) }]);
}

function split(call: Call): void {
  const [path, folder] = [call.needed(0, "the workbook"), call.needed(1, "the output folder")];
  const book = open(path);
  const by = call.text("by");
  const safe = (name: string): string =>
    name
      .normalize("NFC")
      .replace(/[\\/:*?"<>|\p{Cc}]+/gu, "-")
      .replace(/^[.\s-]+|[.\s-]+$/g, "") || "empty";
  if (by === undefined) {
    const names = uniqueNames(book.sheets.map(({ name }) => safe(name)));
    call.write(
      book.sheets.map((one, at) => ({
        path: join(folder, `${names[at]}.xlsx`),
        bytes: writeWorkbook([copied(book, one)]),
      })),
    );
    return;
  }
  const sheetInfo = pickSheet(book, call.text("sheet"));
  const { rows } = readGrid(book, sheetInfo);
  const named = rows[0]?.findIndex((cell) => cell?.shown === by) ?? -1;
  const column = named >= 0 ? named : /^[A-Z]{1,3}$/.test(by) ? columnIndex(by) : -1;
  if (column < 0)
    throw new Failure(`there is no column "${by}"`, {
      hint: `the first row has: ${rows[0]?.map((cell) => cell?.shown ?? "").join(", ")}`,
    });
  const groups = new Map<string, number[]>();
  rows.forEach((row, at) => {
    if (at === 0 || row.length === 0) return;
    const key = row[column]?.shown ?? "";
    const own = groups.get(key);
    if (own) own.push(at);
    else groups.set(key, [0, at]);
  });
  if (groups.size > 500)
    throw new Failure(`the column "${by}" has ${groups.size} values; that many files are not made`);
  const names = uniqueNames([...groups.keys()].map(safe));
  call.write(
    [...groups.values()].map((own, at) => ({
      path: join(folder, `${names[at]}.xlsx`),
      bytes: writeWorkbook([copied(book, sheetInfo, own)]),
    })),
  );
}

const picking = {
  sheet: { value: "NAME", help: "sheet by name or number from 1 (the first visible one)" },
  range: { value: "A1:C9", help: "these cells alone" },
  formulas: { help: "formulas in place of their results" },
  formatted: { help: "numbers as their format shows them" },
};

const building = {
  text: { help: "keep every value as text" },
  delimiter: { value: "SIGN", help: "what separates the fields of a CSV file (found by itself)" },
  "no-header": { help: "the first row is no heading" },
};

await runProgram({
  name: "xlsx",
  about: "Reads, creates, edits and converts Excel workbooks (.xlsx) and CSV. Needs Node.js alone.",
  commands: {
    read: {
      usage: "FILE.xlsx",
      summary: "print a sheet as a Markdown table, CSV, TSV or JSON",
      options: {
        format: { value: "FORMAT", help: "markdown (default), csv, tsv or json" },
        out: { value: "FILE", short: "o", help: "write it there" },
        all: { help: "all sheets (markdown, json)" },
        rows: { value: "N", help: "for Markdown: at most so many rows (1000)" },
        records: { help: "for JSON: objects by the first row's names" },
        safe: { help: "for CSV: mark text that would run as a formula" },
        ...picking,
      },
      run: read,
    },
    info: {
      usage: "FILE.xlsx",
      summary: "print sheets, sizes, headings, formulas, error values and names as JSON",
      run: info,
    },
    create: {
      usage: "OUT.xlsx --from FILE",
      summary: "make a workbook from CSV, TSV, JSON or the tables of Markdown",
      options: {
        from: { value: "FILE", multiple: true, help: "input; each becomes a sheet" },
        sheet: { value: "NAME", help: "name of the sheet" },
        formulas: { help: "CSV text that begins with = is a formula" },
        ...building,
      },
      notes: [
        'JSON: rows [[…]], records [{…}], or {"sheets": [{"name", "rows" | "records", "columns": [{"header", "key", "width", "format"}], "merges"}]};',
        'a cell may be {"value", "formula", "format", "bold", "fill", "color", "align"}; text that begins with = is a formula.',
      ],
      run: create,
    },
    convert: {
      usage: "INPUT OUTPUT",
      summary:
        "convert by file endings: .xlsx to .csv, .tsv, .json, .md, .pdf; .csv, .tsv, .json, .md to .xlsx",
      options: {
        all: { help: "all sheets" },
        records: { help: "for JSON: objects by the first row's names" },
        bom: { help: "for CSV: a mark so that Excel reads UTF-8" },
        safe: { help: "for CSV: mark text that would run as a formula" },
        ...picking,
        ...building,
        ...fontOptions,
        ...pageOptions,
      },
      run: convert,
    },
    set: {
      usage: "IN.xlsx OUT.xlsx --cell B2=5",
      summary: "set cells; their style stays",
      options: {
        cell: {
          value: "REF=VALUE",
          multiple: true,
          help: "B2=5, B3==SUM(B1:B2), 'My sheet'!C1=text; may be repeated",
        },
        data: { value: "JSON", help: 'many at once: {"B2": 5, "Sheet2!C3": "=A1*2"}' },
        sheet: { value: "NAME", help: "sheet of cells that name none" },
      },
      run: set,
    },
    append: {
      usage: "IN.xlsx OUT.xlsx --from ROWS.csv",
      summary: "add rows below the last one, in its style",
      options: {
        from: { value: "FILE", help: "rows as CSV or JSON" },
        sheet: picking.sheet,
        "skip-header": { help: "leave out the first row of the file" },
        text: building.text,
      },
      run: append,
    },
    replace: {
      usage: "IN.xlsx OUT.xlsx --find OLD --with NEW",
      summary: "replace text in cells",
      options: {
        find: { value: "TEXT", help: "what to look for" },
        with: { value: "TEXT", help: "what takes its place" },
        "ignore-case": { help: "upper and lower case are equal" },
      },
      run: replace,
    },
    fill: {
      usage: "IN.xlsx OUT.xlsx --data DATA.json",
      summary: "fill placeholders {{name}}; numbers become numbers",
      options: { data: { value: "JSON", help: "a JSON file, or JSON itself" } },
      run: fill,
    },
    sheet: {
      usage: "IN.xlsx OUT.xlsx --rename OLD --to NEW",
      summary: "rename or delete sheets",
      options: {
        rename: { value: "NAME", help: "sheet to rename" },
        to: { value: "NAME", help: "its new name" },
        delete: { value: "NAME", multiple: true, help: "sheet to delete" },
      },
      run: sheet,
    },
    merge: {
      usage: "OUT.xlsx A.xlsx B.xlsx …",
      summary: "put the sheets of several workbooks into one (values, formulas, number formats, widths)",
      options: { stack: { help: "one sheet: rows below each other; headings must be equal" } },
      run: merge,
    },
    split: {
      usage: "IN.xlsx FOLDER",
      summary: "one workbook for each sheet, or with --by for each value of a column",
      options: { by: { value: "COLUMN", help: "heading or letter of the column" }, sheet: picking.sheet },
      run: split,
    },
  },
});
