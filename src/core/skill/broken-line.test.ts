import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyFrontmatter, tidyFrontmatter } from "../../../test/support/frontmatter-arbitrary.ts";
import { isBrokenForSure } from "./broken-line.ts";
import { testLimits } from "./reading.fixture.ts";
import { yamlEntries } from "./yaml-entries.ts";

const options = { line: 2, keys: 512 };

describe("isBrokenForSure", () => {
  it("says so of a colon in a plain text", () => {
    expect(isBrokenForSure('name: a\nwhen_to_use: Triggers: "do it", "make one"\n', options)).toBe(true);
    expect(isBrokenForSure("name: a\nwhen_to_use: a:b\n", options)).toBe(false);
    expect(isBrokenForSure("name: a\nlicense: a: b\n  c\n", options)).toBe(false);
    expect(isBrokenForSure("name: a\nlicense: a: *b\n", options)).toBe(false);
  });

  it("is right whenever it says so", () => {
    const part = fc.constantFrom(
      "a",
      "b: c",
      "d:",
      ": e",
      '"f',
      "g'",
      '"h": i',
      ", j",
      "? k",
      "- l",
      "(m)",
      "http://n",
      "— o",
      "✅ “p”",
      "。q",
    );
    const slips = fc
      .array(part, { minLength: 1, maxLength: 4 })
      .map((parts) => `license: Use ${parts.join(" ")}\n`);
    const text = fc
      .tuple(
        fc.oneof(tidyFrontmatter, anyFrontmatter, fc.constant("")),
        slips,
        fc.oneof(tidyFrontmatter, fc.constant("")),
      )
      .map(([before, slip, after]) => before + slip + after);
    let sure = 0;
    fc.assert(
      fc.property(text, (broken) => {
        if (!isBrokenForSure(broken, options)) return;
        sure++;
        expect(yamlEntries(broken, { limits: testLimits, line: 2 })).toEqual({
          kind: "broken",
          aliases: false,
        });
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 300) * 5 },
    );
    expect(sure).toBeGreaterThan(20);
  });
});
