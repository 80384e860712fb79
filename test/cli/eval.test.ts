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
  it.each([
    ["an empty file", "", 1, "requests.jsonl: holds no requests"],
    ["a single line that is wrong", '{"nope":"x"}', 1, "requests.jsonl:1: has no `query`"],
    [
      "a name that no skill has",
      '{"query":"bread","relevant":["ovn"]}',
      0,
      'requests.jsonl:1: there is no skill "ovn"; did you mean "oven"?',
    ],
    [
      "one that must not be loaded",
      '{"query":"bread","not_skill":"ovn"}',
      0,
      'requests.jsonl:1: there is no skill "ovn"; did you mean "oven"?',
    ],
    [
      "two labels in a line",
      '{"query":"bread","relevant":["oven"],"not_skill":"docx"}',
      0,
      "requests.jsonl:1: `not_skill` does not count",
    ],
    [
      "labels that contradict",
      '{"query":"bread","relevant":["oven"]}\n{"query":"bread","relevant":[]}',
      0,
      "requests.jsonl:2: says that nothing fits;",
    ],
  ])("names %s with its line", async (_, text, code, note) => {
    write("mistakes/requests.jsonl", text);
    const told = await run("eval", join(root, "mistakes"), "--trust");
    expect([told.code, told.stderr.replace(/\s+/g, " ")]).toEqual([code, expect.stringContaining(note)]);
    const { sets } = JSON.parse((await run("eval", join(root, "mistakes"), "--trust", "--json")).stdout);
    expect([...sets[0].problems, ...sets[0].notes].join("\n")).toContain(note);
  });
  it("makes no skill of a line of a corpus without a name", async () => {
    const files = {
      "odd/corpus.jsonl": '{"name":"oven"}\n{"nme":"x"}\n7\n{oops',
      "odd/queries.jsonl": '{"query":"oven","relevant":["oven"]}',
    };
    machine.write(files);
    const { code, stdout, stderr } = await run("eval", join(root, "odd"));
    expect([code, stdout]).toEqual([1, expect.stringContaining("of 1 skills")]);
    const said = stderr.replace(/\s+/g, " ");
    for (const problem of [
      "corpus.jsonl:2: has no `name`, but `nme`",
      "corpus.jsonl:3: is no object",
      "corpus.jsonl:4: is not JSON",
    ])
      expect(said).toContain(problem);
  });

  it("counts a skill once that stands in a corpus twice, and says which file is no archive", async () => {
    const twice = lines({ id: "1", name: "oven", description: "Bake bread." }, { id: "1", name: "oven2" });
    machine.write({
      "twice/corpus.jsonl": twice,
      "twice/queries.jsonl": '{"query":"bake bread","relevant":["1"]}',
      "packed/corpus.jsonl.gz": "no archive",
      "packed/queries.jsonl": '{"query":"bake bread","relevant":["1"]}',
    });
    const { code, stdout, stderr } = await run("eval", join(root, "twice"));
    expect([code, stdout]).toEqual([1, expect.stringContaining("of 1 skills")]);
    expect(stderr.replace(/\s+/g, " ")).toContain("corpus.jsonl:2: has the `id` of line 1");
    const packed = await run("eval", join(root, "packed"));
    expect([packed.code, packed.stderr]).toEqual([1, expect.stringContaining("cannot be unpacked")]);
    expect(packed.stderr).not.toContain("defect");
  });

  it("says why a wanted skill could not be found, and asks for trust", async () => {
    write(
      "wanted/requests.jsonl",
      lines({ query: "bake bread on stones", relevant: ["oven"] }, { query: "sew", relevant: ["tailor"] }),
    );
    const { stdout, stderr } = await run("eval", join(root, "wanted"));
    expect(stdout).toMatch(/wanted oven; .*\n +oven waits for trust/);
    expect(stdout).toMatch(/wanted tailor; .*\n +tailor is no skill here/);
    expect(stderr).toContain("skillet trust");
    const { sets } = JSON.parse((await run("eval", join(root, "wanted"), "--json")).stdout);
    expect(sets[0].misses[0].keptBack).toEqual([{ name: "oven", why: "waits for trust" }]);
    const settings = (skill: object) =>
      machine.write({ "~/.config/skillet/skillet.jsonc": JSON.stringify(skill) });
    const why = async () => (await run("eval", join(root, "wanted"), "--trust")).stdout;
    settings({ permission: { skill: { oven: "deny" } } });
    expect(await why()).toContain("oven is denied");
    settings({ skills: { disabled: ["oven"] } });
    expect(await why()).toContain("oven is switched off");
    settings({});
    expect(await why()).not.toContain("oven is");
  });
  it("compares with no agent that is offered nothing", async () => {
    write("wanted/requests.jsonl", lines({ query: "bake bread on stones", relevant: ["oven"] }));
    const args = [
      "eval",
      join(root, "wanted"),
      "--trust",
      "--against",
      "opencode",
      "--env",
      "OPENCODE_DISABLE_EXTERNAL_SKILLS=1",
    ];
    const { stdout, stderr, code } = await run(...args);
    expect([code, stdout]).toEqual([0, expect.not.stringContaining("pair by pair")]);
    expect(stderr.replace(/\s+/g, " ")).toContain(
      "opencode is offered none of the skills that are wanted, so there is nothing to compare",
    );
    const { sets } = JSON.parse((await run(...args, "--json")).stdout);
    expect(sets[0]).toMatchObject({ against: null, comparison: null });
  });
  it("gives no interval above 1", async () => {
    write("few/requests.jsonl", lines({ query: "bake bread", relevant: ["oven"] }));
    const { sets } = JSON.parse((await run("eval", join(root, "few"), "--trust", "--json")).stdout);
    const { count, ...measures } = sets[0].metrics;
    expect(count).toBe(1);
    for (const measure of Object.values(measures)) expect(measure).toEqual(measures.hit1);
    expect(measures.hit1.low).toBeLessThan(0.3);
  });
});
