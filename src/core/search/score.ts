import type { QueryTerm } from "./query-terms.ts";
import type { TermIndex } from "./term-index.ts";

/** Saturation of repeated occurrences (BM25's k1). */
const saturation = 1.5;
/** How much of a score depends on the share of the query that is matched. */
const coverageShare = 0.3;

/** Scores of all documents for one query. */
export interface Scores {
  /** BM25F with coverage; 0 = no real term matched. */
  readonly raw: Float64Array;
  /** Share of the query's weight that occurs in the document, 0 to 1. */
  readonly coverage: Float64Array;
  /** What a document would get that is about nothing but the query; at least every raw score. */
  readonly ideal: number;
}

/** Rarity of a term: near 0 when every document has it. */
export function rarity(size: number, frequency: number): number {
  return Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5));
}

/** What one term adds for a document that holds it with `amount` (weighted occurrences). */
export function contribution(weight: number, amount: number): number {
  return (weight * amount * (saturation + 1)) / (amount + saturation);
}

/** Weight of a query term over all documents. */
export function termWeight(term: QueryTerm, index: TermIndex): number {
  return term.weight * rarity(index.size, term.id < 0 ? 0 : (index.frequency[term.id] as number));
}

/** BM25F over fields (weights and lengths are already in the index): one pass over the postings of the query's terms. */
export function scoreDocuments(terms: readonly QueryTerm[], index: TermIndex): Scores {
  const raw = new Float64Array(index.size);
  const coverage = new Float64Array(index.size);
  let total = 0;
  let ideal = 0;
  for (const term of terms) {
    const weight = termWeight(term, index);
    if (!term.extra) total += weight;
    if (!term.extra || term.id >= 0) ideal += weight * (saturation + 1);
    if (term.id < 0) continue;
    const end = index.start[term.id + 1] as number;
    for (let entry = index.start[term.id] as number; entry < end; ) {
      const document = index.documents[entry] as number;
      let amount = 0;
      for (; entry < end && index.documents[entry] === document; entry++)
        amount += index.weights[entry] as number;
      raw[document] = (raw[document] as number) + contribution(weight, amount);
      if (!term.extra) coverage[document] = (coverage[document] as number) + weight;
    }
  }
  for (let document = 0; document < index.size; document++) {
    const share = total === 0 ? 0 : (coverage[document] as number) / total;
    coverage[document] = share;
    // Without one real word in common, single characters and the like do not count.
    raw[document] = share === 0 ? 0 : (raw[document] as number) * (1 - coverageShare + coverageShare * share);
  }
  return { raw, coverage, ideal };
}
