import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, "test/conformance/golden");
const sources = [...readdirSync(folder).map((name) => join(folder, name)), join(root, "scripts/golden.ts")];

describe("the golden runner holds no rule of its own", () => {
  test.each(sources)("%s", (path) => {
    const text = readFileSync(path, "utf8");
    const imports = [...text.matchAll(/from "([^"]+)"/g)].map(([, name]) => name ?? "");
    // Everything that decides comes from the product's exports.
    const outside = imports.filter(
      (name) =>
        !/^node:|^\.\/[a-z-]+\.ts$|^\.\.\/test\/conformance\/golden\/|^(?:\.\.\/)+src\/index\.ts$/.test(name),
    );
    expect(outside).toEqual([]);
    // Nothing that a profile knows: brand folders, tags and sentences of catalogs and tool outputs.
    expect(text).not.toMatch(/\.claude|\.agents|available_skills|skill_content|Base directory|SKILL\.md/);
  });
});

describe("npm run golden", () => {
  const work = mkdtempSync(join(tmpdir(), "golden-cli-"));
  afterAll(() => rmSync(work, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  const run = (file: unknown) => {
    const path = join(work, "file.json");
    writeFileSync(path, JSON.stringify(file));
    const { stdout, status } = spawnSync(process.execPath, ["--import", "tsx", "scripts/golden.ts", path], {
      cwd: root,
      encoding: "utf8",
    });
    return { status, lines: stdout.trimEnd().split("\n") };
  };
  const wildcard = (expected: boolean) => ({
    suite: "mimo.wildcard",
    cases: [
      { id: "one", input: { value: "a", pattern: "*" }, expected },
      { id: "two", input: { value: "a", pattern: "b" }, expected: false },
    ],
  });

  test("counts what passes and ends with 0", () => {
    expect(run(wildcard(true))).toEqual({ status: 0, lines: ["mimo.wildcard 2/2", "2 passed, 0 failed"] });
  });

  test("names what fails with both values and ends with 1", () => {
    expect(run(wildcard(false))).toEqual({
      status: 1,
      lines: ["one: expected false actual true", "mimo.wildcard 1/2", "1 passed, 1 failed"],
    });
  });

  test("an unknown suite is a failure", () => {
    const { status, lines } = run({ suite: "constructor", cases: [{ id: "x", input: {}, expected: 1 }] });
    expect(status).toBe(1);
    expect(lines.at(-1)).toBe("0 passed, 1 failed");
  });
});
