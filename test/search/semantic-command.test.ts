import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sandbox } from "../cli/run-skillet.ts";
import { type EmbeddingsServer, embeddingsServer } from "./embeddings-server.ts";
import { workshop } from "./workshop.ts";

const place = sandbox();
let server: EmbeddingsServer;
const groups = [/bread|oven|loaf|dough/, /bicycle|wheel|spoke|two-wheeler/];
const vectors = join(place.data, "cache/vectors");
const page = "docs/diagnostics/search-words-alone.md";
const secret = "sk-never-shown-0123456789";

const settings = (more: object = {}): void =>
  place.write({
    "~/.config/skillet/skillet.jsonc": JSON.stringify({
      search: { semantic: { url: server.url, model: "small", ...more } },
    }),
  });
const run = (args: readonly string[], variables: Readonly<Record<string, string>> = {}) => {
  const set = Object.entries(variables).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
  return place.run(["--trust", ...set, ...args]);
};
interface Hit {
  readonly name: string;
  readonly score: number;
  readonly probability: number;
  readonly reason: string;
  readonly meaning?: { readonly similarity: number; readonly share: number };
}
interface Answer {
  readonly semantic?: { readonly model: string; readonly used: boolean };
  readonly results: readonly Hit[];
  readonly autoLoad: string | null;
}
const namesOf = ({ results }: Answer): readonly string[] => results.map(({ name }) => name);

beforeAll(async () => {
  server = await embeddingsServer(groups);
  place.write(workshop);
});
beforeEach(() => {
  server.mood = "well";
  server.vector = (text) => groups.map((group) => (group.test(text) ? 1 : 0.1));
  server.asked.length = 0;
  rmSync(vectors, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  rmSync(join(place.project, "skillet.jsonc"), { force: true });
  settings();
});
afterAll(async () => {
  await server.close();
  place.remove();
});

const query = ["search", "a", "spoke", "is", "loose", "--json"];
async function byWords(args: readonly string[]): Promise<Answer> {
  place.write({ "~/.config/skillet/skillet.jsonc": "{}" });
  const { stdout } = await run(args);
  settings();
  return JSON.parse(stdout) as Answer;
}

describe("search with the setting search.semantic", () => {
  it("is off where it is not set, and asks nobody", async () => {
    const answer = await byWords(query);
    expect(namesOf(answer)).toEqual(["guide"]);
    expect(answer).not.toHaveProperty("semantic");
    expect(server.asked).toEqual([]);
    expect(existsSync(vectors)).toBe(false);
  });

  it("finds by meaning what shares no word, and keeps vectors by content", async () => {
    settings({ weight: 0.8 });
    const { code, stdout, stderr } = await run(query);
    expect([code, stderr]).toEqual([0, ""]);
    const answer = JSON.parse(stdout) as Answer;
    expect(answer.semantic).toEqual({ model: "small", used: true });
    expect(answer.results[0]).toMatchObject({ name: "mechanic", probability: 0, reason: "close in meaning" });
    expect(namesOf(answer)).toContain("guide");
    expect(readdirSync(vectors).length).toBeGreaterThan(0);
    const texts = server.asked.flatMap(({ input }) => input);
    expect(texts).toContain("a spoke is loose");
    server.asked.length = 0;
    expect((await run(query)).stdout).toBe(stdout);
    expect(server.asked).toEqual([]);
    await run(["search", "a", "loaf", "--json"]);
    expect(server.asked.flatMap(({ input }) => input)).toEqual(["a loaf"]);
  });

  it("shows the share of meaning with --explain", async () => {
    const { results } = JSON.parse((await run([...query, "--explain"])).stdout) as Answer;
    const mechanic = results.find(({ name }) => name === "mechanic");
    expect(mechanic?.meaning?.share).toBe(1);
    expect(mechanic?.meaning?.similarity).toBeCloseTo(1, 3);
    const shown = (await run(["search", "a spoke is loose", "--explain"])).stdout;
    expect(shown).toMatch(/mechanic.*\n\s+meaning: 100 % of the score, similarity 1\.00/);
    expect((await run(query)).stdout).not.toContain('"meaning"');
  });

  it("serves requests and evaluations too", async () => {
    settings({ weight: 0.8 });
    const answer = JSON.parse((await run(["a spoke is loose", "--json"])).stdout) as Answer;
    expect([answer.results[0]?.name, answer.semantic?.used]).toEqual(["mechanic", true]);
    const shown = (await run(["a spoke needs care"])).stdout;
    expect(shown).toContain("mechanic comes closest");
    const args = ["eval", join(place.project, "set"), "--json"];
    const measured = JSON.parse((await run(args)).stdout);
    expect(measured.semantic).toEqual({ model: "small", used: true });
    expect(measured.sets[0].metrics.hit1.value).toBe(1);
    expect(JSON.stringify(await byWords(args))).toContain('"hit1":{"value":0.5');
  });

  it("keeps a skill first that is asked for by name, and mirrored searches exact", async () => {
    const named = JSON.parse((await run(["search", "/guide", "spoke", "--json"])).stdout) as Answer;
    expect(named.results[0]?.name).toBe("guide");
    const before = server.asked.length;
    const mimo = ["search", "a spoke", "--as", "mimo"];
    const { stdout } = await run(mimo);
    expect(stdout).toContain("loaded_skill_id");
    expect(server.asked.length).toBe(before);
  });
});

describe("an address that does not do its work", () => {
  const moods: readonly (readonly [string, EmbeddingsServer["mood"], string])[] = [
    ["fails", { status: 500 }, "status 500"],
    ["never answers", "silent", "no answer within"],
    ["answers something else", { body: "<html>" }, "another form"],
    ["answers too few", { body: '{"data":[]}' }, "another form"],
    ["answers no vectors", { body: '{"data":[null,null,null]}' }, "another form"],
  ];
  it.each(moods)("%s: words alone, with one warning", async (_, mood, words) => {
    const lexical = await byWords(query);
    server.mood = mood;
    // A working address gets the usual time; only the silent one is waited for.
    settings(mood === "silent" ? { timeout: 200 } : {});
    const { code, stdout, stderr } = await run(query);
    const { semantic, ...answer } = JSON.parse(stdout) as Answer;
    expect([code, semantic]).toEqual([0, { model: "small", used: false }]);
    expect(answer).toEqual(lexical);
    expect(stderr).toContain(words);
    expect(stderr.split(page)).toHaveLength(2);
  });

  it("is nobody's: words alone in all three commands, asked for once in an evaluation", async () => {
    const gone = await embeddingsServer([]);
    await gone.close();
    settings({ url: gone.url });
    for (const args of [
      query,
      ["a spoke is loose"],
      ["eval", join(place.project, "set"), join(place.project, "set")],
    ]) {
      const { stderr, code } = await run(args);
      expect(code).toBe(0);
      expect(stderr).toContain("(ECONNREFUSED)");
      expect(stderr.split(page)).toHaveLength(2);
    }
  });

  it("gives vectors of another length than before: all are asked for again, and kept", async () => {
    await run(query);
    server.vector = (text) => [...groups.map((group) => (group.test(text) ? 1 : 0.1)), 0.1];
    const other = ["search", "a", "loose", "spoke", "--json"];
    const { stdout, stderr } = await run(other);
    expect((JSON.parse(stdout) as Answer).semantic?.used).toBe(true);
    expect(stderr).toBe("");
    server.asked.length = 0;
    expect((await run(other)).stdout).toBe(stdout);
    expect(server.asked).toEqual([]);
  });

  it("gives vectors of different length, or not of numbers", async () => {
    server.vector = (text) => (text.includes("spoke") ? [1] : [1, 0]);
    expect((await run(query)).stderr).toContain("another form");
    server.vector = () => [1e300, 1];
    expect((await run(query)).stderr).toContain("another form");
  });
});

describe("what the setting may be", () => {
  it("sends the key of the variable and never shows it", async () => {
    settings({ key: "SEARCH_KEY" });
    await run(query, { SEARCH_KEY: secret });
    expect(server.asked[0]?.key).toBe(`Bearer ${secret}`);
    // The runtime's own message about such a header repeats it.
    const bad = `${secret}\nx`;
    rmSync(vectors, { recursive: true });
    const outputs = [
      await run([...query, "--explain", "--verbose"], { SEARCH_KEY: bad }),
      await run(["config", "list", "--origin"], { SEARCH_KEY: secret }),
      await run(["config", "get", "search.semantic"], { SEARCH_KEY: secret }),
    ];
    for (const { stdout, stderr } of outputs) expect(stdout + stderr).not.toContain(secret);
    expect(outputs[0]?.stderr).toContain(page);
    expect(outputs[2]?.stdout).toContain("SEARCH_KEY");
  });

  it("asks nobody where the variable is not set", async () => {
    settings({ key: "SEARCH_KEY" });
    expect((await run(query)).stderr).toContain("The variable SEARCH_KEY, which holds the key, is not set.");
    expect(server.asked).toEqual([]);
  });

  it("is refused in a project's file: the user's stays, and without one nobody is asked", async () => {
    const semantic = { url: server.url, model: "theirs", key: "HOME" };
    place.write({ "skillet.jsonc": JSON.stringify({ search: { semantic } }) });
    expect((JSON.parse((await run(query)).stdout) as Answer).semantic?.model).toBe("small");
    expect(server.asked.every(({ model, key }) => model === "small" && key === null)).toBe(true);
    server.asked.length = 0;
    place.write({ "~/.config/skillet/skillet.jsonc": "{}" });
    const { stdout } = await run(query);
    expect(JSON.parse(stdout)).not.toHaveProperty("semantic");
    expect(server.asked).toEqual([]);
    const doctor = await run(["config", "list"]);
    expect(doctor.stderr).toContain('A project cannot set "search.semantic".');
  });

  it.each([
    [{ url: "http://name:password@127.0.0.1/v1" }, "search.semantic.url"],
    [{ url: "file:///v1" }, "search.semantic.url"],
    [{ url: "http://127.0.0.1/v1?key=password" }, "search.semantic.url"],
    [{ model: 1 }, "search.semantic.model"],
    [{ key: "sk-password" }, "search.semantic.key"],
    [{ weight: "much" }, "search.semantic.weight"],
  ])("does not count as %j, and says so without repeating it", async (more, named) => {
    settings(more);
    const { stderr, stdout } = await run(["config", "list"]);
    expect(stderr).toContain(named);
    const written = JSON.stringify({ url: server.url, model: "small", ...more });
    const stored = await run(["config", "set", "search.semantic", written]);
    expect([stored.code, stored.stderr]).toEqual([2, expect.stringContaining(named)]);
    expect(stderr + stdout).not.toContain("password@");
    expect(stderr + stdout).not.toContain("sk-password");
    expect(JSON.parse((await run(query)).stdout)).not.toHaveProperty("semantic");
    expect(server.asked).toEqual([]);
  });

  it("moves numbers inside and names unknown keys", async () => {
    settings({ weight: 7, modle: "x" });
    const { stderr } = await run(["config", "list"]);
    expect(stderr).toMatch(/1 is used\s+instead of 7/);
    expect(stderr).toContain('"search.semantic" has no "modle"');
    const shown = await run(["config", "get", "search.semantic", "--json"]);
    expect(shown.json()).toMatchObject({ value: { model: "small", weight: 1, key: null, timeout: 10_000 } });
  });

  it("holds as the administrator sets it", async () => {
    const managed = join(place.folder, "managed");
    place.write({ "~/../managed/skillet.jsonc": JSON.stringify({ search: { semantic: {} } }) });
    const { stdout } = await run(query, { SKILLET_MANAGED_DIR: managed });
    expect(JSON.parse(stdout)).not.toHaveProperty("semantic");
    expect(server.asked).toEqual([]);
  });
});
