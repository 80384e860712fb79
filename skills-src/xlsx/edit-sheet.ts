import { Failure } from "../common/failure.ts";
import type { OfficePackage } from "../common/office-package.ts";
import { all, attr, children, descend, type Element, escapeXml } from "../common/xml.ts";
import { type CellPlace, type CellValue, cellName, columnIndex, mostRows, parseCell } from "./cells.ts";
import type { SheetInfo, Workbook } from "./read-workbook.ts";
import { cellXml } from "./write-workbook.ts";

export interface CellEdit {
  readonly place: CellPlace;
  readonly value: CellValue;
  readonly formula?: string;
  /** The number is a date: a cell whose format shows none gets one that does. */
  readonly date?: boolean;
}

interface SheetText {
  readonly before: string;
  rows: string[];
  readonly after: string;
  readonly prefix: string;
}

const rowPattern = (prefix: string): RegExp =>
  new RegExp(`<${prefix}row\\b[^>]*?(?:/>|>[\\s\\S]*?</${prefix}row>)`, "g");
const cellPattern = (prefix: string): RegExp =>
  new RegExp(`<${prefix}c\\b[^>]*?(?:/>|>[\\s\\S]*?</${prefix}c>)`, "g");

/**
 * A sheet's text cut at its rows. Editing works on the text, so that whatever else the sheet has stays byte for byte and
 * a large sheet needs no tree.
 */
function openSheet(text: string, what: string): SheetText {
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
  return {
    before: text.slice(0, from),
    rows: text.slice(from, end).match(rowPattern(prefix)) ?? [],
    after: text.slice(end),
    prefix,
  };
}

const numberOf = (row: string): number | null => {
  const found = /^<[^>]*?\sr="(\d+)"/.exec(row)?.[1];
  return found === undefined ? null : Number(found) - 1;
};

/** Sets cells. A cell that was there keeps its style; a new one takes that of the cell above it. */
export function setCells(book: Workbook, sheet: SheetInfo, edits: readonly CellEdit[]): void {
  const what = `${book.pack.what} (${sheet.name})`;
  const text = openSheet(book.pack.text(sheet.part), what);
  const places = new Map<number, number>();
  let expected = 0;
  text.rows.forEach((row, at) => {
    const number = numberOf(row) ?? expected;
    expected = number + 1;
    places.set(number, at);
  });
  const byRow = new Map<number, CellEdit[]>();
  for (const edit of edits) byRow.set(edit.place.row, [...(byRow.get(edit.place.row) ?? []), edit]);
  const dated = dateStyles(book);
  const added: [number, string][] = [];
  for (const [row, cells] of byRow) {
    const at = places.get(row);
    const above = at === undefined ? undefined : text.rows[places.get(row - 1) ?? -1];
    const old =
      at === undefined ? `<${text.prefix}row r="${row + 1}"></${text.prefix}row>` : (text.rows[at] ?? "");
    const made = editRow(old, { row, cells, prefix: text.prefix, above: above ?? "", dated });
    if (at === undefined) added.push([row, made]);
    else text.rows[at] = made;
  }
  if (added.length > 0) {
    const numbered: [number, string][] = [...places].map(([row, at]) => [row, text.rows[at] ?? ""]);
    text.rows = [...numbered, ...added].sort(([a], [b]) => a - b).map(([, row]) => row);
  }
  book.pack.set(sheet.part, growDimension(text.before, edits) + text.rows.join("") + text.after);
}

interface RowEdit {
  readonly row: number;
  readonly cells: readonly CellEdit[];
  readonly prefix: string;
  readonly above: string;
  readonly dated: (style: number) => number;
}

function editRow(old: string, { row, cells, prefix, above, dated }: RowEdit): string {
  const open = /^<[^>]*>/.exec(old)?.[0] ?? "<row>";
  const head = open.replace(/\s*\/?>$/, ">").replace(/\sspans="[^"]*"/, "");
  const list: [number, string][] = [];
  let expected = 0;
  for (const cell of old.slice(open.length).match(cellPattern(prefix)) ?? []) {
    const reference = /^<[^>]*?\sr="([A-Z]+)\d+"/.exec(cell)?.[1];
    const column = reference === undefined ? expected : columnIndex(reference);
    expected = column + 1;
    list.push([column, cell]);
  }
  for (const { place, value, formula, date } of cells) {
    const at = list.findIndex(([column]) => column === place.column);
    const source = at === -1 ? (styleSource(above, place.column, prefix) ?? "") : (list[at]?.[1] ?? "");
    const old = Number(/^<[^>]*?\ss="(\d+)"/.exec(source)?.[1] ?? 0);
    const style = date ? dated(old) : old;
    const made = cellXml(
      { value, ...(formula === undefined ? {} : { formula }) },
      { name: cellName({ row, column: place.column }), style },
    );
    const prefixed = prefix === "" ? made : made.replace(/<(\/?)(?=[a-z])/g, `<$1${prefix}`);
    if (at === -1) list.push([place.column, prefixed]);
    else list[at] = [place.column, prefixed];
  }
  list.sort(([a], [b]) => a - b);
  return `${head}${list.map(([, cell]) => cell).join("")}</${prefix}row>`;
}

function styleSource(row: string, column: number, prefix: string): string | null {
  for (const cell of row.match(cellPattern(prefix)) ?? []) {
    const reference = /^<[^>]*?\sr="([A-Z]+)\d+"/.exec(cell)?.[1];
    if (reference !== undefined && columnIndex(reference) === column) return cell;
  }
  return null;
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

/** Adds rows below the last one; each cell takes the style of the last row's cell in its column. */
export function appendRows(
  book: Workbook,
  sheet: SheetInfo,
  rows: readonly (readonly (Omit<CellEdit, "place"> | null)[])[],
): number {
  const what = `${book.pack.what} (${sheet.name})`;
  const text = openSheet(book.pack.text(sheet.part), what);
  let last = -1;
  for (const row of text.rows) last = numberOf(row) ?? last + 1;
  if (last + rows.length >= mostRows) throw new Failure(`${what} has no room for ${rows.length} more rows`);
  // A line of totals is no model for rows: the last of the fullest ones is.
  const sizes = text.rows.slice(-20).map((row) => (row.match(cellPattern(text.prefix)) ?? []).length);
  const above = text.rows.slice(-20)[sizes.lastIndexOf(Math.max(0, ...sizes))] ?? "";
  const dated = dateStyles(book);
  const styles = new Map<number, number>();
  for (const cell of above.match(cellPattern(text.prefix)) ?? []) {
    const reference = /^<[^>]*?\sr="([A-Z]+)\d+"/.exec(cell)?.[1];
    const style = /^<[^>]*?\ss="(\d+)"/.exec(cell)?.[1];
    if (reference !== undefined && style !== undefined) styles.set(columnIndex(reference), Number(style));
  }
  const edits: CellEdit[] = [];
  const made = rows.map((row, at) => {
    const number = last + 1 + at;
    const cells = row.map((cell, column) => {
      if (cell === null) return "";
      edits.push({ place: { row: number, column }, value: cell.value });
      const xml = cellXml(cell, {
        name: cellName({ row: number, column }),
        style: cell.date ? dated(styles.get(column) ?? 0) : (styles.get(column) ?? 0),
      });
      return text.prefix === "" ? xml : xml.replace(/<(\/?)(?=[a-z])/g, `<$1${text.prefix}`);
    });
    return `<${text.prefix}row r="${number + 1}">${cells.join("")}</${text.prefix}row>`;
  });
  book.pack.set(
    sheet.part,
    growDimension(text.before, edits) + text.rows.join("") + made.join("") + text.after,
  );
  return last + 1;
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

/** Replaces text in cells, shared or their own; gives how often. Formulas and numbers stay. */
export function replaceInCells(
  book: Workbook,
  find: RegExp,
  value: (match: readonly string[]) => string,
): number {
  let count = 0;
  const inText = (xml: string): string =>
    xml.replace(
      /(<(?:\w+:)?t\b[^>]*>)([^<]*)(<\/(?:\w+:)?t>)/g,
      (_, open: string, text: string, close: string) => {
        const made = unescapeXml(text).replace(find, (...match) => {
          count += 1;
          return value(match.filter((one): one is string => typeof one === "string"));
        });
        return `${open.includes("xml:space") ? open : open.replace(/>$/, ' xml:space="preserve">')}${escapeXml(made)}${close}`;
      },
    );
  const change = (pack: OfficePackage, name: string): void => {
    const old = pack.text(name);
    const before = count;
    const made = inText(old);
    if (count > before) pack.set(name, made);
  };
  const strings = book.pack.related(book.part, "sharedStrings");
  if (strings !== null) change(book.pack, strings);
  for (const sheet of book.sheets)
    if (/inlineStr/.test(book.pack.text(sheet.part))) change(book.pack, sheet.part);
  return count;
}

const unescapeXml = (text: string): string =>
  text.replace(/&(lt|gt|amp|quot|apos|#\d+|#x[\da-f]+);/gi, (all, name: string) => {
    const known = ({ lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" } as Record<string, string>)[name];
    if (known !== undefined) return known;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });

/** Renames a sheet, in formulas and names as well. */
export function renameSheet(book: Workbook, sheet: SheetInfo, name: string): void {
  const { pack, part } = book;
  for (const one of all(pack.xml(part), "sheet"))
    if (attr(one, "name") === sheet.name) one.setAttribute("name", name);
  const quote = (text: string): string =>
    /^[A-Za-z_]\w*$/.test(text) ? text : `'${text.replaceAll("'", "''")}'`;
  const [plain, quoted] = [sheet.name, `'${sheet.name.replaceAll("'", "''")}'`].map((text) =>
    text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"),
  );
  const pattern = new RegExp(`(?<![\\w'.])(?:${quoted}|${plain})!`, "g");
  for (const one of all(pack.xml(part), "definedName"))
    one.textContent = (one.textContent ?? "").replace(pattern, () => `${quote(name)}!`);
  pack.touch(part);
  for (const other of book.sheets) {
    const text = pack.text(other.part);
    const made = text.replace(
      /(<(?:\w+:)?f\b[^>]*>)([^<]+)/g,
      (_, open: string, formula: string) =>
        open + escapeXml(unescapeXml(formula).replace(pattern, () => `${quote(name)}!`)),
    );
    if (made !== text) pack.set(other.part, made);
  }
}

/** Removes a sheet; the last one cannot go. */
export function deleteSheet(book: Workbook, sheet: SheetInfo): void {
  const { pack, part } = book;
  if (book.sheets.length < 2) throw new Failure("a workbook needs at least one sheet");
  const elements = all(pack.xml(part), "sheet");
  const at = elements.findIndex((one) => attr(one, "name") === sheet.name);
  const element = elements[at];
  const relation = pack.relations(part).find(({ target }) => target === sheet.part);
  element?.parentNode?.removeChild(element);
  for (const name of all(pack.xml(part), "definedName")) {
    const local = attr(name, "localSheetId");
    if (local === null) continue;
    if (Number(local) === at) name.parentNode?.removeChild(name);
    else if (Number(local) > at) name.setAttribute("localSheetId", String(Number(local) - 1));
  }
  for (const view of all(pack.xml(part), "workbookView")) view.removeAttribute("activeTab");
  for (const list of all(pack.xml(part), "definedNames"))
    if (all(list, "definedName").length === 0) list.parentNode?.removeChild(list);
  pack.touch(part);
  if (relation) pack.unrelate(part, relation.id);
  pack.dropContentType(sheet.part);
  pack.remove(sheet.part);
}
