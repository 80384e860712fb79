import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SearchResult } from "./search-index.ts";
import { fuseMeaning, type Similar } from "./semantic.ts";

const hit = (name: string, score: number, probability = 0.2): SearchResult => ({
  name,
  location: `/${name}`,
  score,
  probability,
  reason: "words",
});
const close = (name: string, similarity: number): Similar => ({ name, location: `/${name}`, similarity });
const names = (results: readonly { readonly name: string }[]): readonly string[] =>
  results.map(({ name }) => name);

/** Answers by words over skills s0, s1, …, best first, with a similarity for each skill. */
const answers = fc
  .record({
    similarities: fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 2, maxLength: 30 }),
    scores: fc.array(fc.integer({ min: 1, max: 899 }), { maxLength: 12 }),
    probability: fc.integer({ min: 0, max: 95 }),
  })
  .map(({ similarities, scores, probability }) => ({
    similar: similarities.map((value, number) => close(`s${number}`, value / 1_000)),
    words: [...new Set(scores)]
      .sort((a, b) => b - a)
      .slice(0, similarities.length)
      .map((score, number) => hit(`s${number}`, score / 1_000, probability / 100)),
  }));
const weights = fc.integer({ min: 1, max: 100 }).map((value) => value / 100);

describe("words and meaning", () => {
  const others = Array.from({ length: 30 }, (_, number) => close(`other-${number}`, (number % 5) / 50));

  it("moves an unsure answer and leaves a sure one", () => {
    const similar = [...others, close("a", 0.05), close("b", 0.8)];
    const words = (probability: number) => [hit("a", 0.1, probability), hit("b", 0.08, 0.1)];
    expect(names(fuseMeaning(words(0.15), similar, { limit: 2 }))).toEqual(["b", "a"]);
    expect(names(fuseMeaning(words(0.9), similar, { limit: 2 }))).toEqual(["a", "b"]);
  });

  it("counts meaning less where words match strongly", () => {
    const similar = [...others, close("a", 0.05), close("b", 0.8)];
    const words = (score: number) => [hit("a", score), hit("b", score / 2)];
    const [first] = fuseMeaning(words(0.08), similar, { limit: 2 });
    expect(first?.name).toBe("b");
    expect(names(fuseMeaning(words(0.8), similar, { limit: 2 }))).toEqual(["a", "b"]);
  });

  it("adds only what stands out, and nothing where all are alike", () => {
    const added = fuseMeaning([], [...others, close("b", 0.8)], { limit: 50 });
    expect(added[0]).toMatchObject({
      name: "b",
      probability: 0,
      reason: "close in meaning",
      meaning: { share: 1 },
    });
    expect(added.length).toBeLessThan(20);
    const alike = others.map(({ name }) => close(name, 0.7));
    expect(fuseMeaning([], alike, { limit: 50 })).toEqual([]);
    expect(names(fuseMeaning([hit("a", 0.2)], [...alike, close("a", 0.7)], { limit: 5 }))).toEqual(["a"]);
    expect(names(fuseMeaning([hit("a", 0.2)], [close("a", 0.1)], { limit: 5 }))).toEqual(["a"]);
  });

  it("depends on neither the scale of a model's similarities nor their order", () => {
    fc.assert(
      fc.property(answers, weights, fc.integer({ min: 1, max: 40 }), ({ words, similar }, weight, scale) => {
        const options = { weight, limit: 50 };
        const scaled = similar.map((one) => ({ ...one, similarity: 0.5 + (one.similarity * scale) / 100 }));
        const mine = fuseMeaning(words, similar, options);
        const other = fuseMeaning(words, [...scaled].reverse(), options);
        // Equal but for rounding in the last place.
        expect(other.length).toBe(mine.length);
        const scoreOf = new Map(other.map(({ location, score }) => [location, score]));
        for (const { location, score } of mine) expect(scoreOf.get(location)).toBeCloseTo(score, 3);
      }),
    );
  });

  it("keeps scores and shares in order and bounds, and what words say of a hit", () => {
    fc.assert(
      fc.property(answers, weights, ({ words, similar }, weight) => {
        const results = fuseMeaning(words, similar, { weight, limit: 50 });
        const before = new Map(words.map((one) => [one.location, one]));
        for (const [place, one] of results.entries()) {
          expect(one.score).toBeLessThanOrEqual(results[place - 1]?.score ?? 0.9);
          expect(one.score).toBeGreaterThanOrEqual(0);
          expect(one.meaning?.share).toBeGreaterThanOrEqual(0);
          expect(one.meaning?.share).toBeLessThanOrEqual(1);
          expect(one.probability).toBe(before.get(one.location)?.probability ?? 0);
        }
        expect(results.length).toBeGreaterThanOrEqual(words.length);
      }),
    );
  });

  it("is the order by words at weight 0, that by meaning at 1, and a name comes first at any", () => {
    fc.assert(
      fc.property(answers, weights, ({ words, similar }, weight) => {
        expect(fuseMeaning(words, similar, { weight: 0, limit: 50 })).toEqual(words);
        const meant = fuseMeaning(words, similar, { weight: 1, limit: 50 }).filter(({ score }) => score > 0);
        const similarities = meant.map(({ meaning }) => meaning?.similarity ?? 0);
        expect(similarities).toEqual([...similarities].sort((a, b) => b - a));
        const named = fuseMeaning([hit("named", 0.95, 0.95), ...words], similar, { weight, limit: 50 });
        expect(named[0]).toMatchObject({ name: "named", score: 0.95, meaning: { share: 0 } });
      }),
    );
  });
});
