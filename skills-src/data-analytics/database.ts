import wasm from "embed:sql.js/dist/sql-wasm.wasm";
import initSqlJs, { type Database } from "sql.js";
import { readInput } from "../common/command.ts";
import { Failure, messageOf, usage } from "../common/failure.ts";
import { unpackBytes } from "../common/unpack-bytes.ts";
import { type CsvOptions, isSqlite, readTable, tableName } from "./read-table.ts";
import type { Cell, Table } from "./table.ts";

export interface OpenDatabase {
  /** Tables in the order of the files. */
  readonly tables: readonly string[];
  readonly notes: readonly string[];
  query(sql: string): Table;
  close(): void;
}

/** More than any table that fits a text file of half a gigabyte. */
const mostRows = 10_000_000;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A database in memory with one table a file; `name=path` names the table. An SQLite file brings its own tables. */
export async function openDatabase(files: readonly string[], csv: CsvOptions): Promise<OpenDatabase> {
  if (files.length === 0) throw usage("no file is named");
  const packed = unpackBytes(wasm);
  const binary = packed.buffer.slice(packed.byteOffset, packed.byteOffset + packed.byteLength) as ArrayBuffer;
  const sql = await initSqlJs({ wasmBinary: binary });
  const named = files.map((file) => {
    const [, name, path] = /^([\p{L}_][\p{L}\p{N}_]*)=(.+)$/u.exec(file) ?? [];
    return name === undefined || path === undefined ? { name: tableName(file), path: file } : { name, path };
  });
  const contents = named.map(({ path }) => readInput(path));
  const own = contents.findIndex(isSqlite);
  if (own >= 0 && contents.length > 1)
    throw usage("an SQLite file is read alone", "its tables can be exported to CSV with `query --out`");
  let database: Database;
  try {
    database = new sql.Database(own >= 0 ? contents[own] : undefined);
    if (own >= 0) database.exec("SELECT count(*) FROM sqlite_master");
  } catch (error) {
    throw new Failure(`${named[own]?.path ?? "the file"} is damaged: ${messageOf(error)}`);
  }
  const notes: string[] = [];
  const tables: string[] = [];
  if (own < 0) {
    for (const { name, path } of named) {
      if (tables.includes(name.toLowerCase()))
        throw usage(`two files would be the table "${name}"`, "name one: other=FILE");
      const table = readTable(path, { name, csv });
      insert(database, table);
      tables.push(name.toLowerCase());
      notes.push(...table.notes.map((note) => `${path}: ${note}`));
    }
  } else {
    const [found] = database.exec(
      "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name",
    );
    tables.push(...(found?.values.map(([name]) => String(name)) ?? []));
  }
  return {
    tables,
    notes,
    close: () => database.close(),
    query(text) {
      try {
        return result(database, text);
      } catch (error) {
        if (error instanceof Failure) throw error;
        const hint = hintFor(messageOf(error), { database, tables });
        throw new Failure(`SQL: ${messageOf(error)}`, hint === null ? {} : { hint });
      }
    },
  };
}

/** Names that there are, for a statement that uses another one. */
function hintFor(
  message: string,
  { database, tables }: { readonly database: Database; readonly tables: readonly string[] },
): string | null {
  if (/no such table/.test(message)) return `tables: ${tables.join(", ")}`;
  if (!/no such column|has no column/.test(message)) return null;
  return tables
    .slice(0, 10)
    .map((table) => {
      const [found] = database.exec(
        `SELECT name FROM pragma_table_info(${`'${table.replaceAll("'", "''")}'`})`,
      );
      const names = found?.values.map(([name]) => String(name)) ?? [];
      const more = names.length > 40 ? `, … (${names.length})` : "";
      return `${table}: ${names.slice(0, 40).join(", ")}${more}`;
    })
    .join("; ");
}

function insert(database: Database, table: Table): void {
  const types = table.columns.map((_, column) =>
    table.rows.some((row) => typeof row[column] === "string") ? "TEXT" : "NUMERIC",
  );
  const columns = table.columns.map((name, index) => `${quoted(name)} ${types[index]}`);
  if (columns.length === 0) throw new Failure(`the table ${table.name} has no columns`);
  database.run(`CREATE TABLE ${quoted(table.name)} (${columns.join(", ")})`);
  database.run("BEGIN");
  const statement = database.prepare(
    `INSERT INTO ${quoted(table.name)} VALUES (${columns.map(() => "?").join(", ")})`,
  );
  for (const row of table.rows) statement.run([...row]);
  statement.free();
  database.run("COMMIT");
}

/** Rows of the last statement; the ones before it may make views and tables in memory. */
function result(database: Database, text: string): Table {
  let columns: readonly string[] = [];
  let rows: Cell[][] = [];
  for (const statement of database.iterateStatements(text)) {
    columns = statement.getColumnNames();
    rows = [];
    while (statement.step()) {
      if (rows.length === mostRows)
        throw new Failure(`the result has more than ${mostRows} rows`, {
          hint: "a join without a condition or a recursion without an end? Add LIMIT or group the rows",
        });
      rows.push(
        statement
          .get()
          .map((cell) =>
            cell instanceof Uint8Array
              ? `(${cell.length} bytes)`
              : typeof cell === "bigint"
                ? Number(cell)
                : cell,
          ),
      );
    }
  }
  return { name: "result", columns, rows, notes: [] };
}
