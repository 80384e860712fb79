import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { findModelFile } from "./find-model-file.ts";
import { modelError } from "./model-error.ts";
import type { Pooling } from "./pool-tokens.ts";
import { readPooling } from "./read-pooling.ts";

/** A sentence embedding model in the usual layout, as its settings describe it. Nothing is loaded yet. */
export interface ModelFolder {
  readonly folder: string;
  /** The model inside the folder, `onnx/model.onnx`. */
  readonly file: string;
  /** Every file that decides about vectors, inside the folder, sorted: weights, tokenizer, settings. */
  readonly files: readonly string[];
  /** Tokens of one text, special ones included; the rest is cut off. */
  readonly maxLength: number;
  readonly pooling: Pooling;
  /** A layer after the pooling that only other files hold; null = none. */
  readonly layer: string | null;
  /** Texts are written small before they are cut into tokens. */
  readonly lowerCase: boolean;
  /** Number of the token that fills short texts up; null = tokenizer.json may say. */
  readonly padding: number | null;
  /** What the model's own settings name as prefixes. */
  readonly prefixes: { readonly request: string | null; readonly document: string | null };
}

type Json = Readonly<Record<string, unknown>>;

/** Tokens of one text where no file says how many. */
const usualLength = 512;
/** Larger numbers of `model_max_length` mean that there is no limit. */
const unlimited = 1_000_000;
/** Families whose positions begin after the number of the filling token. */
const shifted = /roberta|camembert|mpnet/;
const settingFiles = [
  "tokenizer.json",
  "tokenizer_config.json",
  "config.json",
  "sentence_bert_config.json",
  "config_sentence_transformers.json",
  "modules.json",
];

/** Looks at a folder. Throws `SkilletError` "failed" that names file, reason and what to do. */
export function openModelFolder(folder: string, file: string | null): ModelFolder {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw modelError(
      `There is no folder ${folder}.`,
      "Correct `folder`; it holds tokenizer.json and model.onnx.",
    );
  const model = findModelFile(folder, file);
  // A large vocabulary takes a while to read; it waits until a text comes.
  if (statSync(join(folder, "tokenizer.json"), { throwIfNoEntry: false })?.isFile() !== true)
    throw modelError(
      `${join(folder, "tokenizer.json")} is missing.`,
      "Download the model's tokenizer.json into the folder; vocab.txt alone is not enough.",
    );
  const config = readJson(folder, "config.json") ?? {};
  const tokenizerConfig = readJson(folder, "tokenizer_config.json") ?? {};
  const sentence = readJson(folder, "sentence_bert_config.json") ?? {};
  const pooling = readPooling((path) => readJson(folder, path));
  return {
    folder,
    file: model.file,
    files: [...new Set([...settingFiles, pooling.file, ...model.weights])].sort(),
    maxLength: lengthOf({ config, tokenizerConfig, sentence }),
    pooling: pooling.pooling,
    layer: pooling.layer,
    lowerCase: sentence.do_lower_case === true,
    padding: whole(config.pad_token_id),
    prefixes: promptsOf(readJson(folder, "config_sentence_transformers.json")),
  };
}

/** An object in a file of the folder; null where there is no such file. */
export function readJson(folder: string, file: string): Json | null {
  const path = join(folder, file);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw modelError(`${path} cannot be read (${code}).`, "Make it readable, or download it again.");
  }
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    if (typeof value === "object" && value !== null) return value as Json;
  } catch {
    // Said below.
  }
  throw modelError(`${path} is no JSON object.`, "Download it again.");
}

function lengthOf(from: {
  readonly config: Json;
  readonly tokenizerConfig: Json;
  readonly sentence: Json;
}): number {
  const { config, tokenizerConfig, sentence } = from;
  const places = whole(config.max_position_embeddings);
  const family = typeof config.model_type === "string" ? config.model_type : "";
  const most = places === null ? null : shifted.test(family) ? places - 2 : places;
  const told = whole(sentence.max_seq_length) ?? whole(tokenizerConfig.model_max_length);
  return Math.max(1, Math.min(told ?? most ?? usualLength, most ?? Number.POSITIVE_INFINITY));
}

/** A count from a settings file; null where there is none or it stands for "no limit". */
function whole(value: unknown): number | null {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < unlimited
    ? value
    : null;
}

/** Number of the filling token as tokenizer.json says, else 0: what it is makes no difference behind the mask. */
export function paddingOf({ padding }: Json): number {
  return whole((padding as { readonly pad_id?: unknown } | null | undefined)?.pad_id) ?? 0;
}

function promptsOf(settings: Json | null): ModelFolder["prefixes"] {
  const prompts = (settings?.prompts ?? {}) as Json;
  const named = (...names: readonly string[]): string | null => {
    const found = names.map((name) => prompts[name]).find((prompt) => typeof prompt === "string");
    return typeof found === "string" ? found : null;
  };
  return { request: named("query"), document: named("document", "passage") };
}
