import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { o200kCounter } from "../../../host/o200k-counter.ts";
import type { TokenCounter } from "../../catalog/token-counter.ts";
import { type CatalogSkill, catalogBudget, renderMinimaxCatalog } from "./catalog.ts";

const o200k = o200kCounter();

/** Counts whole texts only, as the mirrored program does, and how many characters that took. */
function wholeTexts(): TokenCounter & { characters: number } {
  return {
    id: "whole",
    characters: 0,
    count(text) {
      this.characters += text.length;
      return o200k.count(text);
    },
  };
}

/** The same counter in parts, and how many characters were given to the tokeniser. */
function inParts(): TokenCounter & { characters: number } {
  const counter = {
    id: "parts",
    characters: 0,
    count(text: string) {
      counter.characters += text.length;
      return o200k.count(text);
    },
    seams: {
      in: (text: string) => o200k.seams?.in(text) ?? (() => false),
      count(part: string) {
        counter.characters += part.length;
        return o200k.seams?.count(part) ?? null;
      },
    },
  };
  return counter;
}

const words = fc.constantFrom(
  "Create",
  "and",
  "edit",
  "documents",
  "用给定的范围审查",
  "，只报告",
  "it's",
  "don'ts",
  "v1.2",
  "12345",
  "e\u0301te\u0301",
  "👍🏽",
  "<|endoftext|>",
  "<|end",
  "a_b",
  "---",
  "/////",
  "( x )",
  "\u00a0",
  "\u200b",
  "internationalization",
  "𠮷野家",
  "\ud83d",
);
const description = fc
  .array(fc.tuple(words, fc.constantFrom(" ", "", ", ", "\n")), { maxLength: 14 })
  .map((parts) => parts.flat().join(""));
const skill: fc.Arbitrary<CatalogSkill> = fc.record({
  name: fc.oneof(
    fc.stringMatching(/^[a-z]{1,8}(-[a-z0-9]{1,5})?$/),
    fc.constantFrom(
      "mcode-tools-master",
      "minimax-code-product",
      "技能",
      "a b",
      "_x",
      "notes:find",
      "a\n- b",
    ),
  ),
  description,
  builtin: fc.boolean(),
});

test("counting in parts gives the text of the plain algorithm", () => {
  fc.assert(
    fc.property(fc.array(skill, { maxLength: 14 }), fc.integer({ min: 0, max: 260 }), (skills, budget) => {
      const plain = renderMinimaxCatalog(skills, { budget, counter: wholeTexts() });
      const { text, tokens, softOverflow, hardOverflow } = renderMinimaxCatalog(skills, {
        budget,
        counter: inParts(),
      });
      expect({ text, tokens, softOverflow, hardOverflow }).toEqual({
        text: plain.text,
        tokens: plain.tokens,
        softOverflow: plain.softOverflow,
        hardOverflow: plain.hardOverflow,
      });
      expect(tokens).toBe(text === "" ? 0 : o200k.count(text));
      expect(tokens).toBeLessThanOrEqual(budget);
    }),
    { numRuns: 150 },
  );
});

/** A catalog of the size that people complain about: one that has to be shortened. */
function many(count: number): readonly CatalogSkill[] {
  const verbs = ["Create", "Review", "Convert", "Summarise", "Deploy", "汇总资料并生成"];
  const things = [
    "Word documents",
    "pull requests",
    "PDF files, pages and forms",
    "中文报告，交付前核对",
    "web sites",
  ];
  return Array.from({ length: count }, (_, index) => ({
    name: `skill-${String(index).padStart(3, "0")}`,
    description: `${verbs[index % 6]} ${things[index % 5]} for team ${index}. Use when the user asks for it; see step ${index % 7}.`,
    builtin: index % 3 === 0,
  }));
}

describe("cost", () => {
  test.each([
    [500, 20],
    [200, 10],
  ])("%d skills: the tokeniser reads at most 1/%d of the characters", (count, share) => {
    const skills = many(count);
    const budget = count === 500 ? 5_000 : 2_600;
    const plain = wholeTexts();
    const parts = inParts();
    const expected = renderMinimaxCatalog(skills, { budget, counter: plain });
    const found = renderMinimaxCatalog(skills, { budget, counter: parts });
    expect(found.text).toBe(expected.text);
    expect(expected.softOverflow).toBe(true);
    expect(parts.characters * share).toBeLessThanOrEqual(plain.characters);
  });
});

test.each([
  [null, 5_000],
  [0, 5_000],
  [-1, 5_000],
  [Number.NaN, 5_000],
  [Number.POSITIVE_INFINITY, 5_000],
  [1, 0],
  [49, 0],
  [50, 1],
  [8_192, 163],
  [249_999, 4_999],
  [250_000, 5_000],
])("a window of %s gives %d tokens", (window, budget) => expect(catalogBudget(window)).toBe(budget));

test.each([
  [1_024, false],
  [1_025, true],
])("a description of %d code points is cut: %s", (length, cut) => {
  const found = renderMinimaxCatalog([{ name: "a", description: "é".repeat(length), builtin: true }], {
    budget: 5_000,
    counter: o200k,
  });
  expect(found.descriptionCapTruncated).toBe(cut);
  expect(found.text.match(/é/g)).toHaveLength(1_024);
});
