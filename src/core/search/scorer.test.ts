import fc from "fast-check";
import { expect, it } from "vitest";
import { fieldFactors } from "./field-factors.ts";
import { readGlossTable } from "./gloss-table.ts";
import { glossTerms } from "./gloss-terms.ts";
import { PostingsReader } from "./postings-reader.ts";
import { queryTerms } from "./query-terms.ts";
import { rankingRules as rules } from "./ranking-rules.ts";
import { createScorer } from "./scorer.ts";
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
        const quick = createScorer(data, { rules, factors, longList: 1 });
        const plain = createScorer(data, { rules, factors });
        const kept = some.map((number) => number % documents.length);
        for (const query of queries) {
          const literal = queryTerms(query, data, { rules, typo: () => -1, translated: true });
          const terms = [...literal, ...glossTerms(query, data, { rules, table, literal })];
          const all = plain(terms, { best: documents.length, kept: [] });
          const found = quick(terms, { best, kept });
          expect(found.ideal).toBe(all.ideal);
          const order = Array.from(all.touched.subarray(0, all.count)).sort(
            (a, b) => all.scoreOf(b) - all.scoreOf(a) || a - b,
          );
          const least = order.length < best ? 0 : all.scoreOf(order[best - 1] as number);
          const wanted = order.filter((number) => all.scoreOf(number) >= least);
          const touched = new Set(found.touched.subarray(0, found.count));
          for (const number of wanted) expect(touched.has(number)).toBe(true);
          for (const number of [...wanted, ...kept]) {
            expect(found.scoreOf(number)).toBe(all.scoreOf(number));
            expect(found.coverageOf(number)).toBe(all.coverageOf(number));
          }
          for (const number of touched)
            expect(found.scoreOf(number)).toBeLessThanOrEqual(all.scoreOf(number));
        }
      },
    ),
    { numRuns: 150 },
  );
});

it("a reader reaches every document of a list from any start", () => {
  fc.assert(
    fc.property(corpus, fc.array(fc.nat(450), { maxLength: 12 }), (documents, steps) => {
      const { data } = buildIndexData(documents);
      const reader = new PostingsReader(data.postings);
      for (let term = 0; term < data.vocabulary.terms.size; term++) {
        const told: [number, number[]][] = [];
        reader.open(term);
        for (let least = 0; reader.reach(least); least = reader.document + 1) {
          const places: number[] = [];
          reader.places((place) => places.push(place));
          told.push([reader.document, places]);
        }
        expect(told.length).toBe(data.postings.frequency[term]);
        reader.open(term);
        for (const step of [...steps].sort((a, b) => a - b)) {
          const next = told.find(([number]) => number >= step);
          expect(reader.reach(step)).toBe(next !== undefined);
          if (next === undefined) break;
          const places: number[] = [];
          reader.places((place) => places.push(place));
          expect([reader.document, places]).toEqual(next);
        }
      }
    }),
    { numRuns: 60 },
  );
});
