import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { onnxEmbedder } from "../../src/index.ts";
import {
  type FolderFiles,
  noRuntime,
  packagesFolder,
  tokenizerJson,
  type WordTable,
  wordTable,
  write,
  writeModelFolder,
} from "./model-folder.ts";

const base = mkdtempSync(join(tmpdir(), "skillet-digest-"));
afterAll(() => rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

const tableOf = (more: number): WordTable =>
  wordTable(["red", "stone"], 4, (word, column) => word.length + column + more);
let folders = 0;
function folderWith(files: FolderFiles = {}, table = tableOf(0)): string {
  const folder = join(base, `model-${folders++}`);
  writeModelFolder(folder, table, files);
  return folder;
}
const idOf = async (
  folder: string,
  more: { readonly file?: string; readonly cache?: string } = {},
): Promise<string> => (await onnxEmbedder({ folder, ...more })).id;

it("an id is that of the content: the same for a copy, another after any change", async () => {
  const folder = folderWith();
  const id = await idOf(folder);
  const copy = join(base, "copy");
  cpSync(folder, copy, { recursive: true });
  expect(await idOf(copy)).toBe(id);
  write(join(copy, "README.md"), "Not about vectors.");
  expect(await idOf(copy)).toBe(id);
  expect(await idOf(folderWith({}, tableOf(1)))).not.toBe(id);
  const others: readonly FolderFiles[] = [
    { file: "onnx/model.onnx" },
    { more: { "config.json": { max_position_embeddings: 9 } } },
    { more: { "1_Pooling/config.json": { pooling_mode_cls_token: true } } },
    { more: { "tokenizer.json": { ...tokenizerJson(tableOf(0).tokens), version: "2.0" } } },
  ];
  const ids = await Promise.all(others.map((files) => idOf(folderWith(files))));
  expect(new Set([id, ...ids]).size).toBe(ids.length + 1);
});

it("weights in a file beside the model count", async () => {
  const folder = folderWith({ external: "model.onnx_data" });
  write(join(folder, "model.onnx_data"), new Uint8Array(tableOf(0).table.buffer));
  const id = await idOf(folder);
  write(join(folder, "model.onnx_data"), new Uint8Array(tableOf(1).table.buffer));
  expect(await idOf(folder)).not.toBe(id);
});

it("is remembered, and made again after an exchange that leaves size and time as they were", async () => {
  const folder = folderWith();
  const cache = join(base, "digests");
  const now = Date.now();
  const first = await idOf(folder, { cache });
  expect(readdirSync(base)).not.toContain("digests");
  // What was written a moment ago is not remembered.
  vi.spyOn(Date, "now").mockReturnValue(now + 60_000);
  expect(await idOf(folder, { cache })).toBe(first);
  const [note = ""] = readdirSync(cache).map((name) => join(cache, name));
  const kept = JSON.parse(readFileSync(note, "utf8"));
  expect(`onnx-1:${kept.digest}`).toBe(first);
  writeFileSync(note, JSON.stringify({ ...kept, digest: "f".repeat(64) }));
  expect(await idOf(folder, { cache })).toBe(`onnx-1:${"f".repeat(64)}`);
  const path = join(folder, "model.onnx");
  const { size, atime, mtime } = statSync(path);
  writeModelFolder(join(base, "other"), tableOf(1));
  writeFileSync(path, readFileSync(join(base, "other/model.onnx")));
  utimesSync(path, atime, mtime);
  expect([statSync(path).size, statSync(path).mtime]).toEqual([size, mtime]);
  const exchanged = await idOf(folder, { cache });
  expect([first, `onnx-1:${"f".repeat(64)}`]).not.toContain(exchanged);
  writeFileSync(note, "{ damaged");
  expect(await idOf(folder, { cache })).toBe(exchanged);
});

it.skipIf(noRuntime !== null)(
  `a model that is exchanged before its first text is not run (${noRuntime ?? "here"})`,
  async () => {
    const folder = folderWith();
    const embedder = await onnxEmbedder({ folder, nodePath: packagesFolder });
    writeModelFolder(folder, tableOf(1));
    await expect(embedder.embed(["red"])).rejects.toThrow("was exchanged meanwhile");
    const other = await onnxEmbedder({ folder, nodePath: packagesFolder });
    await other.embed(["red"]);
    // What is loaded stays what the id names.
    const [before] = await other.embed(["red stone"]);
    writeModelFolder(folder, tableOf(9));
    expect(await other.embed(["red stone"])).toEqual([before]);
  },
);
