import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { evaluate } from "../evaluation/evaluate.ts";
import { type EvaluationCase, readCases } from "../evaluation/evaluation-case.ts";
import { autoLoadFrom } from "./decide.ts";
import { readGlossTable } from "./gloss-table.ts";
import { createSearchIndex } from "./search-index.ts";

const folder = new URL("../../../test/search/desk/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), "utf8");
const table = readGlossTable(readFileSync(new URL("../../../data/gloss.txt", import.meta.url), "utf8"));
const index = createSearchIndex(
  read("corpus.jsonl")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: string; name: string; description: string; body: string })
    .map(({ id, ...row }) => ({ ...row, location: id, aliases: [], localized: [], whenToUse: "" })),
  { gloss: () => table },
);
const cases: readonly EvaluationCase[] = ["queries.jsonl", "negatives.jsonl"].flatMap((name) => {
  const { cases: rows, problems } = readCases(read(name), { place: name, owner: null });
  expect(problems).toEqual([]);
  return rows;
});

it("requests in English and Chinese find their skill, and what nothing fits loads nothing", () => {
  const { metrics, byLanguage, autoLoad } = evaluate(cases, (query) => {
    const results = index.search(query, { limit: 10 });
    const [first] = results;
    return {
      results: results.map(({ name, location, probability }) => ({ id: location, name, probability })),
      autoLoad: first !== undefined && first.probability >= autoLoadFrom ? first.name : null,
    };
  });
  expect(metrics.hit1.value).toBeGreaterThanOrEqual(0.94);
  expect(metrics.recall3.value).toBeGreaterThanOrEqual(0.98);
  expect(byLanguage.han?.hit1.value).toBeGreaterThanOrEqual(0.9);
  expect(autoLoad.precision.value).toBeGreaterThanOrEqual(0.95);
  expect(autoLoad.coverage.value).toBeGreaterThanOrEqual(0.5);
  expect(autoLoad.negatives.value).toBeLessThanOrEqual(0.05);
});
