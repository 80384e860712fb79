import { refused } from "../common/failure.ts";

/** Bounds of a sheet, as Excel has them. */
export const mostRows = 1_048_576;
export const mostColumns = 16_384;

export type CellValue = string | number | boolean | null;

/** Column letters as a number from 0. */
export function columnIndex(letters: string): number {
  let index = 0;
  for (const letter of letters.toUpperCase()) index = index * 26 + letter.charCodeAt(0) - 64;
  return index - 1;
}

export function columnName(index: number): string {
  let name = "";
  for (let left = index + 1; left > 0; left = Math.floor((left - 1) / 26))
    name = String.fromCharCode(65 + ((left - 1) % 26)) + name;
  return name;
}

export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

/** "B7" as places from 0; refuses what lies outside a sheet. */
export function parseCell(reference: string): CellPlace | null {
  const found = /^\$?([A-Za-z]{1,4})\$?(\d{1,9})$/.exec(reference);
  if (found === null) return null;
  const place = { row: Number(found[2]) - 1, column: columnIndex(found[1] ?? "A") };
  if (place.row >= mostRows || place.column >= mostColumns || place.row < 0)
    throw refused(`the cell ${reference} lies outside any sheet`);
  return place;
}

export const cellName = ({ row, column }: CellPlace): string => `${columnName(column)}${row + 1}`;

export interface CellRange {
  readonly from: CellPlace;
  readonly to: CellPlace;
}

export function parseRange(text: string): CellRange | null {
  const [a, b = a] = text.split(":");
  const from = parseCell(a ?? "");
  const to = parseCell(b ?? "");
  return from && to ? { from, to } : null;
}

const day = 86_400_000;

/** A day number of a sheet as ISO date, with the time where there is one. */
export function isoDate(serial: number, from1904: boolean): string {
  const days = from1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial;
  const date = new Date(Math.round((days - 25_569) * day));
  if (Number.isNaN(date.getTime())) return String(serial);
  const text = date.toISOString();
  if (serial < 1 && serial >= 0) return text.slice(11, 19);
  return text.slice(11, 19) === "00:00:00" ? text.slice(0, 10) : text.slice(0, 19).replace("T", " ");
}

/** Day number of an ISO date, or null for other text. */
export function serialOf(text: string): number | null {
  const found = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(text.trim());
  if (found === null) return null;
  const [year, month, date, hour, minute, second] = found.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const time = Date.UTC(year, month - 1, date, hour, minute, second);
  if (new Date(time).getUTCDate() !== date || year < 1900) return null;
  const serial = time / day + 25_569;
  return serial < 61 ? serial - 1 : serial;
}

const builtinDates = new Set([
  14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 45, 46, 47, 50, 51, 52, 53, 54,
  55, 56, 57, 58,
]);

const builtinFormats: Readonly<Record<number, string>> = {
  1: "0",
  2: "0.00",
  3: "#,##0",
  4: "#,##0.00",
  9: "0%",
  10: "0.00%",
  37: "#,##0",
  38: "#,##0",
  39: "#,##0.00",
  40: "#,##0.00",
};

export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return builtinDates.has(id);
  const bare = code.replace(/"[^"]*"|\\.|\[[^\]]*\]|_./g, "").split(";")[0] ?? "";
  return /[ymdhs年月日]/i.test(bare) && !/[#0?]/.test(bare.replace(/\.0+/g, ""));
}

export const formatCode = (id: number, code: string | undefined): string =>
  code ?? builtinFormats[id] ?? "General";

/** A number as its format shows it, for the usual formats; others give it as it is. */
export function formatNumber(value: number, code: string): string {
  const section = (code.split(";")[value < 0 && code.includes(";") ? 1 : 0] ?? code).replace(
    /\[[^\]]*\]|_.|\*./g,
    "",
  );
  const pattern = /(#,##)?[#0?]+(?:\.([0#?]+))?/.exec(section.replace(/"[^"]*"|\\./g, ""));
  if (/general/i.test(section) || pattern === null) return String(Number(value.toPrecision(15)));
  const percent = section.includes("%");
  const decimals = pattern[2]?.length ?? 0;
  const amount = Math.abs(value) * (percent ? 100 : 1);
  let text = amount.toFixed(Math.min(decimals, 15));
  if (pattern[1]) text = text.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ",");
  const before = /^[^#0?]*?("[^"]*"|[¥￥$€£])/.exec(section)?.[1]?.replaceAll('"', "") ?? "";
  return `${value < 0 ? "-" : ""}${before}${text}${percent ? "%" : ""}`;
}
