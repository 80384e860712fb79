import { graphemes } from "../text/span.ts";

/** The message being typed. Pure: every key gives a new state. */
export interface Editor {
  readonly text: string;
  /** UTF-16 offset, always between two characters as people count them. */
  readonly cursor: number;
  /** Earlier messages, oldest first. */
  readonly history: readonly string[];
  /** Place in the history; null = the message itself. */
  readonly at: number | null;
  /** What was typed before the history was looked at. */
  readonly draft: string;
  /** Long pasted texts, shown as a mark each. */
  readonly pastes: ReadonlyMap<string, string>;
}

export function emptyEditor(history: readonly string[] = []): Editor {
  return { text: "", cursor: 0, history, at: null, draft: "", pastes: new Map() };
}

/** Characters and lines from which a pasted text is shown as a mark. */
const longPaste = { characters: 1_000, lines: 8 };

export function insert(editor: Editor, text: string): Editor {
  const clean = text.replace(/\r\n?/g, "\n").replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "");
  const { cursor } = editor;
  return changed(
    editor,
    editor.text.slice(0, cursor) + clean + editor.text.slice(cursor),
    cursor + clean.length,
  );
}

/** Pasted text: short ones as typed, long ones as a mark that stands for them. */
export function paste(editor: Editor, text: string): Editor {
  const clean = text.replace(/\r\n?/g, "\n");
  const lines = clean.split("\n").length;
  if (clean.length < longPaste.characters && lines < longPaste.lines) return insert(editor, clean);
  const mark = `[pasted text ${editor.pastes.size + 1}, ${lines} lines]`;
  return { ...insert(editor, mark), pastes: new Map([...editor.pastes, [mark, clean]]) };
}

/** The message as it is sent: marks replaced by what was pasted. */
export function messageOf({ text, pastes }: Editor): string {
  let whole = text;
  for (const [mark, content] of pastes) whole = whole.split(mark).join(content);
  return whole;
}

export function backspace(editor: Editor): Editor {
  const { text, cursor, pastes } = editor;
  const mark = [...pastes.keys()].find((one) => text.slice(0, cursor).endsWith(one));
  const from = mark === undefined ? before(text, cursor) : cursor - mark.length;
  return changed(editor, text.slice(0, from) + text.slice(cursor), from);
}

export function remove(editor: Editor): Editor {
  const { text, cursor } = editor;
  return changed(editor, text.slice(0, cursor) + text.slice(after(text, cursor)), cursor);
}

export type Motion =
  | "left"
  | "right"
  | "word-left"
  | "word-right"
  | "line-start"
  | "line-end"
  | "start"
  | "end";

export function move(editor: Editor, motion: Motion): Editor {
  return { ...editor, cursor: target(editor, motion) };
}

/** Removes from the cursor to where the motion leads. */
export function erase(editor: Editor, motion: Motion): Editor {
  const { text, cursor } = editor;
  let to = target(editor, motion);
  if (motion === "line-end" && to === cursor && text[cursor] === "\n") to = cursor + 1;
  const [from, end] = to < cursor ? [to, cursor] : [cursor, to];
  return changed(editor, text.slice(0, from) + text.slice(end), from);
}

/** Replaces a part, e.g. by a completion. */
export function replace(
  editor: Editor,
  range: { readonly from: number; readonly to: number },
  text: string,
): Editor {
  return changed(
    editor,
    editor.text.slice(0, range.from) + text + editor.text.slice(range.to),
    range.from + text.length,
  );
}

/** A line up or down, at the first or last line an earlier or later message. */
export function vertical(editor: Editor, direction: -1 | 1): Editor {
  const { text, cursor } = editor;
  const start = text.lastIndexOf("\n", cursor - 1) + 1;
  const column = cursor - start;
  if (direction === -1) {
    if (start === 0) return fromHistory(editor, -1);
    const above = text.lastIndexOf("\n", start - 2) + 1;
    return { ...editor, cursor: settle(text, Math.min(above + column, start - 1)) };
  }
  const end = text.indexOf("\n", cursor);
  if (end < 0) return fromHistory(editor, 1);
  const next = text.indexOf("\n", end + 1);
  return { ...editor, cursor: settle(text, Math.min(end + 1 + column, next < 0 ? text.length : next)) };
}

/** A sent message goes into the history; the same one twice in a row only once. */
export function remembered(editor: Editor, message: string): Editor {
  const history =
    editor.history.at(-1) === message || message.trim() === ""
      ? editor.history
      : [...editor.history, message];
  return emptyEditor(history);
}

function fromHistory(editor: Editor, direction: -1 | 1): Editor {
  const { history, at } = editor;
  const next = at === null ? (direction === -1 ? history.length - 1 : null) : at + direction;
  if (next === null || next < 0) return editor;
  const draft = at === null ? editor.text : editor.draft;
  if (next >= history.length) return { ...editor, text: draft, cursor: draft.length, at: null, draft: "" };
  const text = history[next] ?? "";
  return { ...editor, text, cursor: text.length, at: next, draft };
}

function changed(editor: Editor, text: string, cursor: number): Editor {
  return { ...editor, text, cursor: settle(text, cursor), at: null };
}

function target({ text, cursor }: Editor, motion: Motion): number {
  switch (motion) {
    case "left":
      return before(text, cursor);
    case "right":
      return after(text, cursor);
    case "word-left":
      return text.slice(0, cursor).search(/[^\s]+\s*$/) < 0
        ? 0
        : text.slice(0, cursor).search(/(?:[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]+)\s*$/u);
    case "word-right": {
      const found = /^\s*(?:[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]+)/u.exec(text.slice(cursor));
      return found === null ? text.length : cursor + found[0].length;
    }
    case "line-start":
      return text.lastIndexOf("\n", cursor - 1) + 1;
    case "line-end": {
      const end = text.indexOf("\n", cursor);
      return end < 0 ? text.length : end;
    }
    case "start":
      return 0;
    case "end":
      return text.length;
  }
}

function before(text: string, cursor: number): number {
  const start = text.lastIndexOf("\n", cursor - 1) + 1;
  if (start === cursor) return Math.max(0, cursor - 1);
  let last = start;
  for (const { index } of graphemes(text.slice(start, cursor))) last = start + index;
  return last;
}

function after(text: string, cursor: number): number {
  for (const { segment } of graphemes(text.slice(cursor, cursor + 64))) return cursor + segment.length;
  return cursor;
}

/** A place between two characters. */
function settle(text: string, cursor: number): number {
  const at = Math.max(0, Math.min(cursor, text.length));
  return /[\udc00-\udfff]/.test(text[at] ?? "") && /[\ud800-\udbff]/.test(text[at - 1] ?? "") ? at + 1 : at;
}
