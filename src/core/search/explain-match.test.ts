import { expect, it } from "vitest";
import { describeMatch, type MatchDetail } from "./explain-match.ts";

const details = (...rows: readonly (readonly [term: string, weight: number])[]): readonly MatchDetail[] =>
  rows.map(([term, weight]) => ({ term, field: "description", weight }));

it.each([
  [
    "a translation that adds almost nothing is no reason",
    [
      ["bread", 5],
      ["stock ~ 囤积", 0.3],
    ],
    '"bread"',
  ],
  [
    "nor is one of a word with a typing error",
    [
      ["bread", 5],
      ["sumer ~ summer ~ 夏", 0.3],
    ],
    '"bread"',
  ],
  [
    "one that tells something is",
    [
      ["bread", 5],
      ["stock ~ 囤积", 1],
    ],
    '"bread", "stock ~ 囤积"',
  ],
  [
    "nor is a typing error left out",
    [
      ["bread", 5],
      ["stok ~ stock", 0.3],
    ],
    '"bread", "stok ~ stock"',
  ],
  [
    "a weak word stays",
    [
      ["bread", 5],
      ["面包", 0.3],
    ],
    '"bread", "面包"',
  ],
  [
    "where there is nothing else it is the reason",
    [
      ["stock ~ 囤积", 0.3],
      ["letters in common", 9],
    ],
    '"stock ~ 囤积"',
  ],
] as const)("%s", (_, rows, reason) => {
  const words = new Set(rows.map(([term]) => term).filter((term) => term !== "letters in common"));
  expect(describeMatch(details(...rows), words)).toBe(`${reason} in the description`);
});

it("what a skill says it is not for is a reason only where there is no other", () => {
  const excluded: MatchDetail = { term: "sheet", field: "exclusion", weight: 9 };
  const words = new Set(["sheet", "region"]);
  expect(describeMatch([excluded, ...details(["region", 1])], words)).toBe('"region" in the description');
  expect(describeMatch([excluded], words)).toBe('"sheet" in the exclusions');
});
