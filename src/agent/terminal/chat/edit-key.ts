import {
  backspace,
  type Editor,
  erase,
  insert,
  move,
  paste,
  putBack,
  remove,
  vertical,
} from "../input/editor.ts";
import type { Key } from "../input/key.ts";

/** What a key does to the text being typed; null = nothing to do with it. */
export function editKey(editor: Editor, key: Key): Editor | null {
  const { ctrl, meta } = key;
  switch (key.name) {
    case "paste":
      return paste(editor, key.input);
    case "newline":
      return insert(editor, "\n");
    case "backspace":
      return meta || ctrl ? erase(editor, "word-left") : backspace(editor);
    case "delete":
      return remove(editor);
    case "left":
      return move(editor, ctrl || meta ? "word-left" : "left");
    case "right":
      return move(editor, ctrl || meta ? "word-right" : "right");
    case "home":
      return move(editor, "line-start");
    case "end":
      return move(editor, "line-end");
    case "up":
      return vertical(editor, -1);
    case "down":
      return vertical(editor, 1);
    case "text":
      return ctrl
        ? controlKey(editor, key.input)
        : meta
          ? metaKey(editor, key.input)
          : insert(editor, key.input);
    default:
      return null;
  }
}

function controlKey(editor: Editor, letter: string): Editor | null {
  switch (letter) {
    case "a":
      return move(editor, "line-start");
    case "e":
      return move(editor, "line-end");
    case "b":
      return move(editor, "left");
    case "f":
      return move(editor, "right");
    case "p":
      return vertical(editor, -1);
    case "n":
      return vertical(editor, 1);
    case "k":
      return erase(editor, "line-end");
    case "u":
      return erase(editor, "line-start");
    case "w":
      return erase(editor, "word-left");
    case "y":
      return putBack(editor);
    case "h":
      return backspace(editor);
    case "d":
      return editor.text === "" ? null : remove(editor);
    default:
      return null;
  }
}

function metaKey(editor: Editor, letter: string): Editor | null {
  switch (letter) {
    case "b":
      return move(editor, "word-left");
    case "f":
      return move(editor, "word-right");
    case "d":
      return erase(editor, "word-right");
    case "<":
      return move(editor, "start");
    case ">":
      return move(editor, "end");
    default:
      return null;
  }
}
