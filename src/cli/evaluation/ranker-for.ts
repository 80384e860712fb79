import type { Ranker } from "../../core/evaluation/evaluate.ts";
import { autoLoadFrom } from "../../core/search/decide.ts";
import { createSearchIndex, type SearchDocument } from "../../core/search/search-index.ts";
import { glossTable } from "../../host/gloss-file.ts";
import type { Skills } from "../../host/skills.ts";

/** A profile's own search, over a given corpus or over the skills that are found here. */
export function rankerFor(skills: Skills, corpus: readonly SearchDocument[] | null): Ranker {
  const mirrored = skills.profile.search;
  if (corpus === null)
    return (query) => {
      const { results, autoLoad } = skills.search(query, { limit: 10, autoLoad: true });
      return {
        results: results.map(({ name, location, probability }) => ({ id: location, name, probability })),
        autoLoad,
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
    const results = index.search(query, { limit: 10 });
    const first = results[0];
    return {
      results: results.map(({ name, location, probability }) => ({ id: location, name, probability })),
      autoLoad: first !== undefined && first.probability >= autoLoadFrom ? first.name : null,
    };
  };
}
