import type { IndexData } from "./index-data.ts";
import type { QueryTerm } from "./query-terms.ts";
import type { RankingRules } from "./ranking-rules.ts";
import { metadataFields } from "./search-fields.ts";

/** Scores of documents for one query; valid until the next one. */
export interface Scores {
  /** BM25F with coverage, by document; 0 = no real term matched. */
  readonly raw: Float64Array;
  /** Share of the query's weight that occurs in the document, 0 to 1. */
  readonly coverage: Float64Array;
  /** Documents with a score above 0, in no particular order: the first `count`. */
  readonly touched: Uint32Array;
  readonly count: number;
  /** What a document would get that is about nothing but the query; at least every raw score. */
  readonly ideal: number;
}

/** Entries that are read in full; then the commonest words only count for the documents found by the others. */
const entryBudget = 400_000;
/** Documents that are kept when the budget is used up. */
const keptDocuments = 2_000;

/** By field and document: what an occurrence counts. Long fields are held back; a field of average length is not. */
export function fieldFactors(data: IndexData, rules: RankingRules): readonly (Float32Array | null)[] {
  return data.postings.lengths.map((lengths, field) => {
    if (lengths === null) return null;
    let sum = 0;
    let filled = 0;
    for (const length of lengths)
      if (length > 0) {
        sum += length;
        filled++;
      }
    const average = filled === 0 ? 1 : sum / filled;
    const share = rules.lengthShares[field] as number;
    const weight = rules.fieldWeights[field] as number;
    const factors = new Float32Array(lengths.length);
    for (let document = 0; document < lengths.length; document++)
      factors[document] = weight / (1 - share + (share * (lengths[document] as number)) / average);
    return factors;
  });
}

/** What a term adds for a document that holds it with `amount` (weighted occurrences). */
export function contribution(weight: number, amount: number, saturation: number): number {
  return (weight * amount * (saturation + 1)) / (amount + saturation);
}

/** First entry of `term` that belongs to `document` or a later one. */
export function firstEntry({ postings }: IndexData, term: number, document: number): number {
  let low = postings.starts[term] as number;
  let high = postings.starts[term + 1] as number;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((postings.documents[middle] as number) < document) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Scores documents: one pass over the entries of the query's terms. Keeps its arrays between queries. */
export function createScorer(
  data: IndexData,
  options: { readonly rules: RankingRules; readonly factors: readonly (Float32Array | null)[] },
): (terms: readonly QueryTerm[]) => Scores {
  const { size, starts, documents, places } = data.postings;
  const { rules, factors } = options;
  const { saturation, coverageShare } = rules;
  const raw = new Float64Array(size);
  const coverage = new Float64Array(size);
  let touched = new Uint32Array(Math.min(size, 1 << 12));
  let count = 0;

  const touch = (document: number): void => {
    if (count === touched.length) {
      const larger = new Uint32Array(Math.min(size, count * 2));
      larger.set(touched);
      touched = larger;
    }
    touched[count++] = document;
  };

  /** Adds the entries of one document that start at `entry`; returns the first entry of the next document. */
  const addEntries = (
    entry: number,
    end: number,
    share: { readonly weight: number; readonly cover: number; readonly fresh: boolean },
  ): number => {
    const document = documents[entry] as number;
    let at = entry;
    let amount = 0;
    do {
      const place = places[at] as number;
      amount += ((factors[place >>> 4] as Float32Array)[document] as number) * (place & 15);
      at++;
    } while (at < end && documents[at] === document);
    if (share.fresh && raw[document] === 0) touch(document);
    raw[document] = (raw[document] as number) + contribution(share.weight, amount, saturation);
    coverage[document] = (coverage[document] as number) + share.cover;
    return at;
  };

  /** Adds a translated word: its best reading in a document's names and descriptions. */
  const addGloss = ({ readings, weight, extra }: QueryTerm, fresh: boolean): void => {
    const best = new Map<number, { readonly value: number; readonly cover: number }>();
    for (const { id, weight: likeness } of readings) {
      const end = starts[id + 1] as number;
      for (let entry = starts[id] as number; entry < end; ) {
        const document = documents[entry] as number;
        let amount = 0;
        do {
          const place = places[entry] as number;
          if (place >>> 4 < metadataFields)
            amount += ((factors[place >>> 4] as Float32Array)[document] as number) * (place & 15);
          entry++;
        } while (entry < end && documents[entry] === document);
        const value = contribution(weight * likeness, amount, saturation);
        if (amount > 0 && value > (best.get(document)?.value ?? 0))
          best.set(document, { value, cover: weight * likeness });
      }
    }
    for (const [document, { value, cover }] of best) {
      if (raw[document] === 0) {
        if (!fresh) continue;
        touch(document);
      }
      raw[document] = (raw[document] as number) + value;
      // Where the word itself was found its translation must not count as a second one.
      if (!extra || coverage[document] === 0) coverage[document] = (coverage[document] as number) + cover;
    }
  };

  /** Keeps the best documents so far, and clears the others. */
  const keepBest = (): void => {
    let most = 0;
    for (let at = 0; at < count; at++) most = Math.max(most, raw[touched[at] as number] as number);
    const bins = new Uint32Array(1024);
    const binOf = (document: number): number => Math.floor(((raw[document] as number) / most) * 1023);
    for (let at = 0; at < count; at++) {
      const bin = binOf(touched[at] as number);
      bins[bin] = (bins[bin] as number) + 1;
    }
    let lowest = 1023;
    for (let sum = bins[1023] as number; lowest > 0 && sum < keptDocuments; sum += bins[lowest] as number)
      lowest--;
    let kept = 0;
    for (let at = 0; at < count; at++) {
      const document = touched[at] as number;
      if (binOf(document) >= lowest) touched[kept++] = document;
      else {
        raw[document] = 0;
        coverage[document] = 0;
      }
    }
    count = kept;
    touched.subarray(0, count).sort();
  };

  return (terms) => {
    for (let at = 0; at < count; at++) {
      raw[touched[at] as number] = 0;
      coverage[touched[at] as number] = 0;
    }
    count = 0;
    let total = 0;
    let ideal = 0;
    let entries = 0;
    for (const { weight, extra, readings } of terms) {
      if (!extra) total += weight;
      if (!extra || readings.length > 0) ideal += weight * (saturation + 1);
      for (const { id } of readings) entries += (starts[id + 1] as number) - (starts[id] as number);
    }
    // Below the budget the order of terms is the query's; above it the rarest come first.
    const order = entries <= entryBudget ? terms : [...terms].sort((a, b) => b.weight - a.weight);
    let left = entryBudget;
    let narrowed = false;
    for (const term of order) {
      const { weight, extra, readings } = term;
      if (term.gloss) {
        addGloss(term, !narrowed);
        continue;
      }
      for (const { id, weight: likeness } of readings) {
        const end = starts[id + 1] as number;
        const share = {
          weight: weight * likeness,
          cover: extra ? 0 : weight * likeness,
          fresh: !narrowed,
        };
        const length = end - (starts[id] as number);
        if (!narrowed && length > left && count >= keptDocuments) {
          keepBest();
          narrowed = true;
          share.fresh = false;
        }
        left -= length;
        if (!narrowed)
          for (let entry = starts[id] as number; entry < end; ) entry = addEntries(entry, end, share);
        else
          for (let at = 0; at < count; at++) {
            const entry = firstEntry(data, id, touched[at] as number);
            if (entry < end && documents[entry] === touched[at]) addEntries(entry, end, share);
          }
      }
    }
    let kept = 0;
    for (let at = 0; at < count; at++) {
      const document = touched[at] as number;
      const share = total === 0 ? 0 : Math.min(1, (coverage[document] as number) / total);
      // Without one real word in common, single characters and the like do not count.
      raw[document] =
        share === 0 ? 0 : (raw[document] as number) * (1 - coverageShare + coverageShare * share);
      coverage[document] = share;
      if (share > 0) touched[kept++] = document;
    }
    count = kept;
    return { raw, coverage, touched, count, ideal };
  };
}
