import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { sandbox } from "./run-skillet.ts";

const machine = sandbox();
afterAll(() => machine.remove());

const lines = (...rows: readonly unknown[]): string => rows.map((row) => JSON.stringify(row)).join("\n");
const root = machine.project;
const write = (path: string, text: string): void => machine.write({ [path]: text });
write(
  "set/corpus.jsonl",
  lines(
    { id: "1", name: "oven", description: "Bake bread on stones.", body: "" },
    { id: "2", name: "bee-log", description: "Write down hive checks.", body: "" },
  ),
);
write(
  "set/queries.jsonl",
  lines({ query: "bake some bread", relevant: ["1"] }, { query: "check my hives", relevant: ["oven"] }),
);
write("set/negatives.jsonl", lines({ query: "repair a bicycle", not_skill: "oven" }));
write(".agents/skills/oven/SKILL.md", "---\nname: oven\ndescription: Bake bread on stones.\n---\nHeat.\n");
write(
  ".agents/skills/oven/evals/trigger-evals.json",
  JSON.stringify([
    { query: "bake a loaf of bread", should_trigger: true },
    { query: "paint the fence", should_trigger: false },
  ]),
);
const run = (...args: readonly string[]) => machine.run(args);

describe("skillet eval", () => {
  it("measures a folder with a corpus", async () => {
    const { code, stdout } = await run("eval", join(root, "set"), "--json");
    expect(code).toBe(0);
    const { sets } = JSON.parse(stdout);
    expect(sets[0]).toMatchObject({ corpus: 2, negatives: 1, against: null });
    expect(sets[0].metrics.count).toBe(2);
    expect(sets[0].metrics.hit1.value).toBe(0.5);
    expect(sets[0].misses[0]).toMatchObject({ query: "check my hives", expected: ["oven"] });
  });
  it("says how often nothing was said to fit, and which words of a search counted where", async () => {
    write(
      "nothing/requests.jsonl",
      lines({ query: "bake bread", relevant: ["oven"] }, { query: "paint a fence", relevant: [] }),
    );
    const { code, stdout } = await run("eval", join(root, "nothing"), "--trust", "--min", "nothing=1");
    expect(code).toBe(0);
    expect(stdout).toContain("1 request that a skill serves, 1 negative");
    expect(stdout).toMatch(/where no skill serves +1\.000/);
    const search = await run("search", "bake bread on stones", "--explain", "--trust");
    expect(search.stdout).toMatch(/^ +bread +\d\.\d\d +description \d\.\d\d/m);
    expect(search.stdout).toMatch(/^ +bake bread +\d\.\d\d/m);
  });
  it("compares two profiles and fails below a bound", async () => {
    const { code, stdout, stderr } = await run(
      "eval",
      join(root, "set"),
      "--against",
      "mimo",
      "--min",
      "hit1=0.9",
    );
    expect(code).toBe(1);
    expect(stdout).toContain("pair by pair");
    expect(stderr).toContain("hit1 is 0.500, the bound is 0.9.");
  });
  it("asks the skills that are found here, in the published trigger format", async () => {
    const { code, stdout } = await run("eval", join(root, ".agents"), "--json", "--trust");
    expect(code).toBe(0);
    const { sets } = JSON.parse(stdout);
    expect(sets[0]).toMatchObject({ corpus: null, negatives: 1 });
    expect(sets[0].metrics.hit1.value).toBe(1);
  });
  it("says what is wrong", async () => {
    expect((await run("eval", join(root, "nowhere"))).code).toBe(3);
    expect((await run("eval", join(root, "set"), "--min", "luck=1")).code).toBe(2);
    write("bad/requests.jsonl", "nonsense\n");
    const bad = await run("eval", join(root, "bad"));
    expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining("requests.jsonl:1: is not JSON")]);
  });
});
