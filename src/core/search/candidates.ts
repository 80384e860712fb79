import { type DocumentWindow, windowSize } from "./document-window.ts";

/** How a sum and a matched weight give a score: at most the sum, less where little of the query was matched. */
export interface CoverageRule {
  /** Weight of the whole query. */
  readonly total: number;
  /** How much of a score depends on coverage, 0 to 1. */
  readonly share: number;
}

/** BM25F with coverage; grows with both. 0 without one real word in common: single characters and the like do not count. */
export function scoreOf({ total, share }: CoverageRule, sum: number, matched: number): number {
  return total === 0 || matched === 0 ? 0 : sum * (1 - share + share * Math.min(1, matched / total));
}

/** What can still come to a document, and what its score must reach. */
export interface Hope {
  readonly most: number;
  readonly cover: number;
  readonly least: number;
}

/** Bounds are reckoned in another order than sums, which may differ by this share. */
const rounding = 1 - 1e-9;

/** Whether a document in which nothing was found can reach the best. */
export function reachable(rule: CoverageRule, { most, cover, least }: Hope): boolean {
  return most * (1 - rule.share + rule.share * Math.min(1, cover / rule.total)) >= least * rounding;
}

/** Documents of a window that can be among the best, ascending, with what was found in them so far. */
export class Candidates {
  /** The first `count`. */
  readonly documents = new Uint32Array(windowSize);
  readonly sums = new Float64Array(windowSize);
  /** Weight of the query's words that were found. */
  readonly matched = new Float64Array(windowSize);
  count = 0;

  /** Takes over the documents of a window; it is empty afterwards. */
  take(window: DocumentWindow): void {
    const { start } = window;
    let count = 0;
    window.eachMet((at) => {
      this.documents[count] = start + at;
      this.sums[count] = window.sums[at] as number;
      this.matched[count++] = window.matched[at] as number;
      window.sums[at] = 0;
      window.matched[at] = 0;
    });
    this.count = count;
  }

  /** Holds one document, with nothing found in it. */
  set(document: number): void {
    this.documents[0] = document;
    this.sums[0] = 0;
    this.matched[0] = 0;
    this.count = 1;
  }

  /** Drops the documents that cannot reach the best. */
  sift({ total, share }: CoverageRule, { most, cover, least }: Hope): void {
    const { documents, sums, matched } = this;
    const needed = least * rounding;
    const inverse = total === 0 ? 0 : 1 / total;
    let left = 0;
    for (let at = 0; at < this.count; at++) {
      const sum = sums[at] as number;
      const weight = matched[at] as number;
      const bound = (sum + most) * (1 - share + share * Math.min(1, (weight + cover) * inverse));
      if (bound < needed) continue;
      documents[left] = documents[at] as number;
      sums[left] = sum;
      matched[left++] = weight;
    }
    this.count = left;
  }
}
