import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changedLines, replaceText } from "./text-change.ts";

const once = { all: false };

describe("replaceText", () => {
  test("replaces the one place, and all places where that is asked for", () => {
    expect(replaceText("a b c", { from: "b", to: "x", ...once })).toEqual({
      kind: "replaced",
      text: "a x c",
      count: 1,
    });
    expect(replaceText("b b", { from: "b", to: "x", all: true })).toEqual({
      kind: "replaced",
      text: "x x",
      count: 2,
    });
    expect(replaceText("b\nb", { from: "b", to: "x", ...once })).toEqual({
      kind: "several",
      count: 2,
      lines: [1, 2],
    });
    expect(replaceText("a", { from: "a", to: "a", ...once })).toEqual({ kind: "same" });
  });

  test("line ends of the file stay", () => {
    expect(replaceText("a\r\nb\r\n", { from: "a\nb", to: "x\ny", ...once })).toMatchObject({
      text: "x\r\ny\r\n",
    });
  });

  test("blanks at ends of lines and another indentation are forgiven, and the indentation is carried over", () => {
    expect(
      replaceText("if (a) {  \n  b();\n}\n", { from: "if (a) {\n  b();\n}", to: "c();", ...once }),
    ).toMatchObject({ text: "c();\n" });
    expect(
      replaceText("{\n    a();\n    b();\n}\n", { from: "a();\nb();", to: "c();\nd();", ...once }),
    ).toMatchObject({
      text: "{\n    c();\n    d();\n}\n",
    });
  });

  test("what is not there is answered with what comes closest", () => {
    expect(replaceText("const total = 1;\n", { from: "const totals = 2;", to: "x", ...once })).toEqual({
      kind: "absent",
      near: "line 1: const total = 1;",
    });
  });

  test("a dollar sign in the new text is no pattern", () => {
    expect(replaceText("a", { from: "a", to: "$& $1", ...once })).toMatchObject({ text: "$& $1" });
  });

  test("what it replaces, it replaces exactly", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string({ minLength: 1 }),
        fc.string(),
        fc.string(),
        (before, from, to, after) => {
          const text = before + from + after;
          fc.pre(text.split(from).length === 2 && from !== to && !text.includes("\r"));
          expect(replaceText(text, { from, to, ...once })).toEqual({
            kind: "replaced",
            text: before + to + after,
            count: 1,
          });
        },
      ),
    );
  });
});

test("changedLines shows the block that changed, with its numbers", () => {
  const lines = changedLines("a\nb\nc\nd\n", "a\nb\nX\nd\n", 1);
  expect(lines).toEqual([
    { kind: "same", text: "b", line: 2 },
    { kind: "removed", text: "c", line: 3 },
    { kind: "added", text: "X", line: 3 },
    { kind: "same", text: "d", line: 4 },
  ]);
});
