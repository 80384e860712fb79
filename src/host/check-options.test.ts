import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { skillKit } from "../adapters/ai-sdk.ts";
import { SkilletError } from "../core/error.ts";
import {
  createSearchIndex,
  createSemanticSearch,
  openaiEmbedder,
  openSession,
  skillTools,
} from "../index.ts";
import { openSkills } from "./open-skills.ts";
import type { Skills } from "./skills.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "skillet-options-")));
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

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

describe("numbers", () => {
  const documents = [
    { name: "a", location: "/a", aliases: [], localized: [], description: "A.", whenToUse: "", body: "A." },
  ];
  const embedder = { id: "none", embed: () => Promise.resolve([]) };
  const takers: readonly (readonly [string, (value: unknown) => unknown])[] = [
    ["catalog budget", (budget) => set.catalog(loose({ budget }))],
    ["catalog window", (contextWindow) => set.catalog(loose({ contextWindow }))],
    ["guidance budget", (budget) => set.guidance(null, loose({ budget }))],
    ["guidance window", (contextWindow) => set.guidance(null, loose({ contextWindow }))],
    ["search", (limit) => set.search("x", loose({ limit }))],
    ["files", (limit) => set.files(loose({ root: {}, directory: null }), loose(limit))],
    ["watch quiet", (quiet) => set.watch(loose({ quiet }))],
    ["watch most", (most) => set.watch(loose({ most }))],
    ["watch poll", (poll) => set.watch(loose({ poll }))],
    ["watch patience", (patience) => set.watch(loose({ patience }))],
    ["watch handles", (handles) => set.watch(loose({ handles }))],
    ["session skill", (skillTokens) => openSession(set, loose({ limits: { skillTokens } }))],
    ["session total", (totalTokens) => openSession(set, loose({ limits: { totalTokens } }))],
    ["session command", (commandTimeout) => openSession(set, loose({ commandTimeout }))],
    ["session window", (contextWindow) => openSession(set).guidance(loose({ contextWindow }))],
    ["session search", (limit) => openSession(set).search("x", loose({ limit }))],
    ["tools", (enumLimit) => skillTools(set, loose({ enumLimit }))],
    ["kit", (contextWindow) => skillKit(set, loose({ contextWindow }))],
    ["index", (limit) => createSearchIndex(loose(documents)).search("a", loose({ limit }))],
    [
      "meaning",
      (limit) => createSemanticSearch(loose(documents), { embedder }).search("a", loose({ limit })),
    ],
    [
      "meaning's weight",
      (weight) => createSemanticSearch(loose(documents), { embedder }).search("a", loose({ weight })),
    ],
    [
      "meaning's time",
      (timeout) => createSemanticSearch(loose(documents), { embedder }).search("a", loose({ timeout })),
    ],
    ["embedder", (timeout) => openaiEmbedder(loose({ url: "http://127.0.0.1:1/v1", model: "m", timeout }))],
  ];
  const set = open();
  afterAll(() => set.close());

  test.each(takers)(
    "%s: one that is none, or below 0, is refused; left out it is not",
    async (_name, take) => {
      for (const value of [Number.NaN, "9", -1, Number.POSITIVE_INFINITY, {}, true]) {
        const call = async () => take(value);
        await expect(call(), String(value)).rejects.toMatchObject({
          code: "usage",
          message: expect.stringMatching(/(?:a number from 0 on|milliseconds from 0 to 2147483647), not /),
        });
      }
      await take(undefined);
    },
  );
});

test("a session's words are checked too: a slip never lets commands run", () => {
  const skills = open();
  for (const commands of ["yes", true, "Allow"])
    expect(refusal(() => openSession(skills, loose({ commands })))).toContain(
      'has to be "off" or "ask" or "allow"',
    );
  expect(refusal(() => openSession(skills, loose({ limit: {} })))).toContain('Did you mean "limits"?');
  expect(refusal(() => openSession(skills, loose({ limits: { tokens: 1 } })))).toContain("skillTokens");
  expect(refusal(() => openSession(skills).note("x", loose({ by: "me", text: "x" })))).toContain('"by"');
  expect(refusal(() => openSession(skills).note("x", loose({ by: "user" })))).toContain('"text"');
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
