import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { rankerFor } from "../../src/cli/evaluation/ranker-for.ts";
import { evaluate } from "../../src/core/evaluation/evaluate.ts";
import { autoLoadFrom, nothingBelow } from "../../src/core/search/decide.ts";
import { evaluationSets } from "../../src/host/evaluation-sets.ts";
import { openSkills } from "../../src/host/open-skills.ts";

// The requests in evals/queries.jsonl were written from the skills' names, apart from the example requests that search
// reads: none is in both.
interface Asked {
  readonly agent: string | null;
  readonly packs: readonly string[];
}

const pack = (name: string): string => fileURLToPath(new URL(`../../skills/${name}`, import.meta.url));

function measure({ agent, packs }: Asked) {
  const folder = mkdtempSync(join(tmpdir(), "skillet-found-"));
  const skills = openSkills({
    cwd: folder,
    home: folder,
    data: folder,
    env: { SKILLET_DISABLE_BUILTIN_SKILLS: "" },
    ...(agent === null ? {} : { agent }),
  });
  const sets = evaluationSets(packs.map(pack));
  const ranker = rankerFor(skills, null);
  const results = sets.map(({ cases, problems }) => ({ problems, ...evaluate(cases, ranker) }));
  skills.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  return results;
}

test("the built-in skills are found by requests as users write them", () => {
  const [result] = measure({ agent: null, packs: ["general"] });
  if (result === undefined) throw new Error("no evaluation");
  const { metrics, autoLoad, byLanguage, problems } = result;
  expect(problems).toEqual([]);
  expect(metrics.count).toBeGreaterThan(240);
  expect(metrics.hit1.value).toBeGreaterThanOrEqual(0.9);
  expect(metrics.recall3.value).toBeGreaterThanOrEqual(0.98);
  expect(autoLoad.negatives.value).toBeLessThanOrEqual(0.05);
  expect(autoLoad.precision.value).toBeGreaterThanOrEqual(0.95);
  for (const language of Object.values(byLanguage)) expect(language.hit1.value).toBeGreaterThanOrEqual(0.9);
});

// Requests of everyday work, English, simplified and traditional Chinese, with typing errors; nearly half of them nothing fits.
test("everyday requests find the built-in skills, and for what nothing fits they say so", () => {
  const folder = mkdtempSync(join(tmpdir(), "skillet-everyday-"));
  const skills = openSkills({
    cwd: folder,
    home: folder,
    data: folder,
    env: { SKILLET_DISABLE_BUILTIN_SKILLS: "" },
  });
  const [set] = evaluationSets([fileURLToPath(new URL("built-in-requests.jsonl", import.meta.url))]);
  if (set === undefined) throw new Error("no requests");
  const { metrics, autoLoad, byLanguage } = evaluate(set.cases, rankerFor(skills, null));
  expect(set.problems).toEqual([]);
  expect(metrics.count).toBeGreaterThan(230);
  expect(metrics.hit1.value).toBeGreaterThanOrEqual(0.96);
  expect(metrics.hit3.value).toBeGreaterThanOrEqual(0.98);
  for (const language of Object.values(byLanguage)) expect(language.hit1.value).toBeGreaterThanOrEqual(0.95);
  expect(autoLoad.coverage.value).toBeGreaterThanOrEqual(0.7);
  expect(autoLoad.precision.value).toBeGreaterThanOrEqual(0.98);
  const likeliest = (query: string): number =>
    skills.search(query, { limit: 1 }).results[0]?.probability ?? 0;
  const nothing = set.cases.filter(({ relevant }) => relevant.length === 0).map(({ query }) => query);
  expect(nothing.length).toBeGreaterThan(180);
  const share = (low: number): number =>
    nothing.filter((query) => likeliest(query) >= low).length / nothing.length;
  expect(share(autoLoadFrom)).toBeLessThanOrEqual(0.03);
  expect(share(nothingBelow)).toBeLessThanOrEqual(0.25);
  for (const query of ["今天吃什么", "what is the weather", "tell me a joke", "播放音乐", "what is 17*23"])
    expect([query, likeliest(query) < nothingBelow]).toEqual([query, true]);
  // A question about a skill finds it, and what is refused is never loaded, also where the name is a common word.
  for (const query of [
    "what does docx do?",
    "explain when to use docx",
    "how does docx work?",
    "docx是做什么的",
  ]) {
    const [first] = skills.search(query, { limit: 1 }).results;
    expect([query, first?.name, (first?.probability ?? 1) < autoLoadFrom]).toEqual([query, "docx", true]);
  }
  for (const query of ["not pdf", "use docx, not pdf", "rather docx instead of a pdf", "不用pdf，用docx"]) {
    const pdf = skills.search(query).results.find(({ name }) => name === "pdf");
    expect([query, (pdf?.probability ?? 0) < autoLoadFrom]).toEqual([query, true]);
  }
  skills.close();
  rmSync(folder, { recursive: true, force: true });
});

test("the workflow's skills are found by its agent, and hide none of the others", () => {
  const [workflow, general] = measure({ agent: "compose", packs: ["compose", "general"] });
  if (workflow === undefined || general === undefined) throw new Error("no evaluation");
  expect(workflow.problems).toEqual([]);
  expect(workflow.metrics.count).toBeGreaterThan(180);
  expect(workflow.metrics.hit1.value).toBeGreaterThanOrEqual(0.9);
  expect(workflow.metrics.recall3.value).toBeGreaterThanOrEqual(0.98);
  expect(workflow.autoLoad.precision.value).toBeGreaterThanOrEqual(0.95);
  for (const language of Object.values(workflow.byLanguage))
    expect(language.hit1.value).toBeGreaterThanOrEqual(0.9);
  expect(general.metrics.hit1.value).toBeGreaterThanOrEqual(0.9);
  expect(general.metrics.recall3.value).toBeGreaterThanOrEqual(0.98);
});

test("every skill has labelled requests of both languages and near-misses, none of them an example", () => {
  for (const name of ["general", "compose"])
    for (const skill of readdirSync(pack(name))) {
      const read = (file: string): readonly { query: string; relevant?: readonly string[] }[] =>
        readFileSync(join(pack(name), skill, "evals", file), "utf8")
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line) as { query: string; relevant?: readonly string[] });
      const queries = read("queries.jsonl");
      const own = name === "compose" ? `compose:${skill}` : skill;
      const chinese = queries.filter(({ query }) => /\p{Script=Han}/u.test(query));
      const others = queries.filter(({ relevant }) => relevant?.includes(own) === false);
      const examples = new Set(read("examples.jsonl").map(({ query }) => query.toLowerCase()));
      expect([skill, queries.length >= 12]).toEqual([skill, true]);
      expect([skill, chinese.length / queries.length > 0.35]).toEqual([skill, true]);
      expect([skill, others.length >= 2]).toEqual([skill, true]);
      expect([skill, queries.filter(({ query }) => examples.has(query.toLowerCase()))]).toEqual([skill, []]);
    }
});
