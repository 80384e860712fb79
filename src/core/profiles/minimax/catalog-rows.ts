import { type TokenSeams, utf8Length } from "../../catalog/token-counter.ts";

/** One skill as a row of the catalog may show it. */
export interface CatalogRow {
  readonly name: string;
  /** Folded to one line, cut to the cap. */
  readonly description: string;
  /** Code points of the description. */
  readonly length: number;
  readonly builtin: boolean;
  readonly pinned: boolean;
}

/** Tokens of a text or part; `bytes` counts when the whole text can only be counted in bytes. */
export interface Measure {
  readonly tokens: number;
  readonly bytes: number;
  /** This part forces the count in bytes. */
  readonly inBytes: boolean;
}

/** Measures a row that shows the first `length` code points of its description, line end included. */
export type RowMeasure = (length: number) => Measure;

/** The row as it stands in the catalog, without its line end. */
export function rowText(row: CatalogRow, length: number): string {
  if (length <= 0 || row.length === 0) return `- ${row.name}`;
  return `- ${row.name}: ${row.description.slice(0, unitsOf(row, length))}`;
}

/** UTF-16 units of the first `length` code points. */
function unitsOf(row: CatalogRow, length: number): number {
  const { description } = row;
  if (length >= row.length) return description.length;
  if (row.length === description.length) return length;
  let units = 0;
  for (let count = 0; count < length; count++)
    units += (description.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  return units;
}

/**
 * A row's measure for every length at the cost of reading the row once: the part up to the last place where a text can
 * be cut without changing its count is known, only the rest is counted anew.
 */
export function measureRow(row: CatalogRow, seams: TokenSeams): RowMeasure {
  const head = `- ${row.name}: `;
  const full = head + row.description;
  const isSeam = seams.in(full);
  /** Places in `full` where it can be cut, ascending, and what the text before each measures. */
  const cuts: number[] = [0];
  const sums: Measure[] = [nothing];
  // Nothing is cut inside the head: a row without a description ends right behind the name.
  let looked = head.length;
  const known = new Map<number, Measure>();
  const measure = (length: number): Measure => {
    if (length === 0) return measurePart(`- ${row.name}\n`, seams);
    const end = head.length + unitsOf(row, length);
    for (; looked < end; looked++) {
      if (!isSeam(looked)) continue;
      const part = measurePart(full.slice(cuts.at(-1), looked), seams);
      sums.push(sum(sums.at(-1) ?? nothing, part));
      cuts.push(looked);
    }
    let at = cuts.length - 1;
    while (at > 0 && (cuts[at] ?? 0) >= end) at--;
    return sum(sums[at] ?? nothing, measurePart(`${full.slice(cuts[at], end)}\n`, seams));
  };
  return (length) => {
    const shown = Math.min(Math.max(0, length), row.length);
    let found = known.get(shown);
    if (found === undefined) {
      found = measure(shown);
      known.set(shown, found);
    }
    return found;
  };
}

const nothing: Measure = { tokens: 0, bytes: 0, inBytes: false };

export function measurePart(part: string, seams: TokenSeams): Measure {
  const tokens = seams.count(part);
  return { tokens: tokens ?? 0, bytes: utf8Length(part), inBytes: tokens === null };
}

function sum(one: Measure, other: Measure): Measure {
  return {
    tokens: one.tokens + other.tokens,
    bytes: one.bytes + other.bytes,
    inBytes: one.inBytes || other.inBytes,
  };
}
