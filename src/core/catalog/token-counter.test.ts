import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byteCounter, defaultBudget, estimateTokens, utf8Length } from "./token-counter.ts";

describe("utf8Length", () => {
  it("equals an encoder's answer", () => {
    const encoder = new TextEncoder();
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.array(fc.constantFrom("a", "é", "文", "😀", "\ud83d", "\ude00")).map((parts) => parts.join("")),
        ),
        (text) => {
          expect(utf8Length(text)).toBe(encoder.encode(text).length);
        },
      ),
    );
  });
});

describe("estimateTokens", () => {
  it.each([
    ["", 0],
    ["a", 1],
    ["abcd", 1],
    ["abcde", 2],
    ["文档", 2],
  ])("%j is %d", (text, expected) => expect(estimateTokens(text)).toBe(expected));

  it("is at most the sum of its parts", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme" })), (parts) => {
        const sum = parts.reduce((total, part) => total + (byteCounter.measure?.(part) ?? 0), 0);
        expect(estimateTokens(parts.join(""))).toBe(Math.ceil(sum));
      }),
    );
  });
});

describe("defaultBudget", () => {
  it.each([
    [200_000, undefined, 4_000],
    [8_192, undefined, 163],
    [200_000, 0.01, 2_000],
    [null, undefined, 2_000],
    [0, undefined, 2_000],
    [Number.NaN, undefined, 2_000],
    [Number.POSITIVE_INFINITY, undefined, 2_000],
  ])("window %d at %s is %d", (window, fraction, expected) =>
    expect(defaultBudget(window, fraction)).toBe(expected),
  );
});
