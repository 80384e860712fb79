import { describe, expect, it } from "vitest";
import { compareEvaluations, evaluate, type Ranker } from "./evaluate.ts";
import { readCases } from "./evaluation-case.ts";
import { labelNotes } from "./label-notes.ts";
import { meanDifference, meanShare, proportion, signTest } from "./statistics.ts";

const ranker =
  (answers: Readonly<Record<string, readonly string[]>>, loaded: readonly string[] = []): Ranker =>
  (query) => ({
    results: (answers[query] ?? []).map((name) => ({ id: `/${name}`, name, probability: 0.5 })),
    autoLoad: loaded.includes(query) ? (answers[query]?.[0] ?? null) : null,
  });

const { cases } = readCases(
  [
    '{"query":"a","relevant":["x"]}',
    '{"query":"b","relevant":["/y","z"]}',
    '{"query":"数据","expected":"q"}',
    '{"query":"n","skill":null}',
    '{"query":"m","not_skill":"x"}',
  ].join("\n"),
  { place: "set.jsonl", owner: null },
);

describe("evaluate", () => {
  const result = evaluate(
    cases,
    ranker({ a: ["x", "y"], b: ["w", "y", "v", "z"], 数据: ["x"], m: ["x"], n: [] }, ["a", "数据", "m"]),
  );
  it("measures ranks", () => {
    expect(result.metrics.count).toBe(3);
    expect(result.metrics.hit1.value).toBeCloseTo(1 / 3);
    expect(result.metrics.hit3.value).toBeCloseTo(2 / 3);
    expect(result.metrics.recall3.value).toBeCloseTo((1 + 0.5) / 3);
    expect(result.metrics.recall10.value).toBeCloseTo(2 / 3);
    expect(result.metrics.mrr10.value).toBeCloseTo(0.5);
    const ideal = 1 + 1 / Math.log2(3);
    expect(result.metrics.ndcg10.value).toBeCloseTo((1 + (1 / Math.log2(3) + 1 / Math.log2(5)) / ideal) / 3);
    expect(Object.keys(result.byLanguage)).toEqual(["han", "other"]);
  });
  it("measures what is loaded at once", () => {
    expect(result.autoLoad.coverage.value).toBeCloseTo(2 / 3);
    expect(result.autoLoad.precision.value).toBe(0.5);
    expect(result.autoLoad.negatives.value).toBe(0.5);
    expect(result.autoLoad.forbidden.value).toBe(0.5);
  });
  it("measures how often it is said that nothing fits, rightly and wrongly", () => {
    expect(result.nothing).toBeNull();
    const says = ["n", "b", "m"];
    const { nothing } = evaluate(cases, (query) => ({
      results: [],
      autoLoad: null,
      nothingFits: says.includes(query),
    }));
    expect(nothing?.said?.value).toBe(1);
    expect(nothing?.wrongly.value).toBeCloseTo(1 / 3);
    const answered = cases.filter(({ relevant }) => relevant.length > 0);
    const other = evaluate(answered, () => ({ results: [], autoLoad: null, nothingFits: false }));
    expect(other.nothing).toMatchObject({ said: null, wrongly: { value: 0 } });
  });
  it("lists misses", () => {
    expect(result.misses.map(({ query, rank }) => [query, rank])).toEqual([
      ["b", 2],
      ["数据", null],
    ]);
  });
  it("compares pair by pair", () => {
    const other = evaluate(cases, ranker({ a: ["y", "x"], b: ["w", "y"], 数据: ["q"] }));
    expect(compareEvaluations(result, other)).toMatchObject({ better: 1, worse: 1, same: 1, probability: 1 });
    expect(compareEvaluations(result, result).hit1.value).toBe(0);
  });
});

describe("readCases", () => {
  it("reads the published trigger format for the skill it belongs to", () => {
    const list = '[{"query":"make a pdf","should_trigger":true},{"query":"cook","should_trigger":false}]';
    const read = readCases(list, { place: "evals.json", owner: "pdf" });
    expect(read.cases.map(({ relevant, forbidden }) => [relevant, forbidden])).toEqual([
      [["pdf"], null],
      [[], "pdf"],
    ]);
    const named = readCases(`{"skill_name":"xlsx","evals":${list}}`, { place: "e", owner: null });
    expect(named.cases[0]?.relevant).toEqual(["xlsx"]);
    expect(readCases(list, { place: "e", owner: null }).problems).toHaveLength(2);
  });
  it("says what it cannot use, and goes on", () => {
    const read = readCases(
      '{"query":"a","relevant":["x"]}\nnonsense\n{"query":""}\n{"query":"q","relevant":[1]}\n',
      {
        place: "f",
        owner: null,
      },
    );
    expect(read.cases).toHaveLength(1);
    expect(read.problems).toEqual([
      "f:2: is not JSON",
      "f:3: has no `query`",
      "f:4: `relevant` is no name or list of names",
    ]);
  });
});

describe("readCases, what is hardly meant so", () => {
  it.each([
    [
      '{"query":"a","relevant":["x"],"not_skill":"y"}',
      [],
      ["f:1: `not_skill` does not count beside another label; give it a line of its own"],
    ],
    [
      '{"query":"a","relevant":["x"],"not_skill":"x"}',
      ["f:1: `relevant` wants the skill that `not_skill` forbids"],
      [],
    ],
    ['{"nope":"a"}', ["f:1: has no `query`"], []],
    ['\n\n{\n"nope":"a"\n}\n', ["f:3: has no `query`"], []],
    ['{"query":"a","not_skill":"x"}', [], []],
  ])("%s", (source, problems, notes) => {
    expect(readCases(source, { place: "f", owner: null })).toMatchObject({ problems, notes });
  });
});

describe("labelNotes", () => {
  const known = new Set(["ship-frontend", "/skills/oven", "oven"]);
  it.each([
    ["names that exist", ['"relevant":["ship-frontend","/skills/oven"]'], []],
    [
      "an unknown name",
      ['"relevant":["ship-frontendd"]'],
      ['f:1: there is no skill "ship-frontendd"; did you mean "ship-frontend"?'],
    ],
    ["one that resembles none", ['"not_skill":"quux"'], ['f:1: there is no skill "quux"']],
    [
      "one that is named often",
      ['"relevant":["quux"]', '"relevant":["quux","oven"]', '"relevant":["quux"]'],
      ['f:1: there is no skill "quux" (2 more requests name it)'],
    ],
    [
      "nothing and something",
      ['"relevant":[]', '"relevant":["oven"]'],
      ['f:2: says "oven"; f:1 says that nothing fits for the same request'],
    ],
    [
      "wanted and forbidden",
      ['"relevant":["oven"]', '"not_skill":"oven"'],
      ['f:2: says not "oven"; f:1 says "oven" for the same request'],
    ],
    [
      "two first ones",
      ['"relevant":["oven"]', '"relevant":["ship-frontend"]'],
      ['f:2: says "ship-frontend"; f:1 says "oven" for the same request'],
    ],
    ["a list that grew", ['"relevant":["oven"]', '"relevant":["oven","ship-frontend"]'], []],
    ["wanted and another one forbidden", ['"relevant":["oven"]', '"not_skill":"ship-frontend"'], []],
    ["nothing, and one forbidden", ['"relevant":[]', '"not_skill":"oven"'], []],
  ])("%s", (_, labels, notes) => {
    const lines = labels.map((label) => `{"query":"the same",${label}}`).join("\n");
    const read = readCases(lines, { place: "f", owner: null });
    expect(read.problems).toEqual([]);
    expect(labelNotes(read.cases, { known, names: [...known] })).toEqual(notes);
  });
});

describe("statistics", () => {
  it("gives Wilson's interval", () => {
    const { low, high } = proportion(9, 10);
    expect(low).toBeCloseTo(0.5958, 3);
    expect(high).toBeCloseTo(0.9821, 3);
    expect(proportion(0, 0)).toEqual({ value: 0, low: 0, high: 1 });
  });
  it.each([[[1]], [[0]], [[0.5]], [[1, 1, 1]], [[1, 1, 1, 1, 1, 1, 1, 0]], [[0.2, 0.9, 0.4]]])(
    "gives the mean of the shares %j within 0 to 1",
    (values) => {
      const { value, low, high } = meanShare(values);
      expect(value).toBeCloseTo(values.reduce((sum, one) => sum + one) / values.length, 12);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      expect([low <= value, value <= high, high - low > 0.3]).toEqual([true, true, true]);
    },
  );
  it("gives shares that are all 0 or 1 the interval of a share", () => {
    expect(meanShare([1, 1, 0])).toEqual(proportion(2, 3));
    expect(meanShare([])).toEqual(proportion(0, 0));
  });
  it.each([
    [[0], -1, 1],
    [[0, 0, 0], -0.7, 0.7],
    [[1, 1, 1], -0.1, 1],
    [[0.5, -0.5, 0, 0.25], -1, 1],
  ])(
    "gives the mean of the differences %j with an interval that few pairs leave wide",
    (values, low, high) => {
      const made = meanDifference(values);
      expect(made.value).toBeCloseTo(values.reduce((sum, one) => sum + one) / values.length, 12);
      expect(made.low).toBeGreaterThanOrEqual(low);
      expect(made.high).toBeLessThanOrEqual(high);
      expect(made.high - made.low).toBeGreaterThan(0.6);
    },
  );
  it("gives many differences the normal interval", () => {
    const values = Array.from({ length: 2_000 }, (_, index) => (index % 4 === 0 ? 1 : 0));
    const { value, low, high } = meanDifference(values);
    const half = 1.96 * Math.sqrt((0.25 * 0.75) / 2_000);
    expect([value - low, high - value]).toEqual([expect.closeTo(half, 3), expect.closeTo(half, 3)]);
  });
  it("tests signs", () => {
    expect(signTest(10, 0)).toBeCloseTo(0.001953, 5);
    expect(signTest(5, 5)).toBe(1);
    expect(signTest(0, 0)).toBe(1);
  });
});
