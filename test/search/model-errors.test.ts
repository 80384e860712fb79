import { mkdtempSync, rmSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { OnnxGraph } from "../../bench/onnx-model.ts";
import { onnxEmbedder, SkilletError } from "../../src/index.ts";
import {
  type FolderFiles,
  noRuntime,
  packagesFolder,
  tokenizerJson,
  wordTable,
  write,
  writeModelFolder,
} from "./model-folder.ts";

const base = mkdtempSync(join(tmpdir(), "skillet-model-errors-"));
afterAll(() => rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

const table = wordTable(["red", "stone"], 4, (word, column) => word.length + column);
let folders = 0;
function folderWith(files: FolderFiles = {}): string {
  const folder = join(base, `model-${folders++}`);
  writeModelFolder(folder, table, files);
  return folder;
}

/** What opening and running it says: message and hint. */
async function problem(folder: string, more: { readonly file?: string } = {}): Promise<string> {
  try {
    const embedder = await onnxEmbedder({ folder, nodePath: packagesFolder, ...more });
    await embedder.embed(["red stone", "red"]);
  } catch (error) {
    if (!(error instanceof SkilletError)) throw error;
    expect(error.code).toBe("failed");
    return `${error.message} ${error.hint}`;
  }
  return "nothing";
}

describe("a folder that is no model", () => {
  it("is not there, or is a file", async () => {
    expect(await problem(join(base, "nowhere"))).toMatch(/^There is no folder .*nowhere\. .*`folder`/);
    write(join(base, "file"), "x");
    expect(await problem(join(base, "file"))).toContain("There is no folder");
  });

  it("holds no model, no tokenizer, or none that can be read", async () => {
    write(join(base, "empty/tokenizer.json"), "{}");
    expect(await problem(join(base, "empty"))).toMatch(/empty holds no \.onnx file.*onnx\/model\.onnx/);
    const folder = folderWith();
    unlinkSync(join(folder, "tokenizer.json"));
    expect(await problem(folder)).toMatch(/tokenizer\.json is missing.*vocab\.txt/);
    expect(await problem(folderWith({ more: { "config.json": "[" } }))).toContain(
      "config.json is no JSON object",
    );
  });

  it("holds several models, or not the one that is named", async () => {
    const folder = folderWith({ file: "one.onnx" });
    write(join(folder, "onnx/two.onnx"), "");
    expect(await problem(folder)).toMatch(/several models.*one\.onnx, onnx\/two\.onnx.*`file`/);
    expect(await problem(folder, { file: "three.onnx" })).toMatch(
      /three\.onnx is missing.*There is: one\.onnx/,
    );
    expect(await problem(folder, { file: "../other/model.onnx" })).toMatch(/outside.*`file` counts from/);
    expect(await problem(folder, { file: join(folder, "one.onnx") })).toContain("outside");
  });

  it("wants a pooling that is not known here", async () => {
    const pooling = (config: object) => folderWith({ more: { "1_Pooling/config.json": config } });
    expect(await problem(pooling({ pooling_mode: "attention" }))).toMatch(
      /wants the pooling attention.*mean, cls/,
    );
    const both = { pooling_mode_cls_token: true, pooling_mode_mean_tokens: true };
    expect(await problem(pooling(both))).toContain("cls with mean");
  });

  it("cannot be run without the two packages, and says how to get them", async () => {
    const embedder = await onnxEmbedder({ folder: folderWith(), nodePath: base });
    await expect(embedder.embed(["red"])).rejects.toMatchObject({
      code: "failed",
      message: expect.stringMatching(/onnxruntime-node and @huggingface\/tokenizers.*not installed here/),
      hint: expect.stringMatching(/npm install (?:-g )?onnxruntime-node @huggingface\/tokenizers$/),
    });
  });

  it("refuses options that are none", async () => {
    await expect(onnxEmbedder({ folder: base, folders: "x" } as never)).rejects.toThrow(
      'Did you mean "folder"?',
    );
    await expect(onnxEmbedder({ folder: 5 } as never)).rejects.toThrow("has to be a text");
  });
});

const free = ["texts", "tokens"];
const graph = (more: Partial<OnnxGraph>): OnnxGraph => ({
  inputs: [{ name: "input_ids", type: "int64", dims: free }],
  outputs: [{ name: "last_hidden_state", type: "float", dims: [...free, 4] }],
  nodes: [{ op: "Gather", inputs: ["table", "input_ids"], outputs: ["last_hidden_state"] }],
  initializers: [{ name: "table", dims: [table.tokens.length, 4], values: table.table }],
  ...more,
});

describe.skipIf(noRuntime !== null)(`a model that cannot be used (${noRuntime ?? "run for real"})`, () => {
  it("is the first with a usual name, or the only one", async () => {
    const folder = folderWith({ file: "onnx/model.onnx" });
    write(join(folder, "onnx/model_quantized.onnx"), "broken");
    write(join(folder, "other.onnx"), "broken");
    expect(await problem(folder)).toBe("nothing");
    expect(await problem(folder, { file: "onnx/model_quantized.onnx" })).toContain(
      "model_quantized.onnx cannot be loaded",
    );
    expect(await problem(folder, { file: "onnx\\model.onnx" })).toBe("nothing");
    write(join(folder, "model.onnx"), "broken");
    expect(await problem(folder)).toMatch(/\/model\.onnx cannot be loaded/);
    expect(await problem(folderWith({ file: "any.onnx" }))).toBe("nothing");
  });

  it("is no model, or lacks its weights", async () => {
    const folder = folderWith();
    write(join(folder, "model.onnx"), "version https://git-lfs.github.com/spec/v1\nsize 90405214\n");
    expect(await problem(folder)).toMatch(/model\.onnx cannot be loaded: .*Download it again/);
    write(join(folder, "model.onnx"), "");
    expect(await problem(folder)).toContain("model.onnx cannot be loaded");
    expect(await problem(folderWith({ external: "model.onnx_data" }))).toMatch(
      /keeps its weights in a file of its own, .*model\.onnx_data, which is missing.*same folder/,
    );
  });

  it("has no tokenizer that fits", async () => {
    const folder = folderWith({ more: { "tokenizer.json": "{ not JSON" } });
    expect(await problem(folder)).toMatch(/tokenizer\.json is no JSON object.*again/);
    const broken = { ...tokenizerJson(table.tokens), model: { type: "WordPiece" } };
    expect(await problem(folderWith({ more: { "tokenizer.json": broken } }))).toMatch(
      /tokenizer\.json is no tokenizer/,
    );
    expect(await problem(folderWith({ more: { "tokenizer.json": {} } }))).toMatch(
      /tokenizer\.json is no tokenizer/,
    );
    const larger = tokenizerJson(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "b", "red", "stone"]);
    expect(await problem(folderWith({ more: { "tokenizer.json": larger } }))).toMatch(
      /model\.onnx failed at a text: .*tokenizer\.json and the model belong together/,
    );
  });

  it("wants inputs that are not known", async () => {
    const inputs = [
      { name: "input_ids", type: "int64", dims: free },
      { name: "pixel_values", type: "float", dims: free },
    ] as const;
    expect(await problem(folderWith({ graph: graph({ inputs }) }))).toMatch(
      /inputs that a text does not give: pixel_values/,
    );
    const renamed = graph({
      inputs: [{ name: "attention_mask", type: "int64", dims: free }],
      nodes: [{ op: "Gather", inputs: ["table", "attention_mask"], outputs: ["last_hidden_state"] }],
    });
    expect(await problem(folderWith({ graph: renamed }))).toContain(
      "has no input input_ids, but attention_mask",
    );
  });

  it("gives something else than vectors", async () => {
    const ids = graph({
      outputs: [{ name: "last_hidden_state", type: "int64", dims: free }],
      nodes: [{ op: "Identity", inputs: ["input_ids"], outputs: ["last_hidden_state"] }],
      initializers: [],
    });
    expect(await problem(folderWith({ graph: ids }))).toMatch(
      /gives last_hidden_state as int64 of 1 × 4 for 1 × 4 tokens/,
    );
    const one = graph({
      outputs: [{ name: "sum", type: "float", dims: [] }],
      nodes: [
        { op: "Gather", inputs: ["table", "input_ids"], outputs: ["rows"] },
        { op: "ReduceMax", inputs: ["rows"], outputs: ["sum"], attributes: { keepdims: 0 } },
      ],
    });
    expect(await problem(folderWith({ graph: one }))).toMatch(
      /gives sum as float32 of .* for .*Wanted is float32/,
    );
    const numbers = Float32Array.from(table.table, () => Number.NaN);
    const initializers = [{ name: "table", dims: [table.tokens.length, 4], values: numbers }];
    expect(await problem(folderWith({ graph: graph({ initializers }) }))).toContain(
      "values that are no numbers",
    );
  });

  it("leaves out a layer that belongs to it", async () => {
    const modules = ["Transformer", "Pooling", "Dense"].map((type, place) => ({
      path: `${place}_${type}`,
      type: `sentence_transformers.models.${type}`,
    }));
    const more = { "modules.json": modules };
    expect(await problem(folderWith({ more }))).toMatch(/modules\.json wants a layer after the model, Dense/);
    expect(await problem(folderWith({ more, output: "sentence_embedding" }))).toBe("nothing");
  });

  it("may want other inputs and narrower numbers, and give an output without a usual name", async () => {
    const inputs = ["input_ids", "position_ids"].map(
      (name) => ({ name, type: "int32", dims: free }) as const,
    );
    const narrow = graph({
      inputs,
      outputs: [{ name: "output_0", type: "float", dims: [...free, 4] }],
      nodes: [
        { op: "Add", inputs: ["input_ids", "position_ids"], outputs: ["moved"] },
        { op: "Sub", inputs: ["moved", "position_ids"], outputs: ["back"] },
        { op: "Gather", inputs: ["table", "back"], outputs: ["output_0"] },
      ],
    });
    expect(await problem(folderWith({ graph: narrow }))).toBe("nothing");
  });
});
