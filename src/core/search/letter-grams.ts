import { grown, type TermTable } from "./term-table.ts";

/** Groups of four letters are numbers below this; two grams may share one. */
export const gramRange: number = 1 << 16;
const blank = 32;
/** Groups that are kept at most; then all are forgotten. */
const mostKept = 1 << 22;

/** How many grams of four letters a term has, with a blank at both ends. */
export function countGrams(terms: TermTable, id: number): number {
  const length = terms.length(id);
  return length < 2 ? 0 : length - 1;
}

/** Writes the grams of a term to `grams` from `from` on. */
export function writeGrams(terms: TermTable, id: number, grams: Uint16Array, from = 0): void {
  const start = terms.starts[id] as number;
  const end = terms.starts[id + 1] as number;
  const { units } = terms;
  const to = from + countGrams(terms, id);
  for (let gram = from, at = start - 1; gram < to; gram++, at++) {
    let hash = 0x811c9dc5;
    for (let step = 0; step < 4; step++) {
      const place = at + step;
      const unit = place < start || place >= end ? blank : (units[place] as number);
      hash = Math.imul(hash ^ unit, 0x01000193);
    }
    grams[gram] = (hash ^ (hash >>> 15)) & (gramRange - 1);
  }
}

/** The grams of terms, reckoned when a term is met and kept up to a bound: few of a million terms are ever compared. */
export class LetterGrams {
  /** Those of a term are here from `find` on. */
  grams = new Uint16Array(1 << 14);
  private readonly terms: TermTable;
  private readonly starts: Uint32Array;
  private used = 1;

  constructor(terms: TermTable) {
    this.terms = terms;
    this.starts = new Uint32Array(terms.size);
  }

  /** Where the grams of a term start; valid until the next call. */
  find(id: number): number {
    const known = this.starts[id] as number;
    if (known > 0) return known;
    const count = countGrams(this.terms, id);
    if (this.used + count > mostKept) {
      this.starts.fill(0);
      this.used = 1;
    }
    if (this.used + count > this.grams.length) this.grams = grown(this.grams, this.used + count);
    const start = this.used;
    writeGrams(this.terms, id, this.grams, start);
    this.starts[id] = start;
    this.used += count;
    return start;
  }
}
