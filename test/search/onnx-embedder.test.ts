import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { cachedEmbedder, type EmbeddingFolder, onnxEmbedder } from "../../src/index.ts";
import {
  bagGraph,
  type FolderFiles,
  noRuntime,
  packagesFolder,
  tokenizerJson,
  type WordTable,
  wordTable,
  write,
  writeModelFolder,
} from "./model-folder.ts";

const base = mkdtempSync(join(tmpdir(), "skillet-model-"));
afterAll(() => rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

const words = ["red", "green", "blue", "stone", "river", "##s", "##ing", "天", "空", "山", "🙂", ",", "."];
const table = wordTable(words, 12, (word, column) =>
  Math.sin((word.codePointAt(0) ?? 0) * (column + 1) + word.length * 1.7),
);
let folders = 0;

/** A folder of its own for each, since the tests change them. */
function folderWith(files: FolderFiles = {}, own: WordTable = table): string {
  const folder = join(base, `model-${folders++}`);
  writeModelFolder(folder, own, files);
  return folder;
}
const open = (folder: string, more: Partial<EmbeddingFolder> = {}) =>
  onnxEmbedder({ folder, nodePath: packagesFolder, ...more });
async function vectorsOf(folder: string, texts: readonly string[]): Promise<readonly Float32Array[]> {
  return (await open(folder)).embed(texts);
}

type Combine = (rows: readonly (readonly number[])[]) => readonly number[];
const mean: Combine = (rows) =>
  (rows[0] ?? []).map((_, column) => rows.reduce((sum, row) => sum + (row[column] ?? 0), 0) / rows.length);

/** Length 1, of the words' rows with [CLS] and [SEP] around them. */
function plainVector(tokens: readonly string[], combine: Combine = mean, shift = 0): readonly number[] {
  const rows = ["[CLS]", ...tokens, "[SEP]"].map((token) => {
    const found = table.tokens.indexOf(token);
    const row = found < 0 ? table.tokens.indexOf("[UNK]") : found;
    return [...table.table.subarray(row * table.width, (row + 1) * table.width)].map(
      (value) => value + shift,
    );
  });
  const vector = combine(rows);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
function expectClose(vector: Float32Array | undefined, wanted: readonly number[]): void {
  expect(vector).toHaveLength(wanted.length);
  for (const [place, value] of wanted.entries()) expect(vector?.[place]).toBeCloseTo(value, 5);
}

describe.skipIf(noRuntime !== null)(`a model in a folder (${noRuntime ?? "run for real"})`, () => {
  const text = fc.array(fc.constantFrom(...words.slice(0, 5), "天", "空", "🙂", "other"), {
    minLength: 1,
    maxLength: 40,
  });

  it.each(["last_hidden_state", "sentence_embedding"] as const)(
    "gives by %s what a plain computation gives, alone and among others",
    async (output) => {
      const embedder = await open(folderWith({ output }));
      await fc.assert(
        fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 9 }), async (texts) => {
          const together = await embedder.embed(texts.map((tokens) => tokens.join(" ")));
          for (const [place, tokens] of texts.entries()) {
            expectClose(together[place], plainVector(tokens));
            const [alone] = await embedder.embed([tokens.join(" ")]);
            expectClose(alone, [...(together[place] ?? [])]);
          }
        }),
        { numRuns: 40 },
      );
    },
  );

  it("takes any text, and gives it the same vector of length 1 alone and among others", async () => {
    const embedder = await open(folderWith());
    const any = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: "binary", maxLength: 60 }),
      fc
        .array(fc.constantFrom("red", "\ud800", "\u0000", "[MASK]", "</s>", "\u200d", "天", "  ", "\r\n"))
        .map((all) => all.join("")),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(any, { minLength: 1, maxLength: 6 }), async (texts) => {
        const together = await embedder.embed(texts);
        for (const [place, text] of texts.entries()) {
          const vector = [...(together[place] ?? [])];
          expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
          expectClose((await embedder.embed([text]))[0], vector);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("cuts words into pieces, and Chinese into characters", async () => {
    const [pieces, chinese, emoji] = await vectorsOf(folderWith(), ["Stones, RED.", "天空山", "🙂 green"]);
    expectClose(pieces, plainVector(["stone", "##s", ",", "red", "."]));
    expectClose(chinese, plainVector(["天", "空", "山"]));
    expectClose(emoji, plainVector(["🙂", "green"]));
  });

  it("feeds zeros as token types where the model wants them", async () => {
    const [vector] = await vectorsOf(folderWith({ typeShift: 3 }), ["red stone"]);
    expectClose(vector, plainVector(["red", "stone"]));
  });

  it("gives no direction to a text without tokens, beside others and alone", async () => {
    for (const output of ["last_hidden_state", "sentence_embedding"] as const) {
      const bare = { ...tokenizerJson(table.tokens), post_processor: null };
      const embedder = await open(folderWith({ output, more: { "tokenizer.json": bare } }));
      const [empty, full] = await embedder.embed(["", "red"]);
      expect([...(empty ?? [])]).toEqual(Array.from({ length: 12 }, () => 0));
      expect(Math.hypot(...(full ?? []))).toBeCloseTo(1, 5);
      expect([...((await embedder.embed([" "]))[0] ?? [])]).toEqual([...(empty ?? [])]);
    }
  });

  it.each<readonly [string, Readonly<Record<string, unknown>>, number]>([
    ["sentence_bert_config.json", { "sentence_bert_config.json": { max_seq_length: 6 } }, 4],
    ["tokenizer_config.json", { "tokenizer_config.json": { model_max_length: 7 } }, 5],
    ["config.json", { "config.json": { max_position_embeddings: 8 } }, 6],
    [
      "config.json of a RoBERTa",
      { "config.json": { model_type: "xlm-roberta", max_position_embeddings: 10 } },
      6,
    ],
    [
      "sentence_bert_config.json first, config.json at most",
      {
        "sentence_bert_config.json": { max_seq_length: 300 },
        "tokenizer_config.json": { model_max_length: 4 },
        "config.json": { max_position_embeddings: 9 },
      },
      7,
    ],
    ["nothing: 512", { "tokenizer_config.json": { model_max_length: 1e30 } }, 510],
  ])("cuts a text at the length of %s, with its special tokens whole", async (_, more, kept) => {
    const tokens = Array.from({ length: 600 }, (__, place) => words[(place * place) % 5] as string);
    const [vector] = await vectorsOf(folderWith({ more }), [tokens.join(" ")]);
    expectClose(vector, plainVector(tokens.slice(0, kept)));
  });

  const column = (rows: readonly (readonly number[])[], join: (values: readonly number[]) => number) =>
    (rows[0] ?? []).map((_, place) => join(rows.map((row) => row[place] ?? 0)));
  it.each<readonly [string, Readonly<Record<string, unknown>>, Combine]>([
    ["cls", { "1_Pooling/config.json": { pooling_mode_cls_token: true } }, (rows) => rows[0] ?? []],
    ["lasttoken", { "1_Pooling/config.json": { pooling_mode_lasttoken: true } }, (rows) => rows.at(-1) ?? []],
    [
      "max",
      { "1_Pooling/config.json": { pooling_mode_max_tokens: true, pooling_mode_mean_tokens: false } },
      (rows) => column(rows, (values) => Math.max(...values)),
    ],
    [
      "weightedmean",
      { "1_Pooling/config.json": { pooling_mode_weightedmean_tokens: true } },
      (rows) => column(rows, (values) => values.reduce((sum, value, place) => sum + value * (place + 1), 0)),
    ],
    ["mean by the root", { "1_Pooling/config.json": { pooling_mode_mean_sqrt_len_tokens: true } }, mean],
    ["a word in the file", { "1_Pooling/config.json": { pooling_mode: "cls" } }, (rows) => rows[0] ?? []],
    [
      "the place that modules.json names",
      {
        "modules.json": [
          { path: "", type: "sentence_transformers.models.Transformer" },
          { path: "2_Other", type: "sentence_transformers.models.Pooling" },
          { path: "3_Normalize", type: "sentence_transformers.models.Normalize" },
        ],
        "1_Pooling/config.json": { pooling_mode_cls_token: true },
        "2_Other/config.json": { pooling_mode_lasttoken: true },
      },
      (rows) => rows.at(-1) ?? [],
    ],
  ])("joins tokens by %s", async (_, more, combine) => {
    const texts = [["red", "green", "river"], ["stone"]];
    const vectors = await vectorsOf(
      folderWith({ more }),
      texts.map((tokens) => tokens.join(" ")),
    );
    for (const [place, tokens] of texts.entries()) expectClose(vectors[place], plainVector(tokens, combine));
  });

  it("takes sentence_embedding as it is, whatever the pooling says", async () => {
    const more = { "1_Pooling/config.json": { pooling_mode_cls_token: true } };
    const [vector] = await vectorsOf(folderWith({ output: "sentence_embedding", more }), ["red stone"]);
    expectClose(vector, plainVector(["red", "stone"]));
  });

  it("runs a table of vectors over texts in one row, without special tokens", async () => {
    const embedder = await open(folderWith({ graph: bagGraph(table) }));
    const vectors = await embedder.embed(["red stone river", "", "天空", "blue"]);
    const bare = (tokens: readonly string[]) => plainVector(tokens, (rows) => mean(rows.slice(1, -1)));
    expectClose(vectors[0], bare(["red", "stone", "river"]));
    expect(vectors[1]?.every((value) => value === 0)).toBe(true);
    expectClose(vectors[2], bare(["天", "空"]));
    expectClose(vectors[3], bare(["blue"]));
  });

  it("knows words of a table of whole words, and writes texts small where the model wants that", async () => {
    const tokenizer = {
      ...tokenizerJson(table.tokens),
      normalizer: null,
      pre_tokenizer: { type: "WhitespaceSplit" },
      model: {
        type: "WordLevel",
        unk_token: "[UNK]",
        vocab: Object.fromEntries(table.tokens.map((token, id) => [token, id])),
      },
    };
    const more = { "tokenizer.json": tokenizer, "sentence_bert_config.json": { do_lower_case: true } };
    const [vector] = await vectorsOf(folderWith({ more }), ["RED other Stone"]);
    expectClose(vector, plainVector(["red", "[UNK]", "stone"]));
  });

  it("runs text by text a model of 8 bits, whose vectors would depend on their neighbours", async () => {
    const text = "texts";
    const embedder = await open(
      folderWith({
        graph: {
          inputs: [
            { name: "input_ids", type: "int64", dims: [text, "tokens"] },
            { name: "attention_mask", type: "int64", dims: [text, "tokens"] },
          ],
          outputs: [{ name: "last_hidden_state", type: "float", dims: [text, "tokens", 12] }],
          nodes: [
            { op: "Gather", inputs: ["table", "input_ids"], outputs: ["rows"] },
            { op: "DynamicQuantizeLinear", inputs: ["rows"], outputs: ["bytes", "scale", "zero"] },
            { op: "DequantizeLinear", inputs: ["bytes", "scale", "zero"], outputs: ["last_hidden_state"] },
          ],
          initializers: [{ name: "table", dims: [table.tokens.length, 12], values: table.table }],
        },
      }),
    );
    const texts = ["red", "blue stone", "green river stone"];
    const together = await embedder.embed(texts);
    for (const [place, one] of texts.entries())
      expectClose((await embedder.embed([one]))[0], [...(together[place] ?? [])]);
  });

  it("tells of each vector as soon as it is there, and stops where it is told to", async () => {
    const embedder = await open(folderWith());
    const texts = Array.from({ length: 40 }, (_, place) => "red ".repeat(200 - place));
    const end = new AbortController();
    const told = new Map<number, Float32Array>();
    const stopped = embedder.embed(texts, {
      signal: end.signal,
      onVector: (place, vector) => {
        told.set(place, vector);
        if (told.size === 5) end.abort(new Error("enough"));
      },
    });
    await expect(stopped).rejects.toThrow("enough");
    expect(told.size).toBeGreaterThanOrEqual(5);
    expect(told.size).toBeLessThan(texts.length);
    for (const [place, vector] of told)
      expectClose(vector, plainVector((texts[place] ?? "").trim().split(" ")));
    await expect(embedder.embed(["red"], { signal: end.signal })).rejects.toThrow("enough");
  });

  it("keeps in the cache what was done before the end, and goes on from there", async () => {
    const folder = folderWith();
    const cache = join(base, "kept");
    const texts = Array.from({ length: 30 }, (_, place) => "green ".repeat(150 + place));
    const end = new AbortController();
    let made = 0;
    const first = cachedEmbedder(await open(folder), cache).embed(texts, {
      signal: end.signal,
      onVector: () => {
        if (++made === 4) end.abort();
      },
    });
    await expect(first).rejects.toThrow();
    const before = made;
    made = 0;
    const whole = await cachedEmbedder(await open(folder), cache).embed(texts, {
      onVector: () => void made++,
    });
    expect(made).toBe(texts.length - before);
    expect(before).toBeLessThan(texts.length);
    for (const [place, text] of texts.entries())
      expectClose(whole[place], plainVector(text.trim().split(" ")));
  });

  it("reads weights from a file beside the model", async () => {
    const folder = folderWith({ external: "model.onnx_data" });
    write(join(folder, "model.onnx_data"), new Uint8Array(table.table.buffer));
    expectClose((await vectorsOf(folder, ["red"]))[0], plainVector(["red"]));
  });

  it("takes prefixes from the settings of the model, unless others are named", async () => {
    const prompts = { query: "query: ", passage: "passage: " };
    const folder = folderWith({ more: { "config_sentence_transformers.json": { prompts } } });
    expect((await open(folder)).prefixes).toEqual({ request: "query: ", document: "passage: " });
    const own = await open(folder, { requestPrefix: "", documentPrefix: "skill: " });
    expect(own.prefixes).toEqual({ request: "", document: "skill: " });
    expect((await open(folderWith())).prefixes).toEqual({ request: "", document: "" });
  });
});
