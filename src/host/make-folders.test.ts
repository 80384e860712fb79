import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeFolders } from "./make-folders.ts";

const folder = mkdtempSync(join(tmpdir(), "skillet-make-"));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

test("makes every missing level, and is content with what is there", () => {
  const deep = join(folder, "a/b/c");
  makeFolders(deep, 0o700);
  makeFolders(deep, 0o700);
  expect(statSync(deep).isDirectory()).toBe(true);
  expect(statSync(join(folder, "a")).mode & 0o777).toBe(0o700);
});

test("a file in the way is the system's error", () => {
  writeFileSync(join(folder, "file"), "");
  expect(() => makeFolders(join(folder, "file/x"))).toThrow(/ENOTDIR|EEXIST/);
});

test.runIf(process.platform === "linux")("ends where the system takes no folder", () => {
  expect(() => makeFolders("/proc/nope/x")).toThrow(/ENOENT|EACCES|EPERM|EROFS/);
});
