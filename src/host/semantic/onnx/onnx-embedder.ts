import { join, resolve } from "node:path";
import { checkOptions } from "../../../core/check-options.ts";
import type { Embedder, EmbedOptions } from "../../../core/search/semantic.ts";
import { modelDigest, modelState } from "./model-digest.ts";
import { modelError, reasonOf } from "./model-error.ts";
import { type ModelFolder, openModelFolder, paddingOf, readJson } from "./model-folder.ts";
import { type ModelSession, openModel } from "./model-session.ts";
import { type ModelPackages, modelPackages, type Tokenizer } from "./optional-packages.ts";
import { createTextEncoder, type TextEncoder } from "./text-encoder.ts";

export interface EmbeddingFolder {
  /** A sentence embedding model in the usual layout: tokenizer.json, and model.onnx or onnx/model.onnx. */
  readonly folder: string;
  /** Which .onnx file, counted from the folder; left out = the one with a usual name, or the only one. */
  readonly file?: string | undefined;
  /** What stands in front of requests and skills; left out = what the folder's own settings name, or nothing. */
  readonly requestPrefix?: string | undefined;
  readonly documentPrefix?: string | undefined;
  /** A folder to remember digests of models in; left out = all of a model is read once in each process. */
  readonly cache?: string | undefined;
  /** Folders where the two packages are searched too, like `NODE_PATH`. */
  readonly nodePath?: string | undefined;
}

/** An embedder that says which file it runs. */
export interface FolderEmbedder extends Embedder {
  /** The .onnx file inside the folder, with `/`. */
  readonly file: string;
}

/** Tokens that are run together at most, filling ones included; a single longer text is run alone. */
const tokensAtOnce = 256;
/** Vectors of one text that differ more than this, alone and with a longer one, depend on their neighbours. */
const tolerance = 1e-5;

/**
 * Vectors by a model in a folder of this machine, by the packages `onnxruntime-node` and `@huggingface/tokenizers`, which are
 * loaded on the first text. Nothing is downloaded. A text's vector is the same alone and with others: a model whose numbers
 * depend on what is run with them (8-bit weights) is run text by text. Throws `SkilletError` "failed" with file, reason
 * and what to do, for what is wrong in the folder at once, for what is wrong in the model on the first `embed`.
 */
export async function onnxEmbedder(place: EmbeddingFolder): Promise<FolderEmbedder> {
  checkOptions("onnxEmbedder", place, {
    folder: "text",
    file: "text",
    requestPrefix: "text",
    documentPrefix: "text",
    cache: "text",
    nodePath: "text",
  });
  const model = openModelFolder(resolve(place.folder), place.file ?? null);
  const state = modelState(model);
  const digest = await modelDigest(model, place.cache ?? null);
  let loaded: Promise<Loaded> | null = null;
  return {
    id: `onnx-1:${digest}`,
    file: model.file,
    prefixes: {
      request: place.requestPrefix ?? model.prefixes.request ?? "",
      document: place.documentPrefix ?? model.prefixes.document ?? "",
    },
    embed: async (texts, options = {}) => {
      options.signal?.throwIfAborted();
      loaded ??= load(model, { state, nodePath: place.nodePath ?? null });
      const { encode, run } = await loaded.catch((error: unknown) => {
        loaded = null;
        throw error;
      });
      return embedAll(texts.map(encode), run, options);
    },
  };
}

type RunModel = ModelSession["run"];

interface Loaded {
  readonly encode: TextEncoder;
  readonly run: RunModel;
}

async function load(
  model: ModelFolder,
  { state, nodePath }: { readonly state: string; readonly nodePath: string | null },
): Promise<Loaded> {
  const packages = await modelPackages(nodePath);
  const json = readJson(model.folder, "tokenizer.json") ?? {};
  const tokenizer = tokenizerOf(json, model, packages);
  const session = await openModel(model, { packages, padding: model.padding ?? paddingOf(json) });
  if (modelState(model) !== state)
    throw modelError(`The model in ${model.folder} was exchanged meanwhile.`, "Start again.");
  const encode = createTextEncoder(tokenizer, { ...model, special: session.special });
  return { encode, run: steadyRun(session.run, encode) };
}

function tokenizerOf(
  json: Readonly<Record<string, unknown>>,
  { folder }: ModelFolder,
  packages: ModelPackages,
): Tokenizer {
  const settings = readJson(folder, "tokenizer_config.json") ?? {};
  // A table of whole words names its token for unknown ones only there.
  const unknown = (json.model as { readonly unk_token?: unknown } | null | undefined)?.unk_token;
  try {
    return packages.createTokenizer(json, {
      ...settings,
      ...(typeof unknown === "string" ? { unk_token: unknown } : {}),
    });
  } catch (error) {
    throw modelError(
      `${join(folder, "tokenizer.json")} is no tokenizer that can be used: ${reasonOf(error)}.`,
      "Download tokenizer.json again, or choose another model.",
      error,
    );
  }
}

/** The same model, text by text where a text's vector depends on what it is run with; tried before the first such run. */
function steadyRun(run: RunModel, encode: TextEncoder): RunModel {
  let tried: Promise<boolean> | null = null;
  const isSteady = async (): Promise<boolean> => {
    const short = encode("a tool");
    const [alone] = await run([short]);
    const [beside] = await run([short, encode("Many other words, to be filled up to: 1234, and so on.")]);
    return alone?.every((value, place) => Math.abs(value - (beside?.[place] ?? 0)) < tolerance) === true;
  };
  return async (rows) => {
    if (rows.length <= 1) return run(rows);
    tried ??= isSteady();
    if (await tried) return run(rows);
    const vectors: Float32Array[] = [];
    for (const row of rows) vectors.push(...(await run([row])));
    return vectors;
  };
}

/** Short texts first, so that little is filled up; between two runs others get their turn. */
async function embedAll(
  rows: readonly (readonly number[])[],
  run: RunModel,
  { signal, onVector }: EmbedOptions,
): Promise<readonly Float32Array[]> {
  const lengthOf = (place: number): number => rows[place]?.length ?? 0;
  const order = [...rows.keys()].sort((a, b) => lengthOf(a) - lengthOf(b) || a - b);
  const vectors: Float32Array[] = [];
  for (let at = 0; at < order.length; ) {
    signal?.throwIfAborted();
    let end = at + 1;
    while (end < order.length && (end - at + 1) * lengthOf(order[end] as number) <= tokensAtOnce) end++;
    const places = order.slice(at, end);
    const made = await run(places.map((place) => rows[place] as readonly number[]));
    for (const [number, place] of places.entries()) {
      const vector = made[number] as Float32Array;
      vectors[place] = vector;
      onVector?.(place, vector);
    }
    at = end;
  }
  return vectors;
}
