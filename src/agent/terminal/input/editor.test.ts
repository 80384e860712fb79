import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  backspace,
  type Editor,
  emptyEditor,
  erase,
  insert,
  type Motion,
  messageOf,
  move,
  paste,
  putBack,
  remembered,
  remove,
  vertical,
} from "./editor.ts";
import { fuzzyRank, fuzzyScore } from "./fuzzy.ts";

const motions: readonly Motion[] = [
  "left",
  "right",
  "word-left",
  "word-right",
  "line-start",
  "line-end",
  "start",
  "end",
];

describe("the editor", () => {
  test("moves and erases by characters as people count them, by words and lines", () => {
    const family = insert(emptyEditor(), "a👨‍👩‍👧é");
    expect(backspace(family).text).toBe("a👨‍👩‍👧");
    expect(backspace(backspace(family)).text).toBe("a");
    const words = insert(emptyEditor(), "one two\nthree");
    expect(erase(words, "word-left").text).toBe("one two\n");
    expect(erase(words, "line-start").text).toBe("one two\n");
    expect(erase(move(words, "start"), "line-end").text).toBe("\nthree");
    expect(move(words, "word-left").cursor).toBe(8);
  });

  test("up and down move in the text first, then through earlier messages, and come back to the draft", () => {
    const editor = insert(emptyEditor(["old", "older"]), "draft");
    const up = vertical(editor, -1);
    expect([up.text, vertical(up, -1).text, vertical(vertical(up, -1), -1).text]).toEqual([
      "older",
      "old",
      "old",
    ]);
    expect(vertical(up, 1).text).toBe("draft");
    expect(vertical(insert(emptyEditor(["old"]), "a\nb"), -1).cursor).toBe(1);
  });

  test("a long paste is a mark that stands for it and goes as a whole", () => {
    const long = "x\n".repeat(20);
    const editor = paste(insert(emptyEditor(), "see "), long);
    expect(editor.text).toBe("see [pasted text 1, 21 lines]");
    expect(messageOf(editor)).toBe(`see ${long}`);
    expect(backspace(editor).text).toBe("see ");
    expect(remembered(editor, "sent").history).toEqual(["sent"]);
  });

  test("a paste mark is one character: the cursor steps over it, and it is removed whole", () => {
    const long = "line\n".repeat(20);
    const editor = insert(paste(insert(emptyEditor(), "a "), long), " b");
    const mark = editor.text.slice(2, -2);
    const behind = move(move(editor, "word-left"), "left");
    expect(behind.cursor).toBe(2 + mark.length);
    const front = move(behind, "left");
    expect(front.cursor).toBe(2);
    expect(remove(front).text).toBe("a  b");
    expect(move(behind, "word-left").cursor).toBe(2);
    expect(messageOf(insert(move(front, "right"), "!"))).toBe(`a ${long}! b`);
  });

  test("a mark in what was pasted stays text", () => {
    const first = paste(emptyEditor(), "x\n".repeat(10));
    const second = paste(first, `${first.text}\n`.repeat(10));
    expect(messageOf(second)).toBe(`${"x\n".repeat(10)}${`${first.text}\n`.repeat(10)}`);
  });

  test("what was cut can be put back, and a long earlier message comes back as a mark", () => {
    const cut = erase(insert(emptyEditor(), "one two"), "word-left");
    expect(putBack(cut).text).toBe("one two");
    const long = "line\n".repeat(20);
    const up = vertical(emptyEditor([long]), -1);
    expect(up.text).toMatch(/^\[earlier message, 21 lines\]$/);
    expect(messageOf(up)).toBe(long);
  });

  test("the cursor is always inside the text and between characters", () => {
    const step = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 4 }).map((text) => (editor: Editor) => insert(editor, text)),
      fc.constant(backspace),
      fc.constant((editor: Editor) => paste(editor, "pasted\n".repeat(9))),
      fc.constant(remove),
      fc.constantFrom(...motions).map((motion) => (editor: Editor) => move(editor, motion)),
      fc.constantFrom(...motions).map((motion) => (editor: Editor) => erase(editor, motion)),
      fc.constantFrom(-1 as const, 1 as const).map((way) => (editor: Editor) => vertical(editor, way)),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let editor = emptyEditor(["before 你好", "👋"]);
        for (const one of steps) {
          editor = one(editor);
          const { text, cursor } = editor;
          expect(cursor >= 0 && cursor <= text.length).toBe(true);
          for (const mark of editor.pastes.keys())
            for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1))
              expect(cursor <= at || cursor >= at + mark.length).toBe(true);
          expect(
            /[\ud800-\udbff]/.test(text[cursor - 1] ?? "") && /[\udc00-\udfff]/.test(text[cursor] ?? ""),
          ).toBe(false);
        }
      }),
    );
  });
});

test("a beginning stands above a part, a part above scattered letters, and case does not count", () => {
  const names = ["release-notes", "prerelease", "r-e-l", "other"];
  expect(fuzzyRank("REL", names, { texts: (name) => [name], limit: 9 })).toEqual([
    "release-notes",
    "prerelease",
    "r-e-l",
  ]);
  expect(fuzzyScore("问", "问候")).not.toBeNull();
});
