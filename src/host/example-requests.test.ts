import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSkills } from "./open-skills.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "skillet-examples-")));
  mkdirSync(join(folder, "repo/.git"), { recursive: true });
  for (const name of ["alpha", "beta"]) {
    mkdirSync(join(folder, "repo/.agents/skills", name, "evals"), { recursive: true });
    writeFileSync(
      join(folder, "repo/.agents/skills", name, "SKILL.md"),
      `---\nname: ${name}\ndescription: Does one job.\n---\nText.\n`,
    );
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

const examples = (): string => join(folder, "repo/.agents/skills/beta/evals/examples.jsonl");
const found = (query: string): readonly string[] => {
  const skills = openSkills({
    cwd: join(folder, "repo"),
    home: join(folder, "home"),
    data: join(folder, "data"),
    trust: true,
  });
  const names = skills.search(query).results.map(({ name }) => name);
  skills.close();
  return names;
};

test("search counts the requests that a skill brings", () => {
  expect(found("turn my holiday photos into a poster")).toEqual([]);
  writeFileSync(
    examples(),
    '{"query":"make a poster from photos"}\n\nno json\n{"query":7}\n{"query":"把照片做成海报"}\n',
  );
  expect(found("turn my holiday photos into a poster")).toEqual(["beta"]);
  expect(found("用这些照片做一张海报")).toEqual(["beta"]);
});

test.each([
  [
    "a link out of the folder",
    () => {
      writeFileSync(join(folder, "elsewhere.jsonl"), '{"query":"make a poster"}\n');
      symlinkSync(join(folder, "elsewhere.jsonl"), examples());
    },
  ],
  ["a folder", () => mkdirSync(examples())],
  ["an endless file", () => writeFileSync(examples(), `{"query":"make a poster ${"x".repeat(70_000)}"}\n`)],
  ["no UTF-8", () => writeFileSync(examples(), Buffer.from([0x7b, 0xff, 0xfe, 0x0a]))],
])("%s is left out", (_title, make) => {
  make();
  expect(found("make a poster")).toEqual([]);
});
