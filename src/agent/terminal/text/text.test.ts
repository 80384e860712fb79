import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { markdownLines } from "./markdown-lines.ts";
import { type Line, line, lineWidth, painter, width } from "./span.ts";
import { settledLength } from "./split-stream.ts";
import { wrapLine } from "./wrap-line.ts";

const plain = painter(false);
const shown = (lines: readonly Line[]): readonly string[] => lines.map(plain);

describe("wrapLine", () => {
  test("breaks between words, and anywhere in scripts without blanks", () => {
    expect(shown(wrapLine(line("one two three"), 8))).toEqual(["one two", "three"]);
    expect(shown(wrapLine(line("你好世界你好"), 5))).toEqual(["你好", "世界", "你好"]);
    expect(shown(wrapLine(line("abcdefghij"), 4))).toEqual(["abcd", "efgh", "ij"]);
  });

  test("no row is wider than asked, and no letter is lost", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 4, max: 60 }), (text, columns) => {
        const rows = wrapLine(line(text), columns, [{ text: "  " }]);
        expect(rows.every((row) => lineWidth(row) <= columns)).toBe(true);
        const letters = (part: string): string => part.replaceAll(" ", "");
        expect(letters(shown(rows).join(""))).toBe(letters(plain(line(text))));
      }),
    );
  });
});

describe("markdownLines", () => {
  test("headings, lists, code, quotes and tables", () => {
    const text =
      "# Title\n\n1. one\n   - `two`\n\n> quoted *text*\n\n```\ncode  here\n```\n\n| a | bb |\n|---|---|\n| 1 | 二 |\n\n[link](https://example.invalid) and a[0]\n";
    expect(shown(markdownLines(text, 40))).toEqual([
      "Title",
      "",
      "1. one",
      "   • two",
      "",
      "│ quoted text",
      "",
      "  code  here",
      "",
      "a │ bb",
      "──┼───",
      "1 │ 二",
      "",
      "link (https://example.invalid) and a[0]",
    ]);
  });

  test("a table wider than the screen wraps its cells, and columns stand where its colons say", () => {
    const text = "| name | count | what it is |\n|:--|--:|:-:|\n| one | 7 | a long text that is wrapped |\n";
    expect(shown(markdownLines(text, 30)).map((row) => row.trimEnd())).toEqual([
      "name │ count │   what it is",
      "─────┼───────┼────────────────",
      "one  │     7 │   a long text",
      "     │       │ that is wrapped",
    ]);
  });

  test("any text gives rows that fit and hold nothing that moves a terminal", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 20, max: 80 }), (text, columns) => {
        for (const row of shown(markdownLines(text, columns))) {
          expect(width(row)).toBeLessThanOrEqual(columns);
          expect(row).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        }
      }),
      { numRuns: 300 },
    );
  });
});

test("an answer that arrives is cut only between blocks, never in a fence or a list", () => {
  expect(settledLength("one\n\ntwo")).toBe(5);
  expect(settledLength("one\n\n")).toBe(0);
  expect(settledLength("```\na\n\nb\n")).toBe(0);
  expect(settledLength("- a\n\n- b")).toBe(0);
  expect(settledLength("```\na\n\nb\n```\n\nend")).toBe(14);
});
