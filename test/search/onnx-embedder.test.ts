import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { type EmbeddingFolder, onnxEmbedder } from "../../src/index.ts";
import {
  type FolderFiles,
  noRuntime,
  packagesFolder,
  type WordTable,
  wordTable,
  writeModelFolder,
} from "./model-folder.ts";

const base = mkdtempSync(join(tmpdir(), "skillet-model-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

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

  it("cuts words into pieces, and Chinese into characters", async () => {
    const [pieces, chinese, emoji] = await vectorsOf(folderWith(), ["Stones, RED.", "天空山", "🙂 green"]);
    expectClose(pieces, plainVector(["stone", "##s", ",", "red", "."]));
    expectClose(chinese, plainVector(["天", "空", "山"]));
    expectClose(emoji, plainVector(["🙂", "green"]));
  });
});
