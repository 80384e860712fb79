import type { SemanticSetting } from "../../core/configuration.ts";
import { type Environment, variable } from "../../core/environment.ts";
import { SkilletError } from "../../core/error.ts";
import { join } from "../../core/path.ts";
import { cacheFolder } from "../../core/places.ts";
import type { SearchDocument, SearchResult } from "../../core/search/search-index.ts";
import {
  type Embedder,
  type FusedResult,
  fuseMeaning,
  meaningOf,
  meaningOfRequest,
  similarTo,
} from "../../core/search/semantic.ts";
import { cachedEmbedder } from "./embedding-cache.ts";
import { openaiEmbedder } from "./openai-embedder.ts";

/** Joins answers by words with meaning, for the requests that it was prepared for. */
export interface Meaning {
  fuse(query: string, words: readonly SearchResult[], limit: number): readonly FusedResult[];
}

/**
 * Gets the vectors of all documents and requests from the address of the setting, those in the cache folder excepted.
 * Throws `SkilletError` "failed" when not all are there in time: the setting's time holds for everything together, or
 * (`patient`) for each request of 64 texts. What came in time is kept, so that the next call goes on from there.
 */
export async function prepareMeaning(
  {
    documents,
    queries,
  }: { readonly documents: readonly SearchDocument[]; readonly queries: readonly string[] },
  options: {
    readonly setting: SemanticSetting;
    readonly environment: Environment;
    readonly patient?: boolean;
  },
): Promise<Meaning> {
  const { setting, environment } = options;
  const { weight } = setting;
  const texts = [...new Set([...documents.map(meaningOf), ...queries.map(meaningOfRequest)])];
  const embedder = cachedEmbedder(
    timedEmbedder(setting, { key: keyOf(setting, environment), patient: options.patient === true }),
    join(cacheFolder(environment), "vectors"),
  );
  const vectors = await embedder.embed(texts);
  const length = vectors[0]?.length;
  if (vectors.some((vector) => vector.length !== length))
    throw new SkilletError("failed", "The embeddings address gave vectors of different length.");
  const vectorOf = new Map(texts.map((text, number) => [text, vectors[number]]));
  return {
    fuse: (query, words, limit) => {
      const own = vectorOf.get(meaningOfRequest(query));
      if (own === undefined) return words.slice(0, limit);
      const similar = similarTo(own, documents, (document) => vectorOf.get(meaningOf(document)));
      return fuseMeaning(words, similar, { weight, limit });
    },
  };
}

function keyOf({ key }: SemanticSetting, environment: Environment): string | undefined {
  if (key === null) return undefined;
  const value = variable(environment, key)?.trim() ?? "";
  if (value === "") throw new SkilletError("failed", `The variable ${key}, which holds the key, is not set.`);
  return value;
}

/** The address, with what is left of the time for each request. */
function timedEmbedder(
  { url, model, timeout }: SemanticSetting,
  { key, patient }: { readonly key: string | undefined; readonly patient: boolean },
): Embedder {
  const end = performance.now() + timeout;
  const within = (): Embedder => {
    const left = patient ? timeout : Math.max(1, end - performance.now());
    return openaiEmbedder({ url, model, key, timeout: left });
  };
  return { id: within().id, embed: (texts) => within().embed(texts) };
}
