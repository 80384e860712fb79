import type { TokenCounter } from "../../catalog/token-counter.ts";
import { type CatalogRow, type Measure, measurePart, measureRow, rowText } from "./catalog-rows.ts";

const opening = "<available_skills>\n";
const closing = "</available_skills>";

/** What a catalog shows: for each row the code points of its description, null = the row is left out. */
export type Shown = readonly (number | null)[];

/** The catalog's text. Without rows and notice an empty line stands in the frame. */
export function renderRows(rows: readonly CatalogRow[], shown: Shown, notice: string | null): string {
  const lines = rows.flatMap((row, index) => {
    const length = shown[index];
    return length === null || length === undefined ? [] : [rowText(row, length)];
  });
  return `${opening}${[...(notice === null ? [] : [notice]), ...lines].join("\n")}\n${closing}`;
}

/** A catalog on the scales: rows are changed one by one, and the count is known at any time. */
export interface CatalogScale {
  readonly shown: Shown;
  set(index: number, length: number | null): void;
  /** Tokens of one row by itself, its line end included. */
  weigh(index: number): number;
  /** Exactly what the counter says of the whole text. */
  count(notice: string | null): number;
}

/** Counters without seams are asked for the whole text every time. */
export function createScale(rows: readonly CatalogRow[], counter: TokenCounter): CatalogScale {
  const shown: (number | null)[] = rows.map(() => null);
  const { seams } = counter;
  if (seams === undefined)
    return {
      shown,
      set: (index, length) => {
        shown[index] = length;
      },
      weigh: (index) => {
        const row = rows[index];
        const length = shown[index];
        return row === undefined || length === null || length === undefined
          ? 0
          : counter.count(`${rowText(row, length)}\n`);
      },
      count: (notice) => counter.count(renderRows(rows, shown, notice)),
    };

  const measures = rows.map((row) => measureRow(row, seams));
  const parts = new Map<string, Measure>();
  const part = (text: string): Measure => {
    let found = parts.get(text);
    if (found === undefined) {
      found = measurePart(text, seams);
      parts.set(text, found);
    }
    return found;
  };
  let kept = 0;
  let tokens = 0;
  let bytes = 0;
  let inBytes = 0;
  const change = (index: number, sign: 1 | -1): void => {
    const length = shown[index];
    const measure = length === null || length === undefined ? undefined : measures[index]?.(length);
    if (measure === undefined) return;
    kept += sign;
    tokens += sign * measure.tokens;
    bytes += sign * measure.bytes;
    if (measure.inBytes) inBytes += sign;
  };
  return {
    shown,
    set(index, length) {
      if (shown[index] === length) return;
      change(index, -1);
      shown[index] = length;
      change(index, 1);
    },
    weigh: (index) => {
      const length = shown[index];
      const measure = length === null || length === undefined ? undefined : measures[index]?.(length);
      return measure === undefined ? 0 : measure.inBytes ? measure.bytes : measure.tokens;
    },
    count(notice) {
      // The empty line of an empty frame makes one token with the line end in front of it.
      if (kept === 0 && notice === null) return counter.count(`${opening}\n${closing}`);
      const frame = [part(opening), part(closing), ...(notice === null ? [] : [part(`${notice}\n`)])];
      const add = (key: "tokens" | "bytes"): number => frame.reduce((total, one) => total + one[key], 0);
      return inBytes > 0 ? bytes + add("bytes") : tokens + add("tokens");
    },
  };
}
