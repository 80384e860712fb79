import { checkOptions } from "../../core/check-options.ts";
import { createSearchIndex, type IndexOptions, type SearchDocument } from "../../core/search/search-index.ts";
import {
  type Embedder,
  type FusedResult,
  fuseMeaning,
  meaningOf,
  meaningOfRequest,
  similarTo,
} from "../../core/search/semantic.ts";

export interface SemanticSearch {
  /** By words and meaning; by words alone, with `failed`, when the embedder gives nothing. */
  search(
    query: string,
    options?: { readonly limit?: number; readonly weight?: number },
  ): Promise<{ readonly results: readonly FusedResult[]; readonly failed: string | null }>;
}

/** Hits by words that meaning may move. */
const reordered = 50;

/** Lexical search with a second stage that compares meaning. Skills are embedded on the first search. */
export function createSemanticSearch(
  documents: readonly SearchDocument[],
  options: { readonly embedder: Embedder; readonly index?: IndexOptions },
): SemanticSearch {
  const index = createSearchIndex(documents, options.index ?? {});
  let vectors: Promise<readonly Float32Array[]> | null = null;
  return {
    search: async (query, request = {}) => {
      checkOptions("search", request, { limit: "number", weight: "number" });
      const limit = request.limit ?? 8;
      const weight = request.weight ?? undefined;
      const words = index.search(query, { limit: Math.max(limit, reordered) });
      if (query.trim() === "" || weight === 0) return { results: words.slice(0, limit), failed: null };
      try {
        vectors ??= options.embedder.embed(documents.map(meaningOf));
        const all = await vectors;
        const [own] = await options.embedder.embed([meaningOfRequest(query)]);
        if (own === undefined) return { results: words.slice(0, limit), failed: "no vector for the request" };
        const similar = similarTo(own, documents, (_, number) => all[number]);
        const results = fuseMeaning(words, similar, { limit, ...(weight === undefined ? {} : { weight }) });
        return { results, failed: null };
      } catch (error) {
        vectors = null;
        return {
          results: words.slice(0, limit),
          failed: error instanceof Error ? error.message : String(error),
        };
      }
    },
  };
}
