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
  /** Long pasted texts, shown as a mark each; the cursor never stands inside a mark. */
  readonly pastes: ReadonlyMap<string, string>;
  /** What was removed last by more than a character, for putting it back. */
  readonly removed: string;
}

export function emptyEditor(history: readonly string[] = []): Editor {
  return { text: "", cursor: 0, history, at: null, draft: "", pastes: new Map(), removed: "" };
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
  if (!isLong(clean)) return insert(editor, clean);
  const mark = `[pasted text ${editor.pastes.size + 1}, ${lineCount(clean)}]`;
  const pastes = new Map([...editor.pastes, [mark, clean]]);
  return { ...insert({ ...editor, pastes }, mark), pastes };
}

function isLong(text: string): boolean {
  return text.length >= longPaste.characters || text.split("\n").length >= longPaste.lines;
}

function lineCount(text: string): string {
  const lines = text.split("\n").length;
  return lines === 1 ? `${text.length} characters` : `${lines} lines`;
}

/** Puts back what was removed last. */
export function putBack(editor: Editor): Editor {
  return insert(editor, editor.removed);
}

/** The message as it is sent: marks replaced by what was pasted. */
export function messageOf({ text, pastes }: Editor): string {
  let whole = "";
  let at = 0;
  for (const { from, to, content } of marksIn(text, pastes)) {
    whole += text.slice(at, from) + content;
    at = to;
  }
  return whole + text.slice(at);
}

interface Mark {
  readonly from: number;
  readonly to: number;
  readonly content: string;
}

function marksIn(text: string, pastes: Editor["pastes"]): readonly Mark[] {
  const found = [...pastes].flatMap(([mark, content]): readonly Mark[] => {
    const marks: Mark[] = [];
    for (let from = text.indexOf(mark); from >= 0; from = text.indexOf(mark, from + mark.length))
      marks.push({ from, to: from + mark.length, content });
    return marks;
  });
  return found.sort((one, other) => one.from - other.from);
}

export function backspace(editor: Editor): Editor {
  const { text, cursor } = editor;
  const from = target(editor, "left");
  return changed(editor, text.slice(0, from) + text.slice(cursor), from);
}

export function remove(editor: Editor): Editor {
  const { text, cursor } = editor;
  return changed(editor, text.slice(0, cursor) + text.slice(target(editor, "right")), cursor);
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
  if (from === end) return editor;
  const removed = text.slice(from, end);
  return { ...changed(editor, text.slice(0, from) + text.slice(end), from), removed };
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
    return { ...editor, cursor: outsideMarks(editor, settle(text, Math.min(above + column, start - 1))) };
  }
  const end = text.indexOf("\n", cursor);
  if (end < 0) return fromHistory(editor, 1);
  const next = text.indexOf("\n", end + 1);
  const below = settle(text, Math.min(end + 1 + column, next < 0 ? text.length : next));
  return { ...editor, cursor: outsideMarks(editor, below) };
}

/** A sent message goes into the history; the same one twice in a row only once. */
export function remembered(editor: Editor, message: string): Editor {
  const history =
    editor.history.at(-1) === message || message.trim() === ""
      ? editor.history
      : [...editor.history, message];
  return emptyEditor(history);
}

/** An earlier message in place of what is typed; a long one as a mark. */
export function recalled(editor: Editor, message: string): Editor {
  if (!isLong(message)) return { ...editor, text: message, cursor: message.length, at: null };
  const mark = `[earlier message, ${lineCount(message)}]`;
  const pastes = new Map([...editor.pastes, [mark, message]]);
  return { ...editor, text: mark, cursor: mark.length, at: null, pastes };
}

function fromHistory(editor: Editor, direction: -1 | 1): Editor {
  const { history, at } = editor;
  const next = at === null ? (direction === -1 ? history.length - 1 : null) : at + direction;
  if (next === null || next < 0) return editor;
  const draft = at === null ? editor.text : editor.draft;
  if (next >= history.length) return { ...editor, text: draft, cursor: draft.length, at: null, draft: "" };
  return { ...recalled(editor, history[next] ?? ""), at: next, draft };
}

function changed(editor: Editor, text: string, cursor: number): Editor {
  return { ...editor, text, cursor: settle(text, cursor), at: null };
}

function target(editor: Editor, motion: Motion): number {
  return outsideMarks(editor, plainTarget(editor, motion));
}

/** Where the cursor stands when it would come inside a mark: at the end that lies further on its way. */
function outsideMarks({ text, cursor, pastes }: Editor, at: number): number {
  const mark = marksIn(text, pastes).find(({ from, to }) => from < at && at < to);
  return mark === undefined ? at : at < cursor ? mark.from : mark.to;
}

function plainTarget({ text, cursor }: Editor, motion: Motion): number {
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
