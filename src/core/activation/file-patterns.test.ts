import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fastest } from "../../../test/support/processor-time.ts";
import { matchesPath, patternProblem } from "./file-patterns.ts";

describe("matchesPath", () => {
  it.each([
    // Case d-path-globs.
    [["**/*.py", "**/requirements*.txt"], "tools/run.py", true],
    [["**/*.py", "**/requirements*.txt"], "run.py", true],
    [["**/*.py", "**/requirements*.txt"], "a/requirements-dev.txt", true],
    [["packages/web/**", "*.css"], "packages/web/src/a.ts", true],
    [["packages/web/**", "*.css"], "packages\\web\\b.ts", true],
    [["packages/web/**", "*.css"], "deep/down/a.css", true],
    [["packages/web/**", "*.css"], "packages/webs/a.ts", false],
    [["packages/web/**", "*.css"], "x/packages/web/a.ts", false],
    [["src/[a-"], "src/a", false],
    // Names and folders.
    [["*"], "a/b.c", true],
    [["a*c"], "abbc", true],
    [["a*c"], "a/c", false],
    [["src/*"], "src/a/b", false],
    [["src/**/b"], "src/b", true],
    [["src/**/b"], "src/x/y/b", true],
    [["src/**/b"], "src/xb", false],
    [["**"], "a/b", true],
    [["src/**"], "src", false],
    [["a/**/**/b"], "a/b", true],
    [["src/**.ts"], "src/a.ts", true],
    [["src/**.ts"], "src/x/a.ts", false],
    [["docs/"], "docs/a/b.md", true],
    [["docs/"], "x/docs/a.md", true],
    [["/docs/"], "x/docs/a.md", false],
    [["/a.ts"], "a.ts", true],
    [["/a.ts"], "x/a.ts", false],
    [["./src/*.ts"], "./src/a.ts", true],
    [["src\\*.ts"], "src/a.ts", true],
    [["?.ts"], "😀.ts", true],
    [["?.ts"], "/.ts", false],
    // Sets.
    [["[a-c].ts"], "b.ts", true],
    [["[!a-c].ts"], "b.ts", false],
    [["[^a-c].ts"], "d.ts", true],
    [["[]a].ts"], "].ts", true],
    [["[a-].ts"], "-.ts", true],
    [["x/[!a]b"], "x//b", false],
    // Alternatives.
    [["*.{ts,tsx}"], "a.tsx", true],
    [["*.{ts,tsx}"], "a.js", false],
    [["{src,test}/**/*.{a,b{c,d}}"], "test/x/y.bd", true],
    [["{a/**,b}/c"], "a/x/y/c", true],
    [["a{,b}c"], "ac", true],
    [["x/{**/a,b}"], "x/y/z/a", true],
    [["a,b"], "a,b", true],
    [["a}"], "a}", true],
    // Text that other matchers give a meaning.
    [["a.c"], "abc", false],
    [["(a|b)+$"], "a", false],
    [["a+(b)"], "a+(b)", true],
    [["a.TS"], "a.ts", false],
    [[], "a", false],
  ])("%j on %j is %s", (patterns, path, expected) => {
    expect(matchesPath(patterns, path)).toBe(expected);
  });

  it("matches itself when nothing in it has a meaning", () => {
    const name = fc
      .string({ unit: "binary", minLength: 1, maxLength: 12 })
      .filter((text) => !/[\\/*?[\]{}!,\s]|^\.+$/.test(text));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
        expect(matchesPath([names.join("/")], names.join("/"))).toBe(true);
        expect(matchesPath(["**/*"], names.join("/"))).toBe(true);
      }),
    );
  });

  it("never throws and stays fast on any pattern", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("*", "{", "}", "[", "]", "-", "a", "/", "\\", ",", "?", "!") }),
        fc.string(),
        (pattern, path) => {
          matchesPath([pattern], path);
          patternProblem(pattern);
        },
      ),
    );
  });

  it.each([
    ["*".repeat(2_000), "a".repeat(200)],
    ["*".repeat(1_000), "a".repeat(200)],
    [`${"*a".repeat(500)}b`, "a".repeat(200)],
    [`${"**/".repeat(300)}b`, "a/".repeat(100)],
    ["{a,".repeat(300), "a"],
    ["{a,b}".repeat(200), "ab".repeat(100)],
    ["{".repeat(5_000), "a"],
    ["@(".repeat(500), "a"],
  ])("row B17: pattern %# is quick or refused", (pattern, path) => {
    expect(fastest(() => matchesPath([pattern], path), 5)).toBeLessThan(20);
  });
});

describe("patternProblem", () => {
  it.each([
    ["src/[a-", "has a [ without its ]"],
    ["[z-a]", "has the range z-a, which is the wrong way round"],
    ["{a,b", "has a { without its }"],
    ["", "is empty"],
    ["  ", "is empty"],
    ["!a", "starts with !, but exclusions are not supported"],
    ["{{{{{{a}}}}}}", "has more than 5 braces inside each other"],
    ["a".repeat(1_025), "is longer than 1024 characters"],
    ["**/*.py", null],
    ["a}", null],
  ])("%j", (pattern, expected) => {
    expect(patternProblem(pattern)).toBe(expected);
  });
});
