import type { Ranker } from "../../core/evaluation/evaluate.ts";
import { autoLoadFrom, nothingBelow } from "../../core/search/decide.ts";
import { createSearchIndex, type SearchDocument, type SearchResult } from "../../core/search/search-index.ts";
import { glossTable } from "../../host/gloss-file.ts";
import type { Meaning } from "../../host/semantic/prepare-meaning.ts";
import type { Skills } from "../../host/skills.ts";
import { movedByMeaning, stillFirst } from "../search-meaning.ts";

/**
 * A profile's own search, over a given corpus or over the skills that are found here; joined with meaning, where that
 * was prepared.
 */
export function rankerFor(
  skills: Skills,
  corpus: readonly SearchDocument[] | null,
  { meaning = null }: { readonly meaning?: Meaning | null } = {},
): Ranker {
  const limit = meaning === null ? 10 : movedByMeaning;
  const fused = (query: string, words: readonly SearchResult[]): readonly SearchResult[] =>
    meaning === null ? words : meaning.fuse(query, words, 10);
  const mirrored = skills.profile.search;
  if (corpus === null)
    return (query) => {
      const words = skills.search(query, { limit, autoLoad: true });
      const results = fused(query, words.results as readonly SearchResult[]);
      return {
        results: results.map(({ name, location, probability }) => ({ id: location, name, probability })),
        autoLoad: stillFirst(words.autoLoad, results),
        ...(mirrored === undefined ? { nothingFits: nothingFits(words.results[0]) } : {}),
      };
    };
  if (mirrored !== undefined) {
    const ids = new Map<string, string>();
    for (const { name, location } of corpus) if (!ids.has(name)) ids.set(name, location);
    return (query) => {
      const { results, autoLoad } = mirrored.rankTexts(query, corpus);
      return {
        results: results.map(({ name, score }) => ({ id: ids.get(name) ?? name, name, probability: score })),
        autoLoad,
      };
    };
  }
  const index = createSearchIndex(corpus, { gloss: glossTable });
  return (query) => {
    const words = index.search(query, { limit });
    const results = fused(query, words);
    const first = words[0];
    return {
      results: results.map(({ name, location, probability }) => ({ id: location, name, probability })),
      autoLoad:
        first !== undefined && first.probability >= autoLoadFrom ? stillFirst(first.name, results) : null,
      nothingFits: nothingFits(first),
    };
  };
}

function nothingFits(first: { readonly probability: number } | undefined): boolean {
  return first === undefined || first.probability < nothingBelow;
}
