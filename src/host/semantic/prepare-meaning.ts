import type { SemanticAddress, SemanticFolder, SemanticSetting } from "../../core/configuration.ts";
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
import { toNative } from "../native-path.ts";
import { cachedEmbedder } from "./embedding-cache.ts";
import type { FolderEmbedder } from "./onnx/onnx-embedder.ts";
import { openaiEmbedder } from "./openai-embedder.ts";

/** Joins answers by words with meaning, for the requests that it was prepared for. */
export interface Meaning {
  /** Which file of the folder is run; null = the model is behind an address. */
  readonly file: string | null;
  fuse(query: string, words: readonly SearchResult[], limit: number): readonly FusedResult[];
}

export interface PrepareOptions {
  readonly setting: SemanticSetting;
  readonly environment: Environment;
  /** An evaluation: an address has the time for each request of 64 texts, a model in a folder is waited for. */
  readonly patient?: boolean;
}

/**
 * Gets the vectors of all documents and requests as the setting says, those in the cache folder excepted.
 * Throws `SkilletError` "failed" when not all are there in time: the setting's time holds for everything together. What came
 * in time is kept, so that the next call goes on from there.
 */
export async function prepareMeaning(
  {
    documents,
    queries,
  }: { readonly documents: readonly SearchDocument[]; readonly queries: readonly string[] },
  options: PrepareOptions,
): Promise<Meaning> {
  const { setting, environment, patient = false } = options;
  const { weight, timeout } = setting;
  const cache = cacheFolder(environment);
  const signal = "folder" in setting && !patient ? AbortSignal.timeout(timeout) : undefined;
  const source: Embedder & { readonly file?: string } =
    "folder" in setting
      ? await folderEmbedder(setting, { environment, cache: join(cache, "models") })
      : timedAddress(setting, options);
  const { prefixes } = source;
  const textOf = (document: SearchDocument): string => meaningOf(document, prefixes);
  const textOfRequest = (query: string): string => meaningOfRequest(query, prefixes);
  const texts = [...new Set([...documents.map(textOf), ...queries.map(textOfRequest)])];
  let made = 0;
  const counted = { signal, onVector: () => void made++ };
  const vectors = await cachedEmbedder(source, toNative(join(cache, "vectors")))
    .embed(texts, counted)
    .catch((error: unknown) => {
      if (signal?.aborted !== true || error instanceof SkilletError) throw error;
      throw outOfTime({ made, all: texts.length, timeout });
    });
  const length = vectors[0]?.length;
  if (vectors.some((vector) => vector.length !== length))
    throw new SkilletError("failed", "The model gave vectors of different length.");
  const vectorOf = new Map(texts.map((text, number) => [text, vectors[number]]));
  return {
    file: source.file ?? null,
    fuse: (query, words, limit) => {
      const own = vectorOf.get(textOfRequest(query));
      if (own === undefined) return words.slice(0, limit);
      const similar = similarTo(own, documents, (document) => vectorOf.get(textOf(document)));
      return fuseMeaning(words, similar, { weight, limit });
    },
  };
}

function keyOf({ key }: SemanticAddress, environment: Environment): string | undefined {
  if (key === null) return undefined;
  const value = variable(environment, key)?.trim() ?? "";
  if (value === "") throw new SkilletError("failed", `The variable ${key}, which holds the key, is not set.`);
  return value;
}

/** The address, with what is left of the time for each request. */
function timedAddress(
  setting: SemanticAddress & SemanticSetting,
  { environment, patient = false }: PrepareOptions,
): Embedder {
  const { url, model, timeout } = setting;
  const key = keyOf(setting, environment);
  const prefixes = prefixesOf(setting);
  const end = performance.now() + timeout;
  const within = (): Embedder => {
    const left = patient ? timeout : Math.max(1, end - performance.now());
    return openaiEmbedder({ url, model, key, timeout: left, ...prefixes });
  };
  const { id, prefixes: own } = within();
  return { id, prefixes: own, embed: (texts, options) => within().embed(texts, options) };
}

/** The model in a folder; it is loaded when a vector is missing. */
async function folderEmbedder(
  setting: SemanticFolder & SemanticSetting,
  { environment, cache }: { readonly environment: Environment; readonly cache: string },
): Promise<FolderEmbedder> {
  const { onnxEmbedder } = await import("./onnx/onnx-embedder.ts");
  return onnxEmbedder({
    folder: toNative(setting.folder),
    cache: toNative(cache),
    ...(setting.file === null ? {} : { file: setting.file }),
    nodePath: variable(environment, "NODE_PATH") ?? undefined,
    ...prefixesOf(setting),
  });
}

function outOfTime(count: {
  readonly made: number;
  readonly all: number;
  readonly timeout: number;
}): SkilletError {
  const { made, all, timeout } = count;
  return new SkilletError(
    "failed",
    `The model was not done within ${timeout} ms; ${made} more of ${all} texts have vectors now.`,
    { hint: "They are kept, and the next search goes on from there; or give it a longer `timeout` once." },
  );
}

function prefixesOf({ requestPrefix, documentPrefix }: SemanticSetting): {
  readonly requestPrefix?: string;
  readonly documentPrefix?: string;
} {
  return {
    ...(requestPrefix === null ? {} : { requestPrefix }),
    ...(documentPrefix === null ? {} : { documentPrefix }),
  };
}
