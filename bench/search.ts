// Measures search: `node --import tsx bench/search.ts --data DIR` (figures and ablation on labelled requests in the form
// that `skillet eval` reads), `--data DIR --postgres URL` (agreement with PostgreSQL), `--data DIR --semantic-folder DIR
// [--semantic-file FILE] [--request-prefix TEXT] [--document-prefix TEXT]` (words against words and meaning), `--data DIR
// --semantic-random SEED` (and random vectors), `--scale N [--bodies]` (time and memory on N made-up skills). See search.md.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { evaluate } from "../src/core/evaluation/evaluate.ts";
import type { EvaluationCase } from "../src/core/evaluation/evaluation-case.ts";
import { autoLoadFrom } from "../src/core/search/decide.ts";
import { readGlossTable } from "../src/core/search/gloss-table.ts";
import { type RankingRules, rankingRules } from "../src/core/search/ranking-rules.ts";
import { createSearchIndex, searchStored } from "../src/core/search/search-index.ts";
import { buildIndexData, type StoredIndex } from "../src/core/search/stored-index.ts";
import { evaluationSets } from "../src/host/evaluation-sets.ts";
import { connectPostgres, createPostgresSearch } from "../src/host/postgres/postgres-search.ts";
import { qualityRow } from "./quality-row.ts";
import { scale } from "./scale.ts";
import { semanticQuality } from "./semantic-quality.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    scale: { type: "string" },
    bodies: { type: "boolean", default: false },
    ablation: { type: "boolean", default: false },
    postgres: { type: "string" },
    "semantic-folder": { type: "string" },
    "semantic-file": { type: "string" },
    "request-prefix": { type: "string" },
    "document-prefix": { type: "string" },
    "semantic-random": { type: "string" },
  },
});
const table = readGlossTable(readFileSync(new URL("../data/gloss.txt", import.meta.url), "utf8"));

if (values.scale !== undefined) scale(Number(values.scale), values.bodies);
if (values.data !== undefined && values.postgres !== undefined) await agreement(values.data, values.postgres);
else if (values.data !== undefined && values["semantic-random"] !== undefined)
  await semanticQuality(values.data, {
    model: Number(values["semantic-random"]),
    gloss: () => table,
    ablation: values.ablation,
  });
else if (values.data !== undefined && values["semantic-folder"] !== undefined)
  await semanticQuality(values.data, {
    model: {
      folder: values["semantic-folder"],
      file: values["semantic-file"],
      requestPrefix: values["request-prefix"],
      documentPrefix: values["document-prefix"],
      nodePath: process.env.PEERS_FOLDER,
    },
    gloss: () => table,
    ablation: values.ablation,
  });
else if (values.data !== undefined) quality(values.data, values.ablation);

/** How far PostgreSQL and the index in the process agree on the requests of each set. */
async function agreement(folder: string, address: string): Promise<void> {
  const client = await connectPostgres(address);
  for (const { name, corpus, cases } of evaluationSets([folder])) {
    if (corpus === null) continue;
    const engine = createPostgresSearch(client, { index: { gloss: () => table } });
    await engine.replace(corpus);
    const index = createSearchIndex(corpus, { gloss: () => table });
    let shared = 0;
    let first = 0;
    let right = 0;
    let own = 0;
    const asked = cases.filter(({ relevant }) => relevant.length > 0);
    const from = performance.now();
    for (const { query, relevant } of asked) {
      const mine = index.search(query, { limit: 5 }).map(({ location }) => location);
      const other = (await engine.search(query, { limit: 5 })).map(({ location }) => location);
      shared += other.filter((location) => mine.includes(location)).length / Math.max(1, mine.length);
      if (mine[0] === other[0]) first++;
      if (relevant.includes(mine[0] ?? "")) own++;
      if (relevant.includes(other[0] ?? "")) right++;
    }
    const share = (count: number): string => (count / asked.length).toFixed(3);
    const each = (performance.now() - from) / asked.length;
    console.log(
      `${name}: ${asked.length} requests, agreement@5 ${share(shared)}, same first ${share(first)}, Hit@1 ${share(own)} in the process and ${share(right)} by PostgreSQL, ${each.toFixed(0)} ms by the clock for both`,
    );
  }
  await client.end();
}

function quality(folder: string, ablation: boolean): void {
  for (const { name, corpus, cases } of evaluationSets([folder])) {
    if (corpus === null) continue;
    const from = process.cpuUsage().user;
    const stored = buildIndexData(corpus);
    console.log(`${name}: ${corpus.length} skills, built in ${seconds(from)} s of processor time`);
    row("everything", stored, cases, rankingRules);
    if (!ablation) continue;
    const fields = (change: Readonly<Record<number, number>>): RankingRules => ({
      ...rankingRules,
      fieldWeights: rankingRules.fieldWeights.map((weight, field) => change[field] ?? weight),
    });
    const without: readonly (readonly [string, RankingRules])[] = [
      ["without phrases", { ...rankingRules, phraseWeight: 0 }],
      ["without whole names", { ...rankingRules, nameWeight: 0 }],
      ["without letters in common", { ...rankingRules, spellingWeight: 0 }],
      ["without coverage", { ...rankingRules, coverageShare: 0 }],
      ["without fading", { ...rankingRules, fading: 0 }],
      ["words of any request count in full", { ...rankingRules, requestWeight: 1 }],
      ["parts count as words", { ...rankingRules, sideWeight: 1 }],
      ["exclusions count as description", fields({ 6: 1.5 })],
      ["refused names count as words", { ...rankingRules, refusedWeight: 1 }],
      ["without translation", { ...rankingRules, glossWeight: 0 }],
      ["without headings", fields({ 7: 1e-6 })],
      ["without bodies", fields({ 7: 1e-6, 8: 1e-6 })],
      ["names as descriptions", fields({ 0: 1.5 })],
    ];
    for (const [label, rules] of without) row(label, stored, cases, rules);
  }
}

function row(
  label: string,
  stored: StoredIndex,
  cases: readonly EvaluationCase[],
  rules: RankingRules,
): void {
  const index = searchStored(stored, rules.glossWeight > 0 ? { rules, gloss: () => table } : { rules });
  index.search("warm up", { limit: 1 });
  const from = process.cpuUsage().user;
  const result = evaluate(cases, (query) => {
    const results = index.search(query, { limit: 10 });
    const [first] = results;
    return {
      results: results.map(({ name, location, probability }) => ({ id: location, name, probability })),
      autoLoad: first !== undefined && first.probability >= autoLoadFrom ? first.name : null,
    };
  });
  console.log(qualityRow(label, result, (process.cpuUsage().user - from) / 1000 / cases.length));
}

function seconds(from: number): string {
  return ((process.cpuUsage().user - from) / 1e6).toFixed(2);
}
