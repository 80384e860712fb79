import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fastest } from "../../../test/support/processor-time.ts";
import { matchWildcard } from "./wildcard.ts";

interface Golden {
  readonly cases: readonly {
    readonly id: string;
    readonly input: { readonly value: string; readonly pattern: string };
    readonly expected: boolean;
  }[];
}

const golden = JSON.parse(
  readFileSync(new URL("../../../test/conformance/data/mimo.wildcard.json", import.meta.url), "utf8"),
) as Golden;

describe("matchWildcard", () => {
  it.each(golden.cases.map((entry) => [entry.id, entry] as const))("golden %s", (_, { input, expected }) => {
    expect(matchWildcard(input.value, input.pattern)).toBe(expected);
  });

  it("agrees with an obvious recursive model", () => {
    const model = (value: string, pattern: string): boolean => {
      if (pattern === "") return value === "";
      if (pattern[0] === "*")
        return model(value, pattern.slice(1)) || (value !== "" && model(value.slice(1), pattern));
      return (
        value !== "" &&
        (pattern[0] === "?" || pattern[0] === value[0]) &&
        model(value.slice(1), pattern.slice(1))
      );
    };
    const slashes = (text: string): string => text.replaceAll("\\", "/");
    const text = (units: string[], max: number): fc.Arbitrary<string> =>
      fc.array(fc.constantFrom(...units), { maxLength: max }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(
        text(["a", "b", "/", "\\", " ", "\n", "*"], 8),
        text(["a", "b", "/", "\\", " ", "*", "?"], 8),
        (value, pattern) => {
          const v = slashes(value);
          const p = slashes(pattern);
          const expected = model(v, p) || (p.endsWith(" *") && model(v, p.slice(0, -2)));
          expect(matchWildcard(value, pattern)).toBe(expected);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["2,000 stars", "a".repeat(200), "*".repeat(2_000)],
    ["2,000 stars and a miss", "a".repeat(64), `${"*a".repeat(2_000)}b`],
    ["5,000 braces", "x", "{".repeat(5_000)],
    ["nested extglobs", "a".repeat(60), "+(".repeat(500) + "a".repeat(10) + ")+".repeat(500)],
  ])("row B17: %s in under 5 ms", (_, value, pattern) => {
    matchWildcard(value, pattern);
    expect(fastest(() => matchWildcard(value, pattern), 5)).toBeLessThan(5);
  });
});
