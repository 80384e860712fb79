import {
  type IndexOptions,
  type SearchDocument,
  type SearchOptions,
  type SearchResult,
  searchStored,
} from "../../core/search/search-index.ts";
import { buildIndexData, type StoredIndex } from "../../core/search/stored-index.ts";
import type { TypoFinder } from "../../core/search/typo.ts";
import type { CorpusTotals } from "./corpus-totals.ts";
import type { KnownTerm } from "./query-lexicon.ts";

/**
 * Searches some documents of a corpus as if the whole of it were there: terms are as common, fields as long and letters as
 * frequent as in all of it.
 */
export function searchCandidates(
  documents: readonly SearchDocument[],
  options: {
    readonly query: string;
    readonly request: SearchOptions;
    readonly index: IndexOptions;
    readonly totals: CorpusTotals;
    /** What is known of the query's terms in the whole corpus. */
    readonly known: ReadonlyMap<string, KnownTerm>;
    /** What is meant by written words whose terms no document of the corpus holds. */
    readonly mended: ReadonlyMap<string, string>;
  },
): readonly SearchResult[] {
  const { query, request, index, totals, known, mended } = options;
  const stored = buildIndexData(documents, known.keys());
  const { terms } = stored.data.vocabulary;
  const frequency = stored.data.postings.frequency.slice();
  const metadataFrequency = stored.data.postings.metadataFrequency.slice();
  for (const { word, ndoc, mdoc } of known.values()) {
    const id = terms.find(word);
    frequency[id] = ndoc;
    metadataFrequency[id] = mdoc;
  }
  const whole: StoredIndex = {
    ...stored,
    data: {
      ...stored.data,
      postings: { ...stored.data.postings, frequency, metadataFrequency },
      hanDescriptions: totals.hanDescriptions,
      whole: totals,
    },
  };
  const typo: TypoFinder = (_term, word) => {
    const meant = mended.get(word);
    return meant === undefined ? -1 : terms.find(meant);
  };
  return searchStored(whole, { ...index, typo }).search(query, request);
}
