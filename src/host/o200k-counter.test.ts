import fc from "fast-check";
import { expect, test } from "vitest";
import { o200kCounter } from "./o200k-counter.ts";

const counter = o200kCounter();

test.each([
  ["", 0],
  ["hello world", 2],
  ["<|endoftext|>", 1],
  ["a <|endoftext|>", 8],
  ["a".repeat(4_097), 4_097],
])("%j counts %d", (text, tokens) => expect(counter.count(text)).toBe(tokens));

const piece = fc.oneof(
  fc.string({ unit: "binary", maxLength: 4 }),
  fc.string({ unit: "grapheme", maxLength: 6 }),
  fc.constantFrom(
    " ",
    "\n",
    "\n\n",
    " \n",
    "'s",
    "'LL",
    "’s",
    "Word",
    "wordWord",
    "123",
    "1234",
    "文档",
    "，",
    "<|",
    "|>",
    "<|im_start|>",
    "/",
    "\t",
    "e\u0301",
    "\u0301",
  ),
);

test("a text cut at a seam counts as its parts", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("");
      const isSeam = counter.seams?.in(text) ?? (() => false);
      for (let index = 1; index < text.length; index++) {
        if (!isSeam(index)) continue;
        const parts = counter.count(text.slice(0, index)) + counter.count(text.slice(index));
        expect(counter.count(text), JSON.stringify([text, index])).toBe(parts);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("a line end in front of a dash, a bracket or a letter is always a seam", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.constantFrom("- a", "</x>", "Some"), (pieces, next) => {
      const line = `- ${pieces.join("")}\n`;
      expect(counter.count(line + next)).toBe(counter.count(line) + counter.count(next));
    }),
    { numRuns: 2_000 },
  );
});
