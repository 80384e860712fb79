import { expect, test } from "vitest";
import { processorTime } from "../../../test/support/processor-time.ts";
import { ignoreVerdict, parseIgnoreRules } from "./gitignore.ts";

const rows: readonly (readonly [rules: string, path: string, expected: "ignored" | "kept" | null])[] = [
  ["*.log", "a.log", "ignored"],
  ["*.log", "deep/er/a.log", "ignored"],
  ["*.log", "a.logs", null],
  ["/a.log", "a.log", "ignored"],
  ["/a.log", "x/a.log", null],
  ["build/", "build/", "ignored"],
  ["build/", "x/build/", "ignored"],
  ["build/", "build", null],
  ["doc/*.txt", "doc/a.txt", "ignored"],
  ["doc/*.txt", "doc/x/a.txt", null],
  ["doc/*.txt", "x/doc/a.txt", null],
  ["**/foo", "a/b/foo", "ignored"],
  ["**/foo", "foo", "ignored"],
  ["foo/**", "foo/a/b", "ignored"],
  ["foo/**", "foo/", null],
  ["a/**/b", "a/b", "ignored"],
  ["a/**/b", "a/x/y/b", "ignored"],
  ["a/**/b", "a/x/y/c", null],
  ["*.log\n!keep.log", "keep.log", "kept"],
  ["!keep.log\n*.log", "keep.log", "ignored"],
  ["# comment", "# comment", null],
  ["\\#x", "#x", "ignored"],
  ["\\!x", "!x", "ignored"],
  ["a  ", "a", "ignored"],
  ["a\\ ", "a ", "ignored"],
  ["x?z", "xyz", "ignored"],
  ["x?z", "x/z", null],
  ["[a-c].txt", "b.txt", "ignored"],
  ["[!a-c].txt", "b.txt", null],
  ["[]].txt", "].txt", "ignored"],
  ["[ab", "[ab", "ignored"],
  ["*a*b*c*", "xxaxxbxxcxx", "ignored"],
  ["", "a", null],
  ["/", "a", null],
  ["a.log\r\nb.log\r\n", "b.log", "ignored"],
];

test.each(rows)("%j on %j: %s", (rules, path, expected) => {
  const isFolder = path.endsWith("/");
  expect(ignoreVerdict(parseIgnoreRules(rules), isFolder ? path.slice(0, -1) : path, isFolder)).toBe(
    expected,
  );
});

test("a hostile pattern costs pattern times path, not more", () => {
  const rules = parseIgnoreRules(`${"*a".repeat(500)}b\n${"**/x/".repeat(200)}y`);
  const started = processorTime();
  expect(ignoreVerdict(rules, `${"a/x/".repeat(500)}${"a".repeat(5_000)}`, false)).toBeNull();
  expect(processorTime() - started).toBeLessThan(1_000);
});
