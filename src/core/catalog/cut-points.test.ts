import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutPoints } from "./cut-points.ts";

function cutTo(text: string, length: number): string | null {
  const point = cutPoints(text).findLast(({ from }) => from <= length);
  return point === undefined ? null : text.slice(0, point.end) + point.mark;
}

describe("cutPoints", () => {
  it.each([
    ["Convert documents to PDF and back again.", 22, "Convert documents to…"],
    ["Convert documents to PDF and back again.", 20, "Convert documents…"],
    ["Read files. Then write them somewhere else entirely.", 30, "Read files. …"],
    ["Read files. Then write them somewhere else entirely.", 39, "Read files. Then write them somewhere…"],
    ["Read files, e.g. PDF or Word, and more of them.", 19, "Read files, e.g.…"],
    ["Read the files, write them and more.", 17, "Read the files…"],
    ["Use the tool (or another one) always.", 16, "Use the tool…"],
    ["https://example.org/without/any/space/in/it", 30, null],
    ["Too short", 5, null],
    ["把文档转换成便携格式吧，然后检查每一页的内容。", 12, "把文档转换成便携格式吧…"],
    ["把文档转换成便携格式吧，然后检查每一页的内容。", 14, "把文档转换成便携格式吧，然…"],
    ["把文档转换成便携格式吧。然后检查每一页，再看一遍全部的内容。", 20, "把文档转换成便携格式吧。 …"],
    ["one two three 👩‍👩‍👧 four five six", 17, "one two three…"],
    ["がぎぐげごがぎぐげごがぎぐ".normalize("NFD"), 16, `${"がぎぐげごがぎ".normalize("NFD")}…`],
  ])("%j to %d", (text, length, expected) => {
    expect(cutTo(text, length)).toBe(expected);
  });

  it("is ascending, honest about lengths, and never splits a character", () => {
    const unit = fc.constantFrom(
      "word",
      " ",
      ". ",
      ", ",
      "文",
      "，",
      "。",
      "👩‍👩‍👧",
      "🇩🇪",
      "e\u0301",
      "か\u3099",
      "a",
      "...",
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 60 }), (parts) => {
        const text = parts.join("").replace(/ +/g, " ").trim();
        const points = cutPoints(text);
        points.forEach((point, index) => {
          const shown = text.slice(0, point.end);
          expect([...shown].length + point.mark.length).toBe(point.length);
          expect(point.from).toBeGreaterThanOrEqual(point.length);
          expect(point.end).toBeLessThan(text.length);
          expect(shown).not.toMatch(/[\s\u200d]$|\p{Cs}$/u);
          expect(text.slice(point.end)).not.toMatch(/^[\u200d\p{M}]/u);
          const next = points[index + 1];
          if (next !== undefined) {
            expect(next.end).toBeGreaterThan(point.end);
            expect(next.from).toBeGreaterThan(point.from);
          }
        });
      }),
    );
  });
});
