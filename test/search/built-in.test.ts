import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { rankerFor } from "../../src/cli/evaluation/ranker-for.ts";
import { evaluate } from "../../src/core/evaluation/evaluate.ts";
import { evaluationSets } from "../../src/host/evaluation-sets.ts";
import { openSkills } from "../../src/host/open-skills.ts";

// The requests in evals/queries.jsonl were written by somebody who knew the skills' names alone, and so were the example
// requests that search reads; neither knew the other.
test("the built-in skills are found by requests as users write them", () => {
  const folder = mkdtempSync(join(tmpdir(), "skillet-found-"));
  const skills = openSkills({
    cwd: folder,
    home: folder,
    data: folder,
    env: { SKILLET_DISABLE_BUILTIN_SKILLS: "" },
  });
  const [set] = evaluationSets([fileURLToPath(new URL("../../skills", import.meta.url))]);
  const { metrics, autoLoad, byLanguage } = evaluate(set?.cases ?? [], rankerFor(skills, null));
  skills.close();
  rmSync(folder, { recursive: true, force: true });
  expect(set?.problems).toEqual([]);
  expect(metrics.count).toBeGreaterThan(240);
  expect(metrics.hit1.value).toBeGreaterThanOrEqual(0.9);
  expect(metrics.recall3.value).toBeGreaterThanOrEqual(0.98);
  expect(autoLoad.negatives.value).toBeLessThanOrEqual(0.05);
  expect(autoLoad.precision.value).toBeGreaterThanOrEqual(0.95);
  for (const language of Object.values(byLanguage)) expect(language.hit1.value).toBeGreaterThanOrEqual(0.9);
});
