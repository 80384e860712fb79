import { usage } from "../common/failure.ts";
import { escapeXml } from "../common/xml.ts";
import { writeZip } from "../common/zip-write.ts";
import { type CellValue, cellName, columnName, mostColumns, mostRows, serialOf } from "./cells.ts";

export interface NewCell {
  readonly value: CellValue;
  readonly formula?: string;
  /** Number format such as `#,##0.00`, `0%`, `yyyy-mm-dd`. */
  readonly format?: string;
  readonly bold?: boolean;
  readonly fill?: string;
  readonly color?: string;
  readonly align?: "left" | "center" | "right";
  readonly wrap?: boolean;
}

export interface NewSheet {
  readonly name: string;
  readonly rows: readonly (readonly (NewCell | null)[])[];
  /** The first rows that are headings; they stay in view. */
  readonly headerRows: number;
  /** In characters; missing ones are by content. */
  readonly widths?: readonly (number | undefined)[];
  readonly merges?: readonly string[];
  readonly filter?: boolean;
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packages = "http://schemas.openxmlformats.org/package/2006";
const kind = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** A workbook with these sheets. Formulas are calculated when a program opens it; known values stand in meanwhile. */
export function writeWorkbook(
  sheets: readonly NewSheet[],
  options: { readonly title?: string } = {},
): Buffer {
  const styles = new StyleTable();
  const names = uniqueNames(sheets.map(({ name }) => name));
  const parts = sheets.map((sheet) => sheetXml(sheet, styles));
  const files = new Map<string, string>([
    [
      "[Content_Types].xml",
      `${head}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${kind}.sheet.main+xml"/>${parts.map((_, at) => `<Override PartName="/xl/worksheets/sheet${at + 1}.xml" ContentType="${kind}.worksheet+xml"/>`).join("")}<Override PartName="/xl/styles.xml" ContentType="${kind}.styles+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`,
    ],
    [
      "_rels/.rels",
      `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/><Relationship Id="rId2" Type="${packages}/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`,
    ],
    [
      "docProps/core.xml",
      `${head}<cp:coreProperties xmlns:cp="${packages}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escapeXml(options.title ?? "")}</dc:title></cp:coreProperties>`,
    ],
    [
      "xl/_rels/workbook.xml.rels",
      `${head}<Relationships xmlns="${packages}/relationships">${parts.map((_, at) => `<Relationship Id="rId${at + 1}" Type="${office}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`).join("")}<Relationship Id="rId${parts.length + 1}" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    ],
    [
      "xl/workbook.xml",
      `${head}<workbook xmlns="${main}" xmlns:r="${office}"><bookViews><workbookView/></bookViews><sheets>${names.map((name, at) => `<sheet name="${escapeXml(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join("")}</sheets>${filterNames(sheets, names)}<calcPr calcId="191029" fullCalcOnLoad="1"/></workbook>`,
    ],
    ...parts.map((xml, at) => [`xl/worksheets/sheet${at + 1}.xml`, xml] as const),
  ]);
  files.set("xl/styles.xml", styles.xml());
  return writeZip(files);
}

/** Excel needs a hidden name for each filter. */
function filterNames(sheets: readonly NewSheet[], names: readonly string[]): string {
  const rows = sheets.flatMap((sheet, at) => {
    const range = filterRange(sheet);
    if (range === null) return [];
    const absolute = range.replace(/([A-Z]+)(\d+)/g, "$$$1$$$2");
    return [
      `<definedName name="_xlnm._FilterDatabase" localSheetId="${at}" hidden="1">'${escapeXml((names[at] ?? "").replaceAll("'", "''"))}'!${absolute}</definedName>`,
    ];
  });
  return rows.length === 0 ? "" : `<definedNames>${rows.join("")}</definedNames>`;
}

function filterRange(sheet: NewSheet): string | null {
  const width = sheet.rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (!sheet.filter || sheet.headerRows < 1 || width === 0 || sheet.rows.length < 2) return null;
  return `A${sheet.headerRows}:${cellName({ row: sheet.rows.length - 1, column: width - 1 })}`;
}

/** Names as Excel allows them: at most 31 characters, none of `[]:*?/\`, none twice. */
export function uniqueNames(names: readonly string[]): readonly string[] {
  const used = new Set<string>();
  return names.map((name, at) => {
    const base =
      name
        .replace(/[[\]:*?/\\]/g, "_")
        .replace(/^'|'$/g, "")
        .trim() || `Sheet${at + 1}`;
    let free = cut(base, 31);
    for (let number = 2; used.has(free.toLowerCase()); number += 1)
      free = `${cut(base, 31 - String(number).length - 1)} ${number}`;
    used.add(free.toLowerCase());
    return free;
  });
}

/** At most so many UTF-16 units, which Excel counts, without half a character at the end. */
const cut = (text: string, units: number): string => text.slice(0, units).replace(/[\ud800-\udbff]$/, "");

function sheetXml(sheet: NewSheet, styles: StyleTable): string {
  const { rows } = sheet;
  if (rows.length > mostRows) throw usage(`a sheet holds ${mostRows} rows at most, not ${rows.length}`);
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (columns > mostColumns) throw usage(`a sheet holds ${mostColumns} columns at most, not ${columns}`);
  const lines: string[] = [];
  rows.forEach((row, at) => {
    let line = `<row r="${at + 1}">`;
    row.forEach((cell, column) => {
      if (cell !== null)
        line += cellXml(cell, {
          name: `${columnName(column)}${at + 1}`,
          style: styles.of(cell, at < sheet.headerRows),
        });
    });
    lines.push(`${line}</row>`);
  });
  const widths = columnWidths(sheet, columns);
  const cols =
    widths.length === 0
      ? ""
      : `<cols>${widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`).join("")}</cols>`;
  const frozen =
    sheet.headerRows > 0 && rows.length > sheet.headerRows
      ? `<pane ySplit="${sheet.headerRows}" topLeftCell="A${sheet.headerRows + 1}" activePane="bottomLeft" state="frozen"/>`
      : "";
  const range = filterRange(sheet);
  const merges = sheet.merges ?? [];
  return `${head}<worksheet xmlns="${main}"><dimension ref="A1:${cellName({ row: Math.max(0, rows.length - 1), column: Math.max(0, columns - 1) })}"/><sheetViews><sheetView workbookViewId="0">${frozen}</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/>${cols}<sheetData>${lines.join("")}</sheetData>${range === null ? "" : `<autoFilter ref="${range}"/>`}${merges.length === 0 ? "" : `<mergeCells count="${merges.length}">${merges.map((ref) => `<mergeCell ref="${escapeXml(ref)}"/>`).join("")}</mergeCells>`}</worksheet>`;
}

/** One cell as XML; text beyond what a cell holds is cut by the caller. */
export function cellXml(
  cell: Pick<NewCell, "value" | "formula" | "format">,
  { name, style }: { readonly name: string; readonly style: number },
): string {
  const attributes = `r="${name}"${style > 0 ? ` s="${style}"` : ""}`;
  const { value, formula } = cell;
  if (formula !== undefined) {
    const type = typeof value === "string" ? ' t="str"' : typeof value === "boolean" ? ' t="b"' : "";
    const shown =
      value === null
        ? ""
        : `<v>${escapeXml(typeof value === "boolean" ? (value ? "1" : "0") : String(value))}</v>`;
    return `<c ${attributes}${type}><f>${escapeXml(formula.replace(/^=/, ""))}</f>${shown}</c>`;
  }
  if (value === null || value === "") return style > 0 ? `<c ${attributes}/>` : "";
  if (typeof value === "number") return `<c ${attributes}><v>${value}</v></c>`;
  if (typeof value === "boolean") return `<c ${attributes} t="b"><v>${value ? 1 : 0}</v></c>`;
  const serial = isDateCode(cell.format) ? serialOf(value) : null;
  if (serial !== null) return `<c ${attributes}><v>${serial}</v></c>`;
  const text = value.length > 32_767 ? value.slice(0, 32_767) : value;
  return `<c ${attributes} t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`;
}

const isDateCode = (format: string | undefined): boolean =>
  format !== undefined && /y|d|h/i.test(format) && !/[#0]/.test(format);

function columnWidths(sheet: NewSheet, columns: number): readonly number[] {
  const sample =
    sheet.rows.length > 500 ? [...sheet.rows.slice(0, 400), ...sheet.rows.slice(-100)] : sheet.rows;
  return Array.from({ length: Math.min(columns, 200) }, (_, at) => {
    const given = sheet.widths?.[at];
    if (given !== undefined) return given;
    const longest = sample.reduce((most, row) => Math.max(most, displayWidth(row[at]?.value ?? "")), 0);
    return Math.min(60, Math.max(9, longest + 2));
  });
}

function displayWidth(value: CellValue): number {
  const line = String(value).split("\n")[0] ?? "";
  let width = 0;
  for (const character of line.slice(0, 100)) width += character > "\u2E80" ? 2 : 1;
  return width;
}

/** Cell formats that are used, each once. */
class StyleTable {
  readonly #formats: string[] = [];
  readonly #fonts = ['<font><sz val="11"/><name val="Calibri"/><family val="2"/></font>'];
  readonly #fills = [
    '<fill><patternFill patternType="none"/></fill>',
    '<fill><patternFill patternType="gray125"/></fill>',
  ];
  readonly #cells = ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'];
  readonly #known = new Map<string, number>();

  of(cell: NewCell, header: boolean): number {
    const { format, align, wrap } = cell;
    const bold = cell.bold ?? header;
    const fill = cell.fill ?? (header ? "DDEBF7" : undefined);
    if (
      !format &&
      !bold &&
      !fill &&
      !cell.color &&
      !align &&
      !wrap &&
      !(typeof cell.value === "string" && cell.value.includes("\n"))
    )
      return 0;
    const breaks = wrap || (typeof cell.value === "string" && cell.value.includes("\n"));
    const key = JSON.stringify([format, bold, fill, cell.color, align, breaks, header]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const font =
      bold || cell.color
        ? this.#add(
            this.#fonts,
            `<font>${bold ? "<b/>" : ""}<sz val="11"/>${cell.color ? `<color rgb="FF${cell.color}"/>` : ""}<name val="Calibri"/><family val="2"/></font>`,
          )
        : 0;
    const paint = fill
      ? this.#add(
          this.#fills,
          `<fill><patternFill patternType="solid"><fgColor rgb="FF${fill}"/><bgColor indexed="64"/></patternFill></fill>`,
        )
      : 0;
    const number = format ? 164 + this.#add(this.#formats, format) : 0;
    const placed =
      align || breaks
        ? `<alignment${align ? ` horizontal="${align}"` : ""}${breaks ? ' vertical="top" wrapText="1"' : ""}/>`
        : "";
    const id = this.#add(
      this.#cells,
      `<xf numFmtId="${number}" fontId="${font}" fillId="${paint}" borderId="${header ? 1 : 0}" xfId="0"${number ? ' applyNumberFormat="1"' : ""}${font ? ' applyFont="1"' : ""}${paint ? ' applyFill="1"' : ""}${header ? ' applyBorder="1"' : ""}${placed ? ` applyAlignment="1">${placed}</xf>` : "/>"}`,
    );
    this.#known.set(key, id);
    return id;
  }

  #add(list: string[], item: string): number {
    const known = list.indexOf(item);
    return known === -1 ? list.push(item) - 1 : known;
  }

  xml(): string {
    const list = (name: string, items: readonly string[]): string =>
      `<${name} count="${items.length}">${items.join("")}</${name}>`;
    const formats = this.#formats.map(
      (code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${escapeXml(code)}"/>`,
    );
    const line =
      '<border><left/><right/><top/><bottom style="thin"><color rgb="FF9DC3E6"/></bottom><diagonal/></border>';
    return `${head}<styleSheet xmlns="${main}">${formats.length > 0 ? list("numFmts", formats) : ""}${list("fonts", this.#fonts)}${list("fills", this.#fills)}${list("borders", ["<border><left/><right/><top/><bottom/><diagonal/></border>", line])}<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>${list("cellXfs", this.#cells)}<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
  }
}
