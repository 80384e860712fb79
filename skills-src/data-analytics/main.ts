import { type Call, type OptionSpec, type Program, runProgram } from "../common/command.ts";
import { usage } from "../common/failure.ts";
import { type ChartOptions, chartSvg } from "./chart.ts";
import { type OpenDatabase, openDatabase } from "./database.ts";
import { formatTable, shownCell, type TableFormat, tableFormats } from "./format-table.ts";
import { profileTable, type TableProfile } from "./profile.ts";
import { csvOptions } from "./read-table.ts";
import { limited, supervise } from "./supervise.ts";
import type { Table } from "./table.ts";

const reading: Readonly<Record<string, OptionSpec>> = {
  delimiter: {
    value: "SIGN",
    help: "of CSV files: a sign, tab, comma, semicolon, pipe (default: found out)",
  },
  "no-header": { help: "CSV files have no row of names; columns are column_1, …" },
};

const timeout: OptionSpec = { value: "SECONDS", help: "stop a query after that time (default 60)" };

const fileNotes = [
  "FILE is CSV, TSV, JSON (a list of objects), JSON Lines or SQLite. Its table is named after it; NAME=FILE gives another name.",
  "Numbers with a leading zero stay texts. Empty cells, NA, null, none and - in columns of numbers are NULL.",
];

const program: Program = {
  name: "data-analytics",
  about: "Profiles, queries and draws data in files. Source files are never changed.",
  commands: {
    profile: {
      usage: "FILE… [options]",
      summary: "columns, types, gaps, ranges, doubles, and what looks wrong",
      options: { ...reading, json: { help: "as JSON" } },
      notes: fileNotes,
      run: profile,
    },
    query: {
      usage: "SQL FILE… [options]",
      summary: "run SQL (SQLite) over files",
      options: {
        ...reading,
        format: { value: "F", help: `${tableFormats.join(", ")} (default text, or by the ending of --out)` },
        out: { value: "FILE", help: "write the result to a file" },
        rows: { value: "N", help: "show at most N rows as text (default 100)" },
        timeout,
      },
      notes: [
        ...fileNotes,
        "Several statements may be given, e.g. a CREATE VIEW first; the rows of the last one are the result.",
      ],
      run: query,
    },
    chart: {
      usage: "KIND FILE… --x COLUMN [--y COLUMN] [options]",
      summary: "draw an SVG: bar, line, scatter or hist",
      options: {
        ...reading,
        x: { value: "COLUMN", help: "labels, time or number" },
        y: { value: "COLUMN", help: "numbers" },
        by: { value: "COLUMN", help: "one series for each value (line, scatter)" },
        sql: { value: "SQL", help: "draw the result of a query" },
        title: { value: "TEXT", help: "what it says" },
        source: { value: "TEXT", help: "line below it" },
        width: { value: "PIXELS", help: "default 860" },
        height: { value: "PIXELS", help: "default 480" },
        bins: { value: "N", help: "columns of a hist" },
        out: { value: "FILE.svg", help: "default chart.svg" },
        timeout,
      },
      notes: fileNotes,
      run: chart,
    },
  },
};

await supervise(program.name, () => runProgram(program));

/** Rows of a statement, within the time that it may take. */
function ask(
  call: Call,
  { database, sql }: { readonly database: OpenDatabase; readonly sql: string },
): Table {
  return limited(call.number("timeout", { min: 1, max: 86_400 }) ?? 60, () => database.query(sql));
}

async function open(call: Call, files: readonly string[]): Promise<OpenDatabase> {
  const database = await openDatabase(files, csvOptions(call.text("delimiter"), !call.flag("no-header")));
  for (const note of database.notes) call.warn(note);
  return database;
}

async function profile(call: Call): Promise<void> {
  call.needed(0, "the file");
  const database = await open(call, call.positionals);
  const profiles = database.tables.map((name) => ({
    ...profileTable(database.query(`SELECT * FROM "${name.replaceAll('"', '""')}"`)),
    name,
  }));
  database.close();
  if (call.flag("json")) call.print(JSON.stringify({ version: 1, tables: profiles }, null, 2));
  else call.print(profiles.map(profileText).join("\n"));
}

function profileText(table: TableProfile): string {
  const rows = table.columns.map((column) => [
    shownCell(column.name),
    column.type,
    table.rows === 0 ? "" : `${Math.floor((100 * column.filled) / table.rows)}%`,
    column.distinct,
    contents(column),
  ]);
  const remarks = [
    ...(table.doubledRows > 0 ? [`${table.doubledRows} rows are doubles of others`] : []),
    ...table.remarks,
    ...table.columns.flatMap(({ name, remarks }) => remarks.map((remark) => `${shownCell(name)}: ${remark}`)),
  ];
  return [
    `${table.name}: ${table.rows} rows, ${table.columns.length} columns${table.keys.length > 0 ? `, key: ${table.keys.join(" or ")}` : ""}`,
    "",
    formatTable(
      { name: "", columns: ["column", "type", "filled", "distinct", "contents"], rows, notes: [] },
      "text",
    ),
    ...(remarks.length > 0 ? ["Look at:", ...remarks.map((remark) => `- ${remark}`), ""] : []),
  ].join("\n");
}

function contents(column: TableProfile["columns"][number]): string {
  const { numbers, range, top, distinct, filled } = column;
  if (numbers !== null)
    return `${shownCell(numbers.min)} … ${shownCell(numbers.median)} … ${shownCell(numbers.max)}, mean ${Number(numbers.mean.toPrecision(5))}`;
  if (range !== null) return `${range[0]} to ${range[1]}`;
  if (distinct === filled)
    return top
      .slice(0, 2)
      .map(({ value }) => value)
      .join(", ");
  return top
    .slice(0, 3)
    .map(({ value, count }) => `${value} (${count})`)
    .join(", ");
}

async function query(call: Call): Promise<void> {
  const sql = call.needed(0, "the SQL");
  call.needed(1, "the file");
  const out = call.text("out");
  const format =
    call.text("format") ?? (out === undefined ? "text" : (/\.(\w+)$/.exec(out)?.[1]?.toLowerCase() ?? "csv"));
  if (!tableFormats.some((one) => one === format))
    throw usage(`"${format}" is no format`, tableFormats.join(", "));
  const database = await open(call, call.positionals.slice(1));
  const table = ask(call, { database, sql });
  database.close();
  if (out !== undefined) {
    call.write([{ path: out, bytes: formatTable(table, format as TableFormat) }]);
    call.print(`${table.rows.length} rows`);
    return;
  }
  const limit =
    format === "text" ? (call.number("rows", { min: 1, max: 10_000_000 }) ?? 100) : table.rows.length;
  if (table.columns.length > 0)
    call.print(formatTable({ ...table, rows: table.rows.slice(0, limit) }, format as TableFormat));
  if (table.rows.length > limit)
    call.print(`… ${table.rows.length - limit} more rows; --rows shows them, --out writes all`);
}

async function chart(call: Call): Promise<void> {
  const kind = call.needed(0, "the kind of chart");
  const kinds: readonly ChartOptions["kind"][] = ["bar", "line", "scatter", "hist"];
  const known = kinds.find((one) => one === kind);
  if (known === undefined) throw usage(`"${kind}" is no kind of chart`, kinds.join(", "));
  call.needed(1, "the file");
  const x = call.text("x");
  if (x === undefined) throw usage("--x is missing");
  const database = await open(call, call.positionals.slice(1));
  const [first, second] = database.tables;
  const sql = call.text("sql");
  if (sql === undefined && second !== undefined)
    throw usage("there are several tables", "say with --sql what to draw");
  const table = ask(call, {
    database,
    sql: sql ?? `SELECT * FROM "${(first ?? "").replaceAll('"', '""')}"`,
  });
  database.close();
  const y = call.text("y") ?? null;
  const svg = chartSvg(table, {
    kind: known,
    x,
    y,
    by: call.text("by") ?? null,
    title: call.text("title") ?? (y === null ? x : `${y} by ${x}`),
    source: call.text("source") ?? "",
    width: call.number("width", { min: 200, max: 4000 }) ?? 860,
    height: call.number("height", { min: 200, max: 4000 }) ?? 480,
    bins: call.number("bins", { min: 1, max: 200 }) ?? null,
  });
  call.write([{ path: call.text("out") ?? "chart.svg", bytes: svg }]);
}
