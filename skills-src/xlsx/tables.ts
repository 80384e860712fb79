import { Failure } from "../common/failure.ts";
import { all, attr, attrNumber, child, type Element } from "../common/xml.ts";
import { type CellPlace, type CellRange, cellName, parseRange } from "./cells.ts";
import { readSheet, type SheetInfo, unescapeText, type Workbook } from "./read-workbook.ts";
import { changeFormulas } from "./references.ts";

interface Table {
  readonly part: string;
  readonly root: Element;
  readonly name: string;
  readonly range: CellRange;
  readonly header: boolean;
  readonly totals: boolean;
}

/** Tables of a sheet: ranges whose headings are stored a second time. */
function tablesOf({ pack }: Workbook, sheet: SheetInfo): readonly Table[] {
  return pack.relations(sheet.part).flatMap(({ type, target, external }) => {
    if (external || !type.endsWith("/table") || !pack.has(target)) return [];
    const root = pack.xml(target).documentElement as Element;
    const range = parseRange(attr(root, "ref") ?? "");
    if (range === null) return [];
    return [
      {
        part: target,
        root,
        name: attr(root, "displayName") ?? attr(root, "name") ?? "",
        range,
        header: (attrNumber(root, "headerRowCount") ?? 1) > 0,
        totals: (attrNumber(root, "totalsRowCount") ?? 0) > 0,
      },
    ];
  });
}

/** Tells whether a cell is a heading of a table; such a cell holds text. */
export function headingTest(book: Workbook, sheet: SheetInfo): (place: CellPlace) => boolean {
  const tables = tablesOf(book, sheet).filter(({ header }) => header);
  return ({ row, column }) =>
    tables.some(
      ({ range: { from, to } }) => row === from.row && column >= from.column && column <= to.column,
    );
}

/** Gives the columns of tables the names that their headings have now, also in formulas that refer to them. */
export function followHeadings(book: Workbook): void {
  for (const sheet of book.sheets) {
    const tables = tablesOf(book, sheet).filter(({ header }) => header);
    if (tables.length === 0) continue;
    const rows = new Set(tables.map(({ range }) => range.from.row));
    const headings = new Map<string, string>();
    readSheet(book, sheet, (cell) => {
      if (rows.has(cell.row)) headings.set(cellName(cell), cell.shown);
    });
    for (const table of tables) followTable(book, table, headings);
  }
}

function followTable(book: Workbook, table: Table, headings: ReadonlyMap<string, string>): void {
  const { row, column } = table.range.from;
  const renamed = new Map<string, string>();
  const taken = new Set<string>();
  all(book.pack.xml(table.part), "tableColumn").forEach((one, at) => {
    const place = cellName({ row, column: column + at });
    const old = unescapeText(attr(one, "name") ?? "");
    const name = headings.get(place) ?? "";
    if (name === "")
      throw new Failure(`${place} is a heading of the table "${table.name}" and cannot be empty`);
    if (taken.has(name.toLowerCase()))
      throw new Failure(`${place} would be a second heading "${name}" of the table "${table.name}"`);
    taken.add(name.toLowerCase());
    if (name === old) return;
    renamed.set(old, name);
    one.setAttribute(
      "name",
      name.replace(/[\n\r\t]/g, (sign) => `_x${sign.charCodeAt(0).toString(16).padStart(4, "0")}_`),
    );
  });
  if (renamed.size === 0) return;
  book.pack.touch(table.part);
  const special = (name: string): string => name.replace(/[[\]#']/g, "'$&");
  const inBrackets = new RegExp(
    `(?<![\\p{L}\\p{N}_.])${table.name.replace(/[\\.]/g, "\\$&")}\\[(?:[^[\\]']|'.|\\[(?:[^[\\]']|'.)*\\])*\\]`,
    "giu",
  );
  changeFormulas(book, (formula) =>
    formula.replace(inBrackets, (found) =>
      found.replace(/\[(@?)((?:[^[\]'@]|'.)+)\]/g, (all, at: string, inner: string) => {
        const name = renamed.get(inner.replace(/'(.)/g, "$1"));
        return name === undefined ? all : `[${at}${special(name)}]`;
      }),
    ),
  );
}

/** Lets tables that end right above take in new rows. */
export function growTables(
  book: Workbook,
  sheet: SheetInfo,
  rows: { readonly first: number; readonly count: number; readonly columns: number },
): void {
  for (const { part, root, range, totals } of tablesOf(book, sheet)) {
    if (totals || range.to.row !== rows.first - 1 || range.from.column >= rows.columns) continue;
    const reference = `${cellName(range.from)}:${cellName({ ...range.to, row: range.to.row + rows.count })}`;
    root.setAttribute("ref", reference);
    child(root, "autoFilter")?.setAttribute("ref", reference);
    book.pack.touch(part);
  }
}
