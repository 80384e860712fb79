import { existsSync } from "node:fs";
import { join } from "node:path";
import { modelError, reasonOf } from "./model-error.ts";
import type { ModelFolder } from "./model-folder.ts";
import type { ModelPackages, OnnxSession, OnnxTensor } from "./optional-packages.ts";
import { normalize, poolTokens } from "./pool-tokens.ts";

/** Vectors of length 1 for texts as numbers of tokens, in their order. They are run together, filled up to the longest. */
export type RunModel = (rows: readonly Row[]) => Promise<readonly Float32Array[]>;

/** Numbers of a text's tokens. */
type Row = readonly number[];

/** Outputs in the order in which they are wanted; `sentence_embedding` needs no pooling. */
const outputs = ["sentence_embedding", "sentence_embeddings", "last_hidden_state", "token_embeddings"];

/**
 * Loads the model. Throws `SkilletError` "failed" that names the file where it cannot be loaded, or wants or gives what this
 * does not know; running it does so too.
 */
export async function openModel(model: ModelFolder, packages: ModelPackages): Promise<RunModel> {
  const path = join(model.folder, model.file);
  const session = await packages.openSession(path).catch((error: unknown) => {
    throw loadError(path, error);
  });
  const unknown = session.inputNames.filter((name) => numbers[name] === undefined);
  if (unknown.length > 0 || !session.inputNames.includes("input_ids"))
    throw modelError(
      unknown.length > 0
        ? `${path} wants inputs that a text does not give: ${unknown.join(", ")}.`
        : `${path} has no input input_ids, but ${session.inputNames.join(", ")}.`,
      "Choose a sentence embedding model in its ONNX form (export for feature extraction), or another `file`.",
    );
  const output = outputs.find((name) => session.outputNames.includes(name)) ?? outputOf(session);
  const make = feedsFor(session, { packages, padding: model.padding });
  return async (rows) => {
    const given = await session.run(make(rows), [output]).catch((error: unknown) => {
      throw modelError(
        `${path} failed at a text: ${reasonOf(error)}.`,
        "Look whether tokenizer.json and the model belong together.",
        error,
      );
    });
    return vectorsOf(given[output], { rows, model, path, output });
  };
}

/** What a model without the usual names gives, `pooler_output` only where there is nothing else. */
function outputOf({ outputNames }: OnnxSession): string {
  return outputNames.find((name) => name !== "pooler_output") ?? outputNames[0] ?? "";
}

/** Number of an input at one place of a text. */
const numbers: Readonly<Record<string, (row: Row, place: number, padding: number) => number>> = {
  input_ids: (row, place, padding) => row[place] ?? padding,
  attention_mask: (row, place) => (place < row.length ? 1 : 0),
  token_type_ids: () => 0,
  position_ids: (_, place) => place,
};

function feedsFor(
  session: OnnxSession,
  { packages, padding }: { readonly packages: ModelPackages; readonly padding: number },
): (rows: readonly Row[]) => Readonly<Record<string, unknown>> {
  const narrow = session.inputMetadata?.filter(({ type }) => type === "int32").map(({ name }) => name) ?? [];
  return (rows) => {
    const longest = longestOf(rows);
    const size = [rows.length, longest];
    const feed = (name: string): unknown => {
      const number = numbers[name] as (typeof numbers)[string];
      const at = (index: number): number =>
        number(rows[Math.floor(index / longest)] as Row, index % longest, padding);
      const count = rows.length * longest;
      if (narrow.includes(name))
        return packages.tensor(
          "int32",
          Int32Array.from({ length: count }, (_, index) => at(index)),
          size,
        );
      const data = BigInt64Array.from({ length: count }, (_, index) => BigInt(at(index)));
      return packages.tensor("int64", data, size);
    };
    return Object.fromEntries(session.inputNames.map((name) => [name, feed(name)]));
  };
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
