import { shownCell } from "./format-table.ts";
import type { Cell, Table } from "./table.ts";

export interface ColumnProfile {
  readonly name: string;
  readonly type: "number" | "date" | "text" | "empty" | "mixed";
  readonly filled: number;
  readonly distinct: number;
  /** Numbers: smallest, quartiles, largest, mean, standard deviation. */
  readonly numbers: {
    readonly min: number;
    readonly q1: number;
    readonly median: number;
    readonly q3: number;
    readonly max: number;
    readonly mean: number;
    readonly deviation: number;
  } | null;
  /** Dates: first and last, in the order of their text. */
  readonly range: readonly [string, string] | null;
  /** Most frequent values, the most frequent first. */
  readonly top: readonly { readonly value: string; readonly count: number }[];
  /** What a person should look at, one sentence each. */
  readonly remarks: readonly string[];
}

export interface TableProfile {
  readonly name: string;
  readonly rows: number;
  readonly doubledRows: number;
  /** Columns without gaps whose values are all different. */
  readonly keys: readonly string[];
  readonly columns: readonly ColumnProfile[];
  readonly remarks: readonly string[];
}

const isoDate = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const otherDate = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?: .*)?$|^\d{4}年\d{1,2}月\d{1,2}日$/;
const dressedNumber = /^[^\p{L}\d]*-?\d{1,3}(?:[.,' ]\d{3})*(?:[.,]\d+)?\s*(?:%|[\p{Sc}]|[A-Za-z]{1,3})?$/u;

/** What is in a table, column by column, and what looks wrong in it. */
export function profileTable(table: Table): TableProfile {
  const columns = table.columns.map((name, index) =>
    profileColumn(
      name,
      table.rows.map((row) => row[index] ?? null),
    ),
  );
  const seen = new Set<string>();
  for (const row of table.rows) seen.add(JSON.stringify(row));
  const total = table.rows.length;
  const sums = table.rows.findIndex(
    (row, index) =>
      index >= total - 3 &&
      row.some(
        (cell) =>
          typeof cell === "string" &&
          /^(?:grand )?total$|^sum$|^合计$|^总计$|^合計$|^總計$/i.test(cell.trim()),
      ),
  );
  return {
    name: table.name,
    rows: total,
    doubledRows: total - seen.size,
    keys: columns
      .filter(({ filled, distinct }) => total > 1 && filled === total && distinct === total)
      .map(({ name }) => name),
    columns,
    remarks: [...table.notes, ...(sums < 0 ? [] : [`row ${sums + 1} looks like a row of totals`])],
  };
}

function profileColumn(name: string, cells: readonly Cell[]): ColumnProfile {
  const filled = cells.filter((cell): cell is string | number => cell !== null && cell !== "");
  const counts = new Map<string | number, number>();
  for (const cell of filled) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const texts = filled.filter((cell) => typeof cell === "string");
  const numbers = filled.filter((cell) => typeof cell === "number");
  const dates = texts.filter((text) => isoDate.test(text));
  const type =
    filled.length === 0
      ? "empty"
      : numbers.length === filled.length
        ? "number"
        : numbers.length > 0
          ? "mixed"
          : dates.length === filled.length
            ? "date"
            : "text";
  const sorted = type === "number" ? numbers.toSorted((one, other) => one - other) : [];
  const ordered = type === "date" ? dates.toSorted() : [];
  const top = [...counts].sort(([, one], [, other]) => other - one).slice(0, 5);
  return {
    name,
    type,
    filled: filled.length,
    distinct: counts.size,
    numbers: sorted.length === 0 ? null : summary(sorted),
    range: ordered.length === 0 ? null : [ordered[0] ?? "", ordered.at(-1) ?? ""],
    top: top.map(([value, count]) => ({ value: shownCell(value), count })),
    remarks: remarks({
      type,
      texts,
      sorted,
      counts,
      filled: filled.length,
      total: cells.length,
      dates: dates.length,
    }),
  };
}

function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const low = sorted[Math.floor(place)] ?? 0;
  return low + ((sorted[Math.ceil(place)] ?? low) - low) * (place - Math.floor(place));
}

function summary(sorted: readonly number[]): NonNullable<ColumnProfile["numbers"]> {
  let mean = 0;
  let squares = 0;
  for (const [index, value] of sorted.entries()) {
    const apart = value - mean;
    mean += apart / (index + 1);
    squares += apart * (value - mean);
  }
  return {
    min: sorted[0] ?? 0,
    q1: quantile(sorted, 0.25),
    median: quantile(sorted, 0.5),
    q3: quantile(sorted, 0.75),
    max: sorted.at(-1) ?? 0,
    mean,
    deviation: sorted.length > 1 ? Math.sqrt(squares / (sorted.length - 1)) : 0,
  };
}

interface Seen {
  readonly type: ColumnProfile["type"];
  readonly texts: readonly string[];
  readonly sorted: readonly number[];
  readonly counts: ReadonlyMap<string | number, number>;
  readonly filled: number;
  readonly total: number;
  readonly dates: number;
}

function remarks({ type, texts, sorted, counts, filled, total, dates }: Seen): readonly string[] {
  const found: string[] = [];
  const few = (list: readonly string[]): string =>
    list
      .slice(0, 3)
      .map((text) => JSON.stringify(shownCell(text)))
      .join(", ");
  if (filled > 1 && counts.size === 1) found.push("always the same value");
  if (type === "mixed") found.push(`${texts.length} texts among numbers: ${few([...new Set(texts)])}`);
  const spaced = texts.filter((text) => text !== text.trim());
  if (spaced.length > 0) found.push(`${spaced.length} values begin or end with a space`);
  const dressed =
    type === "text"
      ? texts.filter((text) => dressedNumber.test(text.trim()) && !otherDate.test(text.trim()))
      : [];
  if (dressed.length > texts.length / 2) {
    const zeros = dressed.filter((text) => /^0\d/.test(text.trim())).length;
    if (zeros === 0) found.push(`numbers written as text: ${few(dressed)}`);
  }
  const odd = texts.filter((text) => otherDate.test(text.trim()) && !isoDate.test(text.trim()));
  if (odd.length > 0 && odd.length + dates > texts.length / 2)
    found.push(
      dates > 0 ? `dates in several forms: ${few(odd)}` : `dates that do not sort as text: ${few(odd)}`,
    );
  const spellings = new Map<string, Set<string>>();
  if (counts.size <= 5000)
    for (const value of counts.keys())
      if (typeof value === "string") {
        const plain = value.normalize("NFKC").trim().toLowerCase().replace(/\s+/g, " ");
        spellings.set(plain, (spellings.get(plain) ?? new Set()).add(value));
      }
  const twice = [...spellings.values()].filter((set) => set.size > 1);
  if (twice.length > 0)
    found.push(`${twice.length} values are spelled in several ways: ${few([...(twice[0] ?? [])])}`);
  if (sorted.length >= 20) found.push(...oddNumbers(sorted, counts));
  const places = [...counts.keys()].filter(
    (value) =>
      typeof value === "string" &&
      /^(?:1900-01-01|1970-01-01|9999-12-31|unknown|tbd|test|xxx+|\?+)/i.test(value),
  );
  if (places.length > 0) found.push(`may stand for nothing: ${few(places.map(String))}`);
  if (total > 0 && filled / total < 0.5 && filled > 0) found.push("more than half is missing");
  return found;
}

function oddNumbers(
  sorted: readonly number[],
  counts: ReadonlyMap<string | number, number>,
): readonly string[] {
  const found: string[] = [];
  const [q1, q3] = [quantile(sorted, 0.25), quantile(sorted, 0.75)];
  const reach = 3 * (q3 - q1);
  const far = reach > 0 ? sorted.filter((value) => value < q1 - reach || value > q3 + reach) : [];
  if (far.length > 0 && far.length <= sorted.length / 20)
    found.push(
      `${far.length} far from the rest: ${[...new Set([far[0], far.at(-1)])].map((value) => shownCell(value ?? null)).join(" to ")}`,
    );
  const stand = [-1, 999, 9999, 99999, -999, -9999].filter(
    (value) => (counts.get(value) ?? 0) > 1 && far.includes(value),
  );
  if (stand.length > 0) found.push(`${stand.join(", ")} may stand for "unknown"`);
  return found;
}
