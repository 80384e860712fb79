import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, expect, test } from "vitest";
import { SkilletError } from "../core/error.ts";
import { openSkills } from "./open-skills.ts";
import type { Skills } from "./skills.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "skillet-options-")));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Callers without types. */
const loose = (value: unknown): never => value as never;
const open = (more: Record<string, unknown> = {}): Skills =>
  openSkills(loose({ cwd: home, home, data: join(home, "data"), ...more }));

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof SkilletError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "nothing thrown";
}

test.each([
  [{ as: "opencode" }, 'usage: openSkills has no option "as". Did you mean "profile"?'],
  [{ profil: "opencode" }, 'usage: openSkills has no option "profil". Did you mean "profile"?'],
  [{ cwd: 5 }, 'usage: The option "cwd" of openSkills has to be a text, not 5.'],
  [{ trust: "no" }, 'usage: The option "trust" of openSkills has to be true or false, not "no".'],
  [{ tools: "bash" }, 'usage: The option "tools" of openSkills has to be a list of texts, not "bash".'],
  [{ env: { A: 1 } }, 'usage: The option "env" of openSkills has to be an object of texts, not an object.'],
  [{ host: "web" }, 'usage: The option "host" of openSkills has to be "cli" or "desktop", not "web".'],
])("openSkills(%j) is refused", (options, message) => {
  expect(refusal(() => open(options))).toBe(message);
});

test("options that are none, and values that count as left out", () => {
  expect(refusal(() => openSkills(loose("/repo")))).toMatch(
    /^usage: openSkills takes its options as an object/,
  );
  expect(() => open({ agent: undefined, region: null }).close()).not.toThrow();
});

test("calls of an open set are checked, and an unknown caller gets nothing", async () => {
  const skills = open();
  expect(refusal(() => skills.load("x", loose({ by: "me" })))).toBe(
    'usage: The option "by" of load has to be "model" or "user", not "me".',
  );
  expect(refusal(() => skills.load("x", loose({ approve: true })))).toContain('Did you mean "approved"?');
  expect(refusal(() => skills.load(loose(5)))).toBe("usage: load takes a name as a text, not as 5.");
  expect(refusal(() => skills.catalog(loose({ budget: "many" })))).toContain("has to be a number");
  expect(refusal(() => skills.search("x", loose({ limits: 3 })))).toContain('Did you mean "limit"?');
  expect(refusal(() => skills.explain("x", loose({ for: "y" })))).toContain('Did you mean "request"?');
  await expect(skills.expand("x", loose({ preload: "y" }))).rejects.toThrow("has to be a list of texts");
  expect(skills.load("x").status).toBe("unknown");
  skills.close();
});

test("a working folder that is not there is not called a flag", () => {
  const cwd = join(home, "gone");
  try {
    open({ cwd });
    expect.unreachable();
  } catch (error) {
    expect(`${error} ${error instanceof SkilletError ? error.hint : ""}`).not.toContain("--cwd");
  }
});

test("printing an open set shows no variable", () => {
  const skills = open({ env: { MY_SECRET: "hunter2" } });
  expect(skills.environment.variables.MY_SECRET).toBe("hunter2");
  expect(inspect(skills, { depth: 9, getters: false })).not.toContain("hunter2");
  expect(JSON.stringify(skills.environment)).not.toContain("hunter2");
  skills.close();
});
