import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type SearchDocument, searchStored } from "../core/search/search-index.ts";
import { type KeyedDocument, updateIndexData } from "../core/search/stored-index.ts";
import { indexCache } from "./index-cache.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "skillet-index-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

const words = ["bread", "wheel", "数据", "convert", ".docx", "bee-log"];
const documents = (from: number, to: number): readonly KeyedDocument[] =>
  Array.from({ length: to - from }, (_, place) => {
    const number = from + place;
    const document: SearchDocument = {
      name: `skill-${number}`,
      location: `/é\ud800/${number}`,
      aliases: number % 3 === 0 ? [`alias ${number}`] : [],
      localized: [],
      description: `${words[number % 6]} and ${words[(number * 5 + 1) % 6]}`,
      whenToUse: "",
      body: `# Head ${number}\n\n${words[(number * 3) % 6]}`,
    };
    return { key: `key-${number}`, document: () => document };
  });
const keysOf = (list: readonly KeyedDocument[]): string[] => list.map(({ key }) => key);
const answers = (stored: ReturnType<typeof updateIndexData>) =>
  ["bread 数据", "skill-7", "convert .docx", "alias 3"].map((query) =>
    searchStored(stored).search(query, { explain: true }),
  );

it("gives back what it was given, byte for byte the same for the same skills", () => {
  const cache = indexCache(join(root, "search"));
  const list = documents(0, 40);
  expect(cache.read(keysOf(list))).toBeNull();
  const stored = updateIndexData(null, list);
  cache.keep(stored);
  const read = cache.read(keysOf(list));
  expect(read).not.toBeNull();
  if (read !== null) expect(answers(read)).toEqual(answers(stored));
  const files = () =>
    readdirSync(join(root, "search")).map((name) => readFileSync(join(root, "search", name)));
  const [before] = files();
  cache.keep(updateIndexData(null, documents(0, 40)));
  expect(files()).toEqual([before]);
});

it("starts from the last one where half of it is wanted, and reads only what is new", () => {
  const cache = indexCache(root);
  cache.keep(updateIndexData(null, documents(0, 40)));
  expect(cache.read(keysOf(documents(30, 60)))).toBeNull();
  const wanted = documents(15, 50);
  const last = cache.read(keysOf(wanted));
  expect(last?.keys.length).toBe(40);
  const made: string[] = [];
  const updated = updateIndexData(
    last,
    wanted.map(({ key, document }) => ({
      key,
      document: () => {
        made.push(key);
        return document();
      },
    })),
  );
  expect(made).toEqual(keysOf(documents(40, 50)));
  expect(answers(updated)).toEqual(answers(updateIndexData(null, wanted)));
});

it("passes over what is damaged or foreign, and does without a folder", () => {
  const cache = indexCache(root);
  const list = documents(0, 40);
  const keys = keysOf(list);
  const stored = updateIndexData(null, list);
  cache.keep(stored);
  const path = join(root, readdirSync(root)[0] ?? "");
  const bytes = readFileSync(path);
  for (const at of [0, 40, bytes.length >> 1, bytes.length - 1]) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] as number) ^ 1;
    writeFileSync(path, damaged);
    expect(cache.read(keys)).toBeNull();
  }
  writeFileSync(path, bytes);
  truncateSync(path, bytes.length - 4);
  expect(cache.read(keys)).toBeNull();
  writeFileSync(path, "");
  expect(cache.read(keys)).toBeNull();
  cache.keep(stored);
  expect(cache.read(keys)?.keys).toEqual(keys);
  const nowhere = indexCache(path);
  nowhere.keep(stored);
  expect(nowhere.read(keys)).toBeNull();
});

it("keeps four", () => {
  const cache = indexCache(root);
  writeFileSync(join(root, "left-over.index.temporary"), "x");
  for (let count = 1; count <= 7; count++)
    cache.keep(updateIndexData(null, documents(count * 100, count * 101)));
  expect(readdirSync(root).length).toBe(4);
  expect(cache.read(keysOf(documents(700, 707)))?.keys.length).toBe(7);
});
