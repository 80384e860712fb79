import { BestValues } from "./best-values.ts";
import { Candidates, type CoverageRule, reachable, scoreOf } from "./candidates.ts";
import { BestWindow, DocumentWindow } from "./document-window.ts";
import type { FieldFactors } from "./field-factors.ts";
import type { IndexData } from "./index-data.ts";
import { PartReaders } from "./part-readers.ts";
import { type QueryPart, queryParts } from "./query-parts.ts";
import type { QueryTerm } from "./query-terms.ts";
import type { RankingRules } from "./ranking-rules.ts";
import { noDocument } from "./run-reader.ts";
import { ScoredDocuments, type Scores } from "./scored-documents.ts";
import type { PartReader } from "./word-reader.ts";

export type { Scores } from "./scored-documents.ts";

export interface Wanted {
  /** The best so many documents have to be there and right, and all equal to the last of them. */
  readonly best: number;
  /** Documents whose scores have to be right, whatever they are. */
  readonly kept: Iterable<number>;
}

/**
 * Scores documents window by window. `least` is what the worst of the best so far has: a document that cannot reach it
 * by what the parts of the query add at most is left out. Parts are sorted by what they can add; as soon as the last of
 * them could not lift a document to `least` together, they are no longer read but looked up in the documents that the
 * others tell, and only until it is clear that the document stays below (MaxScore). What is wanted comes out as if all had
 * been read.
 */
export function createScorer(
  data: IndexData,
  options: { readonly rules: RankingRules; readonly factors: FieldFactors },
): (terms: readonly QueryTerm[], wanted: Wanted) => Scores {
  const { postings } = data;
  const { rules, factors } = options;
  const { saturation, coverageShare } = rules;
  const window = new DocumentWindow();
  const pool = new PartReaders({ postings, factors, saturation, best: new BestWindow() });
  const candidates = new Candidates();
  const bests = new BestValues();
  const found = new ScoredDocuments(postings.size);

  return (terms, { best, kept }) => {
    let total = 0;
    let ideal = 0;
    for (const { weight, extra, readings } of terms) {
      if (!extra) total += weight;
      if (!extra || readings.length > 0) ideal += weight * (saturation + 1);
    }
    const rule: CoverageRule = { total, share: coverageShare };
    const parts = queryParts(terms, data, rules);
    pool.clear();
    const readers = parts.map((part) => pool.open(part));
    bests.clear(Math.min(best, postings.size));
    found.clear();
    const note = (wanted: boolean): void => {
      const { documents, sums, matched, count } = candidates;
      for (let at = 0; at < count; at++) {
        const weight = matched[at] as number;
        const score = scoreOf(rule, sums[at] as number, weight);
        if (score === 0 || (wanted && score < bests.least)) continue;
        found.add(documents[at] as number, score, Math.min(1, weight / total));
        if (wanted) bests.add(score);
      }
    };
    /** Parts before this one are read, the others looked up. */
    let read = parts.length;
    for (let first = true; ; first = false) {
      while (read > 0 && !reachable(rule, { ...(parts[read - 1] as QueryPart), least: bests.least })) read--;
      let start = noDocument;
      for (let at = 0; at < read; at++) start = Math.min(start, (readers[at] as PartReader).document);
      if (start === noDocument) break;
      window.open(start, first);
      for (let at = 0; at < read; at++) (readers[at] as PartReader).fill(window);
      candidates.take(window);
      for (let at = read; at < parts.length; at++) {
        const { most, cover } = parts[at] as QueryPart;
        candidates.sift(rule, { most, cover, least: bests.least });
        (readers[at] as PartReader).lift(candidates);
      }
      note(true);
    }
    found.keepFrom(bests.least);
    const reads = readers.reduce((sum, { reads }) => sum + reads, 0);
    const others = [...new Set(kept)].filter((document) => !found.has(document));
    if (others.length > 0) {
      const again = parts.map((part) => pool.open(part));
      for (const document of others.sort((a, b) => a - b)) {
        candidates.set(document);
        for (const reader of again) reader.lift(candidates);
        note(false);
      }
    }
    return found.scores({ ideal, reads });
  };
}
