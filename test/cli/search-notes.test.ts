import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { nothingBelow } from "../../src/core/search/decide.ts";
import { sandbox, skill } from "./run-skillet.ts";

const place = sandbox();
const file = "~/.config/skillet/skillet.jsonc";

beforeAll(() =>
  place.write({
    ".agents/skills/oven/SKILL.md": skill("oven", "Bake bread on stones."),
    ".agents/skills/loaf/SKILL.md": skill("loaf", "Bake bread in a tin, with a crust of seeds."),
    ".agents/skills/bee-log/SKILL.md": skill("bee-log", "Write down hive checks."),
  }),
);
beforeEach(() => {
  rmSync(join(place.project, "skillet.jsonc"), { force: true });
  place.write({ [file]: "{}" });
});
afterAll(() => place.remove());

const run = (...args: readonly string[]) => place.run(["--trust", ...args]);
const flat = (text: string) => text.replace(/\s+/g, " ");
const commands = [["search", "bake bread"], ["bake some bread"]];

describe("search and requests say what is wrong with settings", () => {
  it.each(
    commands.flatMap((command) =>
      [
        [file, "{ nonsense", "~/.config/skillet/skillet.jsonc:1: "],
        ["skillet.jsonc", '{ "search": ', "skillet.jsonc:1: "],
        [file, "[]", "A settings file holds one object."],
        [
          file,
          '{ "search": { "limt": 3 } }',
          'There is no setting "search.limt". Did you mean "search.limit"?',
        ],
        [file, '{ "search": { "limit": "x" } }', '"search.limit" must be a whole number'],
        [
          file,
          '{ "search": { "semantic": { "weight": 0.5 } } }',
          '"search.semantic" must name "url" or "folder"',
        ],
        [
          file,
          '{ "search": { "semantic": { "folders": "~/m" } } }',
          'where a model is. Did you mean "folder"?',
        ],
      ].map(([path, text, note]) => [command, path, text, note] as const),
    ),
  )("%j with %s: %s", async (command, path = "", text = "", note = "") => {
    place.write({ [path]: text });
    const { code, stderr } = await run(...command);
    expect([code, flat(stderr)]).toEqual([0, expect.stringContaining(note)]);
    expect(flat(stderr).split(".jsonc")).toHaveLength(2);
  });
  it.each(["{}", '{ "search": { "semantic": null } }', '{ "search": { "limit": 3 } }'])(
    "nothing with %s",
    async (text) => {
      place.write({ [file]: text });
      for (const command of commands) expect((await run(...command)).stderr).not.toContain("settings");
      expect((await run("config", "list")).stderr).not.toContain("search");
    },
  );
  it("takes the usual timeout for one below 1", async () => {
    place.write({
      [file]: '{ "search": { "semantic": { "url": "http://127.0.0.1:9", "model": "m", "timeout": -1 } } }',
    });
    const { json } = await run("config", "get", "search.semantic", "--json");
    expect(json()).toMatchObject({ value: { timeout: 10_000 } });
    const { stderr } = await run("search", "bake bread");
    expect(flat(stderr)).toContain("10000 is used instead of -1");
    expect(flat(stderr)).toContain("http://127.0.0.1:9");
  });
});

describe("one limit says that nothing fits", () => {
  it.each(["bake bread on stones", "hive", "crust", "tin stones hive write", "who sells shoes in the town"])(
    "%s",
    async (request) => {
      const search = await run("search", request, "--json");
      const { results, fits } = search.json() as { results: { probability: number }[]; fits: boolean };
      expect(fits).toBe((results[0]?.probability ?? 0) >= nothingBelow);
      const answer = (await run(`${request} now`, "--json")).json() as typeof search & {
        results: { probability: number }[];
        fits: boolean;
      };
      expect(answer.fits).toBe((answer.results[0]?.probability ?? 0) >= nothingBelow);
      const said = await run("search", request);
      expect(/fits/.test(said.stderr)).toBe(!fits);
      const { stdout } = await run(`${request} now`);
      expect(/^(Nothing fits well|No skill here)/.test(stdout)).toBe(!answer.fits);
    },
  );
  it("says nothing of an empty request", async () => {
    const { stdout } = await run("search", "");
    expect(stdout).not.toContain("%");
    expect(stdout).toMatch(/oven +Bake bread on stones\./);
    expect((await run("search", "", "--json")).json()).toMatchObject({ fits: null });
  });
});

describe("why --for", () => {
  it("words what is ahead", async () => {
    const { stdout } = await run("why", "loaf", "--for", "bread on stones");
    expect(flat(stdout)).toMatch(/oven \(\d+ %\): ahead by \d\.\d\d for "/);
    expect(stdout).not.toContain('"letters"');
  });
  it("ranks no name that is nowhere, and none that no model is offered", async () => {
    const { stdout, code } = await run("why", "nothere", "--for", "bake bread");
    expect([code, stdout]).toEqual([3, expect.not.stringMatching(/shares no word|\nSearch\n/)]);
    expect((await place.run(["why", "oven", "--for", "bake bread"])).stdout).toContain(
      "Not searched: no model is offered it.",
    );
  });
});

it("doctor --fix says what became of a damaged state", async () => {
  place.write({ "~/../data/state/state.json": "x" });
  const { stdout } = await run("doctor", "--fix");
  expect(flat(stdout)).toMatch(
    /the damaged state was put aside as \S+state\.json\.corrupt-1, and a new one begun/,
  );
});
