import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { cachedEmbedder } from "./embedding-cache.ts";
import { pruneVectors } from "./prune-vectors.ts";

const day = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), "skillet-prune-"));
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

const nameOf = (number: number): string => number.toString(16).padStart(2, "0") + "0".repeat(62);
function put(number: number, used: number, ending = ".f32"): string {
  const name = nameOf(number);
  const path = join(folder, name.slice(0, 2), name + ending);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, new Uint8Array(8));
  utimesSync(path, used / 1000, used / 1000);
  return path;
}

it("removes what was not used for 30 days, and what an interrupted process left", () => {
  const now = Date.now();
  const paths = [
    put(1, now - 31 * day),
    put(2, now - 29 * day),
    put(3, now),
    put(4, now - 40 * day, ".f32.123"),
  ];
  pruneVectors(folder, { now });
  expect(paths.map((path) => existsSync(path))).toEqual([false, true, true, false]);
});

it("keeps those used last where there are too many", () => {
  const now = Date.now();
  const paths = [5, 1, 4, 2, 3].map((age) => put(age, now - age * day));
  pruneVectors(folder, { now, most: 2 });
  expect(paths.map((path) => existsSync(path))).toEqual([false, true, false, true, false]);
});

it("looks once a day, and touches nothing else in the folder", () => {
  const now = Date.now();
  mkdirSync(join(folder, "other"), { recursive: true });
  const own = join(folder, "other/notes.f32");
  writeFileSync(own, "mine");
  utimesSync(own, 0, 0);
  pruneVectors(folder, { now });
  const old = put(7, now - 60 * day);
  pruneVectors(folder, { now: now + day / 2 });
  expect(existsSync(old)).toBe(true);
  pruneVectors(folder, { now: now + 2 * day });
  expect([existsSync(old), existsSync(own)]).toEqual([false, true]);
});

it("says nothing about a folder that is not there", () => {
  const nowhere = join(folder, "nowhere");
  pruneVectors(nowhere);
  expect(existsSync(nowhere)).toBe(false);
});

it("is done by the cache, which marks what it gives as used", async () => {
  const embedder = {
    id: "one",
    embed: async (texts: readonly string[]) => texts.map(() => Float32Array.of(1, 2)),
  };
  const cached = cachedEmbedder(embedder, folder);
  await cached.embed(["used", "forgotten"]);
  const files = () =>
    readdirSync(folder)
      .filter((name) => name.length === 2)
      .flatMap((part) => readdirSync(join(folder, part)).map((name) => join(folder, part, name)));
  expect(files()).toHaveLength(2);
  const start = Date.now();
  const later = vi.spyOn(Date, "now").mockReturnValue(start + 20 * day);
  await cached.embed(["used"]);
  expect(files().filter((path) => statSync(path).mtimeMs > start + 19 * day)).toHaveLength(1);
  later.mockReturnValue(start + 35 * day);
  await cached.embed(["used"]);
  expect(files()).toHaveLength(1);
});
