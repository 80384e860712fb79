import { existsSync } from "node:fs";
import { join } from "node:path";
import { modelError, reasonOf } from "./model-error.ts";
import type { ModelFolder } from "./model-folder.ts";
import type { ModelPackages, OnnxSession, OnnxTensor } from "./optional-packages.ts";
import { normalize, poolTokens } from "./pool-tokens.ts";

export interface ModelSession {
  /** Vectors of length 1 for texts, in their order. They are run together, filled up to the longest. */
  run(rows: readonly Row[]): Promise<readonly Float32Array[]>;
  /** The model was made for texts with special tokens around them; a plain table of vectors was not. */
  readonly special: boolean;
}

/** Numbers of a text's tokens. */
type Row = readonly number[];

/** Outputs in the order in which they are wanted; `sentence_embedding` needs no pooling. */
const outputs = ["sentence_embedding", "sentence_embeddings", "last_hidden_state", "token_embeddings"];

/**
 * Loads the model. Throws `SkilletError` "failed" that names the file where it cannot be loaded, or wants or gives what this
 * does not know; running it does so too.
 */
export async function openModel(
  model: ModelFolder,
  { packages, padding }: { readonly packages: ModelPackages; readonly padding: number },
): Promise<ModelSession> {
  const path = join(model.folder, model.file);
  const session = await packages.openSession(path).catch((error: unknown) => {
    throw loadError(path, error);
  });
  const flat = session.inputNames.includes("offsets");
  checkInputs(session, path, flat ? flatNames : [...grid.keys()]);
  const output = outputs.find((name) => session.outputNames.includes(name)) ?? outputOf(session);
  if (model.layer !== null && !output.startsWith("sentence_embedding"))
    throw modelError(
      `${join(model.folder, "modules.json")} wants a layer after the model, ${model.layer}, which ${path} does not hold.`,
      "Choose an .onnx file whose output is sentence_embedding, or another model.",
    );
  const make = flat ? flatFeeds : gridFeeds;
  return {
    special: !flat,
    run: async (rows) => {
      const feeds = make(rows, { session, packages, padding });
      const given = await session.run(feeds, [output]).catch((error: unknown) => {
        throw modelError(
          `${path} failed at a text: ${reasonOf(error)}.`,
          "Look whether tokenizer.json and the model belong together.",
          error,
        );
      });
      return vectorsOf(given[output], { rows, model, path, output });
    },
  };
}

function checkInputs({ inputNames }: OnnxSession, path: string, known: readonly string[]): void {
  const unknown = inputNames.filter((name) => !known.includes(name));
  if (unknown.length === 0 && inputNames.includes("input_ids")) return;
  throw modelError(
    unknown.length > 0
      ? `${path} wants inputs that a text does not give: ${unknown.join(", ")}.`
      : `${path} has no input input_ids, but ${inputNames.join(", ")}.`,
    "Choose a sentence embedding model in its ONNX form (export for feature extraction), or another `file`.",
  );
}

/** What a model without the usual names gives, `pooler_output` only where there is nothing else. */
function outputOf({ outputNames }: OnnxSession): string {
  return outputNames.find((name) => name !== "pooler_output") ?? outputNames[0] ?? "";
}

interface FeedOptions {
  readonly session: OnnxSession;
  readonly packages: ModelPackages;
  readonly padding: number;
}
type Feeds = Readonly<Record<string, unknown>>;

/** Inputs of texts × tokens: the number at one place of a text. */
const grid: ReadonlyMap<string, (row: Row, place: number, padding: number) => number> = new Map([
  ["input_ids", (row: Row, place: number, padding: number) => row[place] ?? padding],
  ["attention_mask", (row: Row, place: number) => (place < row.length ? 1 : 0)],
  ["token_type_ids", () => 0],
  ["position_ids", (_: Row, place: number) => place],
]);
/** Inputs of a table of vectors: the tokens of all texts one after another, and where each text begins. */
const flatNames: readonly string[] = ["input_ids", "offsets"];

function gridFeeds(rows: readonly Row[], { session, packages, padding }: FeedOptions): Feeds {
  const longest = longestOf(rows);
  const feed = (name: string): unknown => {
    const number = grid.get(name) ?? (() => 0);
    const values = Array.from({ length: rows.length * longest }, (_, index) =>
      number(rows[Math.floor(index / longest)] ?? [], index % longest, padding),
    );
    return tensorOf(values, { name, session, packages, size: [rows.length, longest] });
  };
  return Object.fromEntries(session.inputNames.map((name) => [name, feed(name)]));
}

function flatFeeds(rows: readonly Row[], { session, packages, padding }: FeedOptions): Feeds {
  // A text without tokens gets a filling one, and no vector from it.
  const filled = rows.map((row) => (row.length === 0 ? [padding] : row));
  let from = 0;
  const starts = filled.map(({ length }) => {
    from += length;
    return from - length;
  });
  const feed = (name: string, values: readonly number[]): unknown =>
    tensorOf(values, { name, session, packages, size: [values.length] });
  return { input_ids: feed("input_ids", filled.flat()), offsets: feed("offsets", starts) };
}

function tensorOf(
  values: readonly number[],
  input: Omit<FeedOptions, "padding"> & { readonly name: string; readonly size: readonly number[] },
): unknown {
  const { session, packages, name, size } = input;
  const narrow = session.inputMetadata?.find((one) => one.name === name)?.type === "int32";
  return narrow
    ? packages.tensor("int32", Int32Array.from(values), size)
    : packages.tensor("int64", BigInt64Array.from(values, BigInt), size);
}

/** Tokens to which all texts are filled up; one at least. */
function longestOf(rows: readonly Row[]): number {
  return Math.max(1, ...rows.map(({ length }) => length));
}

function vectorsOf(
  tensor: OnnxTensor | undefined,
  from: {
    readonly rows: readonly Row[];
    readonly model: ModelFolder;
    readonly path: string;
    readonly output: string;
  },
): readonly Float32Array[] {
  const { rows, model, path, output } = from;
  const longest = longestOf(rows);
  const { dims = [], data } = tensor ?? {};
  const [texts, second = 0, third] = dims;
  const width = third ?? second;
  const fits = texts === rows.length && width > 0 && (third === undefined || second === longest);
  if (!(data instanceof Float32Array) || dims.length < 2 || dims.length > 3 || !fits)
    throw modelError(
      `${path} gives ${output} as ${tensor?.type ?? "nothing"} of ${dims.join(" × ")} for ${rows.length} × ${longest} tokens.`,
      "Wanted is float32, texts × tokens × width or texts × width: choose another `file` or model.",
    );
  const size = data.length / rows.length;
  return rows.map(({ length }, number) => {
    const values = data.subarray(number * size, (number + 1) * size);
    if (length === 0) return new Float32Array(width);
    const vector =
      third === undefined ? values : poolTokens(values, { pooling: model.pooling, width, count: length });
    if (!vector.every(Number.isFinite))
      throw modelError(
        `${path} gives values that are no numbers.`,
        "Download it again, or choose another `file`.",
      );
    return normalize(Float32Array.from(vector));
  });
}

function loadError(path: string, error: unknown): Error {
  const reason = reasonOf(error);
  const data = ["_data", ".data"].map((ending) => `${path}${ending}`);
  const missing = /external data|model_path must not be empty|cannot get file size|_data\b|\.data\b/i.test(
    reason,
  );
  if (missing && !data.some((file) => existsSync(file)))
    return modelError(
      `${path} keeps its weights in a file of its own, ${data[0]}, which is missing: ${reason}.`,
      "Download that file into the same folder.",
      error,
    );
  return modelError(
    `${path} cannot be loaded: ${reason}.`,
    "Download it again (a file of some hundred bytes is only a pointer to it), or choose another `file`.",
    error,
  );
}
