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
import { endOf } from "./end-of.ts";

export interface SemanticSearchRequest {
  readonly limit?: number;
  readonly weight?: number;
  /** Milliseconds that meaning may take; then the answer is by words, and the skills go on being embedded for the next. */
  readonly timeout?: number;
  /** The search rejects with its reason; skills go on being embedded for others. */
  readonly signal?: AbortSignal;
}

export interface SemanticSearch {
  /** By words and meaning; by words alone, with `failed`, when the embedder gives nothing. */
  search(
    query: string,
    options?: SemanticSearchRequest,
  ): Promise<{ readonly results: readonly FusedResult[]; readonly failed: string | null }>;
}

/** Hits by words that meaning may move. */
const reordered = 50;

/** Lexical search with a second stage that compares meaning. Skills are embedded on the first search. */
export function createSemanticSearch(
  documents: readonly SearchDocument[],
  options: { readonly embedder: Embedder; readonly index?: IndexOptions },
): SemanticSearch {
  const { embedder } = options;
  const index = createSearchIndex(documents, options.index ?? {});
  let vectors: Promise<readonly Float32Array[]> | null = null;
  const embedded = async (query: string, signal: AbortSignal): Promise<Embedded> => {
    vectors ??= embedder.embed(documents.map((document) => meaningOf(document, embedder.prefixes)));
    const started = vectors;
    started.catch(() => {
      if (vectors === started) vectors = null;
    });
    const all = await until(started, signal);
    const text = meaningOfRequest(query, embedder.prefixes);
    const [own] = await until(embedder.embed([text], { signal }), signal);
    return { all, own };
  };
  return {
    search: async (query, request = {}) => {
      checkOptions("search", request, {
        limit: "number",
        weight: "number",
        timeout: "time",
        signal: "object",
      });
      const limit = request.limit ?? 8;
      const weight = request.weight ?? undefined;
      const { timeout, signal } = request;
      signal?.throwIfAborted();
      const words = index.search(query, { limit: Math.max(limit, reordered) });
      const byWords = (failed: string | null) => ({ results: words.slice(0, limit), failed });
      if (query.trim() === "" || weight === 0) return byWords(null);
      const over = endOf({ signal, timeout });
      try {
        const { all, own } = await embedded(query, over.signal);
        if (own === undefined) return byWords("no vector for the request");
        const similar = similarTo(own, documents, (_, number) => all[number]);
        const results = fuseMeaning(words, similar, { limit, ...(weight === undefined ? {} : { weight }) });
        return { results, failed: null };
      } catch (error) {
        signal?.throwIfAborted();
        if (over.signal.aborted) return byWords(`no answer within ${timeout} ms`);
        return byWords(error instanceof Error ? error.message : String(error));
      } finally {
        over.release();
      }
    },
  };
}

interface Embedded {
  readonly all: readonly Float32Array[];
  readonly own: Float32Array | undefined;
}

/** What the promise gives, or a rejection as soon as the signal says so. */
async function until<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  let stop = (): void => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
