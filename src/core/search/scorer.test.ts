import fc from "fast-check";
import { expect, it } from "vitest";
import { amountAt, contribution, type FieldFactors, fieldFactors } from "./field-factors.ts";
import { readGlossTable } from "./gloss-table.ts";
import { glossTerms } from "./gloss-terms.ts";
import type { IndexData } from "./index-data.ts";
import { PostingsReader } from "./postings-reader.ts";
import { type QueryTerm, queryTerms } from "./query-terms.ts";
import { type RankingRules, rankingRules as rules } from "./ranking-rules.ts";
import { createScorer, type Scores } from "./scorer.ts";
import { metadataFields } from "./search-fields.ts";
import { buildIndexData } from "./stored-index.ts";

const table = readGlossTable("文档\tdocument,file\n转换\tconvert\n");
/** Words of very different frequency. */
const word = fc.constantFrom(
  "the",
  "convert",
  "pdf",
  "a-b",
  "file",
  "Chart",
  "文档转换",
  "x",
  ".docx",
  "table",
);
const words = (most: number) => fc.array(word, { maxLength: most }).map((list) => list.join(" "));
const document = fc.record({
  name: words(2),
  location: fc.constant(""),
  description: words(6),
  whenToUse: words(1),
  body: words(12),
  aliases: fc.constant([]),
  localized: fc.constant([]),
});

/** `count` documents that repeat some, so that the lists of common words have several blocks. */
const corpus = fc
  .tuple(fc.array(document, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 400 }))
  .map(([some, count]) =>
    Array.from({ length: count }, (_, number) => some[(number * 7 + ((number * number) % 5)) % some.length]),
  )
  .map((list) => list.filter((one) => one !== undefined));

/** The terms of a query, with what they mean in the other language. */
function termsOf(query: string, data: IndexData): readonly QueryTerm[] {
  const literal = queryTerms(query, data, { rules, typo: () => -1, translated: true });
  return [...literal, ...glossTerms(query, data, { rules, table, literal })];
}

/** Documents from best to worst, equal ones by number. */
function ordered(scores: Scores): number[] {
  return Array.from(scores.touched.subarray(0, scores.count)).sort(
    (a, b) => scores.scoreOf(b) - scores.scoreOf(a) || a - b,
  );
}

/** The score and coverage of one document, looked up term by term. */
function plainScore(
  terms: readonly QueryTerm[],
  document: number,
  { data, rules, factors }: { data: IndexData; rules: RankingRules; factors: FieldFactors },
): [number, number] {
  const reader = new PostingsReader(data.postings);
  let total = 0;
  let sum = 0;
  let matched = 0;
  for (const { weight, extra, gloss, readings } of terms) {
    if (!extra) total += weight;
    let best = 0;
    let cover = 0;
    for (const reading of readings) {
      let amount = 0;
      reader.open(reading.id);
      if (!reader.reach(document) || reader.document !== document) continue;
      reader.places((place) => {
        if (!gloss || place >>> 4 < metadataFields) amount += amountAt(factors, place, document);
      });
      if (amount === 0) continue;
      const value = contribution(weight * reading.weight, amount, rules.saturation);
      if (gloss && value <= best) continue;
      best = gloss ? value : best + value;
      cover = gloss ? weight * reading.weight : cover + weight * reading.weight;
    }
    sum += best;
    if (best > 0 && (!extra || (gloss && matched === 0))) matched += cover;
  }
  const share = total === 0 ? 0 : Math.min(1, matched / total);
  return [share === 0 ? 0 : sum * (1 - rules.coverageShare * (1 - share)), share];
}

it("the best and the kept documents score as if every list had been read, whatever was asked before", () => {
  fc.assert(
    fc.property(
      corpus,
      fc.array(words(6), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.nat(400), { maxLength: 2 }),
      (documents, queries, best, some) => {
        const { data } = buildIndexData(documents);
        const factors = fieldFactors(data, rules);
        const score = createScorer(data, { rules, factors });
        const scoreAll = createScorer(data, { rules, factors });
        const kept = some.map((number) => number % documents.length);
        for (const query of queries) {
          const terms = termsOf(query, data);
          const all = scoreAll(terms, { best: documents.length, kept: [] });
          const found = score(terms, { best, kept });
          expect(found.ideal).toBe(all.ideal);
          for (let number = 0; number < documents.length; number++) {
            const [plain, coverage] = plainScore(terms, number, { data, rules, factors });
            expect(all.scoreOf(number)).toBeCloseTo(plain, 9);
            expect(all.coverageOf(number)).toBeCloseTo(plain === 0 ? 0 : coverage, 9);
          }
          const order = ordered(all);
          const least = order.length < best ? 0 : all.scoreOf(order[best - 1] as number);
          const wanted = order.filter((number) => all.scoreOf(number) >= least);
          expect(ordered(found).slice(0, wanted.length)).toEqual(wanted);
          for (const number of [...wanted, ...kept]) {
            expect(found.scoreOf(number)).toBe(all.scoreOf(number));
            expect(found.coverageOf(number)).toBe(all.coverageOf(number));
          }
        }
      },
    ),
    { numRuns: 60 },
  );
});

/** Numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

it("among many documents the same are best in the same order, and most entries are never looked at", () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), (seed) => {
      const random = randomFrom(seed);
      const pick = (): string => `word${Math.floor(3_000 * random() ** 3).toString(26)}`;
      const several = (count: number): string => Array.from({ length: count }, pick).join(" ");
      const { data } = buildIndexData(
        Array.from({ length: 20_000 }, () => ({
          name: several(2),
          location: "",
          description: several(4 + Math.floor(random() * 12)),
          whenToUse: random() < 0.2 ? several(3) : "",
          body: random() < 0.1 ? several(30) : "",
          aliases: [],
          localized: [],
        })),
      );
      const factors = fieldFactors(data, rules);
      const score = createScorer(data, { rules, factors });
      const scoreAll = createScorer(data, { rules, factors });
      let least = 0;
      let most = 0;
      for (let asked = 0; asked < 20; asked++) {
        const terms = termsOf(several(2 + (asked % 8)), data);
        const all = scoreAll(terms, { best: 20_000, kept: [] });
        const order = ordered(all);
        for (const best of [1, 10, 64]) {
          const found = score(terms, { best, kept: [] });
          const bound = all.scoreOf(order[best - 1] ?? -1);
          const wanted = order.filter((number) => all.scoreOf(number) >= bound);
          expect(ordered(found)).toEqual(wanted);
          for (const number of wanted) expect(found.scoreOf(number)).toBe(all.scoreOf(number));
          if (best !== 10) continue;
          least += found.reads;
          most += all.reads;
        }
      }
      expect(least * 2).toBeLessThan(most);
    }),
    { numRuns: 2 },
  );
});

it("rules that the index was not made for give exact scores too", () => {
  const documents = Array.from({ length: 600 }, (_, number) => ({
    name: number % 50 === 0 ? "convert pdf" : `tool ${number}`,
    location: "",
    description: number % 3 === 0 ? "convert a file" : "a file for charts, pdf",
    whenToUse: "",
    body: number % 7 === 0 ? "pdf file pdf" : "",
    aliases: [],
    localized: [],
  }));
  const { data } = buildIndexData(documents);
  const other = { ...rules, fieldWeights: rules.fieldWeights.map((weight, field) => weight * (1 + field)) };
  const factors = fieldFactors(data, other);
  const score = createScorer(data, { rules: other, factors });
  const terms = termsOf("convert pdf file", data);
  const order = ordered(score(terms, { best: documents.length, kept: [] }));
  const found = score(terms, { best: 5, kept: [] });
  expect(ordered(found).slice(0, 5)).toEqual(order.slice(0, 5));
  for (const number of order.slice(0, 5)) {
    const [plain] = plainScore(terms, number, { data, rules: other, factors });
    expect(found.scoreOf(number)).toBeCloseTo(plain, 9);
  }
});
