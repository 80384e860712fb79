import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type OnnxGraph, onnxModel, type TableModel, tableModel } from "../../bench/onnx-model.ts";

/** Where the packages that run a model are; undefined = found without being told. */
export const packagesFolder = process.env.PEERS_FOLDER;
/** Why no model can be run here; null = it can. */
export const noRuntime: string | null = hasRuntime()
  ? null
  : "onnxruntime-node and @huggingface/tokenizers are not installed here, and PEERS_FOLDER names no folder with them";

const special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"];

/** A model that looks words up: its words, and the numbers that stand for each. */
export interface WordTable {
  /** All tokens; the special ones first. */
  readonly tokens: readonly string[];
  readonly width: number;
  /** Row by row. */
  readonly table: Float32Array;
}

/** `vector` gives the numbers of a word; the special tokens get small ones of their own. */
export function wordTable(
  words: readonly string[],
  width: number,
  vector: (word: string, column: number) => number,
): WordTable {
  const tokens = [...special, ...words];
  const table = Float32Array.from(
    tokens.flatMap((token, row) =>
      Array.from({ length: width }, (_, column) =>
        row < special.length ? ((row * 7 + column * 3) % 5) / 500 : vector(token, column),
      ),
    ),
  );
  return { tokens, width, table };
}

export interface FolderFiles extends Omit<TableModel, "table" | "width"> {
  /** Another graph than the plain table. */
  readonly graph?: OnnxGraph;
  /** Place of the model; default `model.onnx`. */
  readonly file?: string;
  /** Other files of the folder: an object is written as JSON. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** Writes a folder as models are published: tokenizer.json (WordPiece, lower case, [CLS] … [SEP]) and the model. */
export function writeModelFolder(folder: string, words: WordTable, files: FolderFiles = {}): void {
  const { file = "model.onnx", more = {}, graph, ...plain } = files;
  const { table, width } = words;
  write(join(folder, file), graph === undefined ? tableModel({ table, width, ...plain }) : onnxModel(graph));
  write(join(folder, "tokenizer.json"), JSON.stringify(tokenizerJson(words.tokens)));
  for (const [name, content] of Object.entries(more))
    write(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
}

/** Writes a file with the folders on the way. */
export function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** WordPiece with lower case, Chinese characters apart, and [CLS] … [SEP] around. */
export function tokenizerJson(tokens: readonly string[]): object {
  const [cls, sep] = [tokens.indexOf("[CLS]"), tokens.indexOf("[SEP]")];
  const around = (id: string): object => ({ SpecialToken: { id, type_id: 0 } });
  return {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: special.map((content, id) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: {
      type: "TemplateProcessing",
      single: [around("[CLS]"), { Sequence: { id: "A", type_id: 0 } }, around("[SEP]")],
      pair: [around("[CLS]"), { Sequence: { id: "A", type_id: 0 } }, around("[SEP]")],
      special_tokens: {
        "[CLS]": { id: "[CLS]", ids: [cls], tokens: ["[CLS]"] },
        "[SEP]": { id: "[SEP]", ids: [sep], tokens: ["[SEP]"] },
      },
    },
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
    },
  };
}

/**
 * A table of vectors as such models are exported: the tokens of all texts in one row (`input_ids`), where each text begins
 * (`offsets`), and the mean of each as `embeddings`, by a matrix that says which token belongs to which text.
 */
export function bagGraph({ table, width }: WordTable): OnnxGraph {
  const one = (name: string, value: number) => ({ name, dims: [1], values: BigInt64Array.of(BigInt(value)) });
  const node = (op: string, inputs: readonly string[], output: string, attributes = {}) => ({
    op,
    inputs,
    outputs: [output],
    attributes,
  });
  return {
    inputs: [
      { name: "input_ids", type: "int64", dims: ["tokens"] },
      { name: "offsets", type: "int64", dims: ["texts"] },
    ],
    outputs: [{ name: "embeddings", type: "float", dims: ["texts", width] }],
    initializers: [
      { name: "table", dims: [table.length / width, width], values: table },
      one("zero", 0),
      one("one", 1),
      one("much", 1 << 30),
      { name: "start", dims: [], values: BigInt64Array.of(0n) },
      { name: "step", dims: [], values: BigInt64Array.of(1n) },
    ],
    nodes: [
      node("Gather", ["table", "input_ids"], "rows"),
      node("Shape", ["input_ids"], "count"),
      node("Squeeze", ["count"], "stop"),
      node("Range", ["start", "stop", "step"], "places"),
      node("Slice", ["offsets", "one", "much", "zero"], "later"),
      node("Concat", ["later", "count"], "ends", { axis: 0 }),
      node("Unsqueeze", ["offsets", "one"], "from"),
      node("Unsqueeze", ["ends", "one"], "to"),
      node("GreaterOrEqual", ["places", "from"], "begun"),
      node("Less", ["places", "to"], "unfinished"),
      node("And", ["begun", "unfinished"], "belongs"),
      node("Cast", ["belongs"], "matrix", { to: 1 }),
      node("MatMul", ["matrix", "rows"], "sums"),
      node("ReduceSum", ["matrix", "one"], "sizes", { keepdims: 1 }),
      node("Div", ["sums", "sizes"], "embeddings"),
    ],
  };
}

function hasRuntime(): boolean {
  const places = packagesFolder === undefined ? [] : [packagesFolder];
  const require = createRequire(import.meta.url);
  return ["onnxruntime-node", "@huggingface/tokenizers"].every((name) => {
    if (places.some((place) => existsSync(join(place, name)))) return true;
    try {
      require.resolve(name);
      return true;
    } catch {
      return false;
    }
  });
}
