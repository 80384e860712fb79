import fastStringWidth from "fast-string-truncated-width";
import Papa from "papaparse";
import type { Cell, Table } from "./table.ts";

export type TableFormat = "text" | "csv" | "json" | "jsonl" | "md";
export const tableFormats: readonly TableFormat[] = ["text", "csv", "json", "jsonl", "md"];

/** The table as text that ends with a line end. `text` and `md` are for reading, the others lose nothing. */
export function formatTable(table: Table, format: TableFormat): string {
  switch (format) {
    case "csv":
      return `${Papa.unparse({ fields: [...table.columns], data: table.rows.map((row) => row.map((cell) => cell ?? "")) }, { newline: "\n" })}\n`;
    case "json":
      return `${JSON.stringify(objects(table), null, 2)}\n`;
    case "jsonl":
      return objects(table)
        .map((row) => `${JSON.stringify(row)}\n`)
        .join("");
    case "md":
      return markdown(table);
    case "text":
      return aligned(table);
  }
}

function objects(table: Table): readonly Readonly<Record<string, Cell>>[] {
  return table.rows.map((row) =>
    Object.fromEntries(table.columns.map((name, index) => [name, row[index] ?? null])),
  );
}

/** For people: at most six digits behind the point, no control characters, at most 60 signs. */
export function shownCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number")
    return Number.isInteger(cell) ? String(cell) : String(Number(cell.toPrecision(8)));
  const flat = cell.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]+/g, " ");
  const points = [...flat];
  return points.length > 60 ? `${points.slice(0, 59).join("")}…` : flat;
}

function markdown(table: Table): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|");
  const right = numeric(table);
  return [
    `| ${table.columns.map((name) => cell(shownCell(name))).join(" | ")} |`,
    `| ${table.columns.map((_, index) => (right[index] ? "---:" : "---")).join(" | ")} |`,
    ...table.rows.map((row) => `| ${row.map((one) => cell(shownCell(one))).join(" | ")} |`),
    "",
  ].join("\n");
}

function aligned(table: Table): string {
  const right = numeric(table);
  const lines = [table.columns.map(shownCell), ...table.rows.map((row) => row.map(shownCell))];
  const widths = table.columns.map((_, index) =>
    lines.reduce((most, line) => Math.max(most, width(line[index] ?? "")), 0),
  );
  const shown = lines.map((line) =>
    line
      .map((cell, index) => pad(cell, { width: widths[index] ?? 0, right: right[index] === true }))
      .join("  ")
      .trimEnd(),
  );
  return `${[shown[0] ?? "", widths.map((one) => "-".repeat(one)).join("  "), ...shown.slice(1)].join("\n")}\n`;
}

function numeric(table: Table): readonly boolean[] {
  return table.columns.map(
    (_, index) =>
      table.rows.every((row) => typeof row[index] !== "string") &&
      table.rows.some((row) => row[index] !== null),
  );
}

function width(text: string): number {
  return fastStringWidth(text).width;
}

function pad(text: string, options: { readonly width: number; readonly right: boolean }): string {
  const space = " ".repeat(Math.max(0, options.width - width(text)));
  return options.right ? space + text : text + space;
}
