import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diffLines, splitLines } from "./line-diff.ts";
import { mergeLines } from "./merge-lines.ts";

const texts = fc
  .array(fc.constantFrom("a\n", "b\n", "c\n", "d\n", "\n"), { maxLength: 14 })
  .map((lines) => lines.join(""));

describe("diffLines", () => {
  test("applying the differences gives the new text", () => {
    fc.assert(
      fc.property(texts, texts, (old, next) => {
        const [a, b] = [splitLines(old), splitLines(next)];
        const result: string[] = [];
        let at = 0;
        for (const hunk of diffLines(a, b)) {
          expect(hunk.aFrom).toBeGreaterThanOrEqual(at);
          result.push(...a.slice(at, hunk.aFrom), ...b.slice(hunk.bFrom, hunk.bTo));
          at = hunk.aTo;
        }
        expect([...result, ...a.slice(at)].join("")).toBe(next);
      }),
      { numRuns: 1000 },
    );
  });

  test("is the shortest: what is inserted alone is found alone", () => {
    const hunks = diffLines(splitLines("a\nb\nc\n"), splitLines("a\nx\nb\nc\n"));
    expect(hunks).toEqual([{ aFrom: 1, aTo: 1, bFrom: 1, bTo: 2 }]);
  });

  test("unlike texts of many lines end soon", () => {
    const [a, b] = [
      Array.from({ length: 20_000 }, (_, i) => `a${i}\n`),
      Array.from({ length: 20_000 }, (_, i) => `b${i}\n`),
    ];
    expect(diffLines(a, b)).toEqual([{ aFrom: 0, aTo: 20_000, bFrom: 0, bTo: 20_000 }]);
  });
});

describe("mergeLines", () => {
  const base = "one\ntwo\nthree\nfour\nfive\n";

  test("changes of different lines are both taken", () => {
    const merged = mergeLines({
      base,
      mine: base.replace("two", "TWO"),
      theirs: `${base.replace("four", "FOUR")}six\n`,
    });
    expect(merged).toEqual({ text: "one\nTWO\nthree\nFOUR\nfive\nsix\n" });
  });

  test("changes of one line are a conflict, equal ones are not", () => {
    expect(
      mergeLines({ base, mine: base.replace("two", "2"), theirs: base.replace("two", "zwei") }).text,
    ).toBe(null);
    expect(
      mergeLines({ base, mine: base.replace("two", "2"), theirs: base.replace("two", "2") }).text,
    ).toContain("2");
  });

  test("laws", () => {
    fc.assert(
      fc.property(texts, texts, texts, (base, mine, theirs) => {
        expect(mergeLines({ base, mine: base, theirs }).text).toBe(theirs);
        expect(mergeLines({ base, mine, theirs: base }).text).toBe(mine);
        expect(mergeLines({ base, mine, theirs: mine }).text).toBe(mine);
        const [one, other] = [
          mergeLines({ base, mine, theirs }),
          mergeLines({ base, mine: theirs, theirs: mine }),
        ];
        expect(one.text).toBe(other.text);
      }),
      { numRuns: 1000 },
    );
  });
});
