import fc from "fast-check";
import { expect, test } from "vitest";
import { textPage } from "./text-page.ts";

/** Every page in turn, as a model that follows the notes reads them. */
function readAll(text: string): string {
  let [whole, first] = ["", 1];
  for (;;) {
    const page = textPage(text, first);
    if (page.kind === "behind-end") return whole;
    whole += page.text;
    if (page.last >= page.lines) return whole;
    whole += "\n";
    first = page.last + 1;
  }
}

test("pages together are the whole text, whatever its lines", () => {
  const line = fc.oneof(
    { weight: 5, arbitrary: fc.string({ maxLength: 20 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 40_000 }).map((length) => "x".repeat(length)) },
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
      const text = lines.join("\n");
      expect(readAll(text)).toBe(text);
    }),
    { numRuns: 60 },
  );
});

test("a page has an end, and a line that is longer than a page says what is missing", () => {
  const many = textPage("a\n".repeat(5_000), 1);
  expect(many).toMatchObject({ first: 1, last: 2_000, lines: 5_000 });
  const wide = textPage(`${"y".repeat(100_000)}\nend`, 1);
  expect(wide.kind === "page" && wide.text).toMatch(
    /^y{60000}… \[this line has 100000 characters; 40000 are not shown\]$/,
  );
  expect(textPage("one\ntwo\n", 3)).toEqual({ kind: "behind-end", first: 3, lines: 2 });
  expect(textPage("", 1)).toMatchObject({ text: "", lines: 1 });
});
