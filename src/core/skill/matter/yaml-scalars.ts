import {
  atDocumentMark,
  COLON,
  DASH,
  fail,
  HASH,
  isBlank,
  isBreak,
  isFlowMark,
  isSpace,
  peek,
  QUESTION,
  SPACE,
  skipSpace,
  TAB,
  type YamlCursor,
} from "./yaml-cursor.ts";

/** Control characters, non-characters and lone surrogates: none may stand in unquoted text. */
const unprintable =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

const notStarts = new Set([...",[]{}#&*!|>'\"%@`"].map((character) => character.charCodeAt(0)));

/** A piece of text as it stands, once its characters are known to be allowed there. */
export function segment(cursor: YamlCursor, start: number, end: number, quoted: boolean): string {
  if (start >= end) return "";
  const text = cursor.text.slice(start, end);
  if (quoted) {
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code < SPACE && code !== TAB) fail(cursor, "quoted text holds a control character", start + index);
    }
  } else if (unprintable.test(text)) fail(cursor, "the text holds a character that cannot be printed", start);
  return text;
}

/** One line break is a space, more are one less than they were. */
function folded(breaks: number): string {
  return breaks === 1 ? " " : "\n".repeat(Math.max(0, breaks - 1));
}

/** A blank, digit, letter or anything beyond ASCII: never a mark inside text. */
function isOrdinary(code: number): boolean {
  return (
    code === SPACE ||
    (code > 0x60 && code < 0x7b) ||
    (code > 0x2f && code < 0x3a) ||
    (code > 0x40 && code < 0x5b) ||
    code > 0x7f
  );
}

/**
 * Unquoted text, over several lines as long as they are indented by `indent` at least. Null: none starts here.
 */
export function readPlain(cursor: YamlCursor, indent: number, inFlow: boolean): string | null {
  const first = peek(cursor);
  if (first === 0 || isSpace(first) || notStarts.has(first)) return null;
  const endsWord = (code: number): boolean => isSpace(code) || (inFlow && isFlowMark(code));
  if ((first === QUESTION || first === DASH) && endsWord(peek(cursor, 1))) return null;

  let result = "";
  let start = cursor.at;
  let end = cursor.at;
  let pending = 0;
  const { text } = cursor;
  for (let code = first; code !== 0; code = peek(cursor)) {
    if (code === COLON) {
      if (endsWord(peek(cursor, 1))) break;
    } else if (code === HASH) {
      if (isSpace(text.charCodeAt(cursor.at - 1))) break;
    } else if (cursor.at === cursor.lineStart && atDocumentMark(cursor)) break;
    else if (inFlow && isFlowMark(code)) break;
    else if (isBreak(code)) {
      const { line, lineStart, indent: lineIndent } = cursor;
      skipSpace(cursor, { comments: false });
      if (cursor.indent < indent) {
        Object.assign(cursor, { at: end, line, lineStart, indent: lineIndent });
        break;
      }
      pending = cursor.line - line;
      continue;
    }
    if (pending > 0) {
      result += segment(cursor, start, end, false) + folded(pending);
      start = cursor.at;
      end = cursor.at;
      pending = 0;
    }
    if (!isBlank(code)) end = cursor.at + 1;
    cursor.at++;
    // Most of a text is letters and blanks; they need none of the questions above.
    let at = cursor.at;
    for (let next = text.charCodeAt(at); isOrdinary(next); next = text.charCodeAt(++at))
      if (next !== SPACE) end = at + 1;
    cursor.at = at;
  }
  result += segment(cursor, start, end, false);
  return result === "" ? null : result;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["0", "\u0000"],
  ["a", "\u0007"],
  ["b", "\b"],
  ["t", "\t"],
  ["\t", "\t"],
  ["n", "\n"],
  ["v", "\v"],
  ["f", "\f"],
  ["r", "\r"],
  ["e", "\u001b"],
  [" ", " "],
  ['"', '"'],
  ["/", "/"],
  ["\\", "\\"],
  ["N", "\u0085"],
  ["_", "\u00a0"],
  ["L", "\u2028"],
  ["P", "\u2029"],
]);

const hexDigits: ReadonlyMap<string, number> = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);

/** What follows a backslash in double quotes; the cursor stands behind the backslash and ends behind the escape. */
function readEscape(cursor: YamlCursor): string {
  if (isBreak(peek(cursor))) {
    skipSpace(cursor, { comments: false });
    return "";
  }
  const letter = cursor.text[cursor.at] ?? "";
  const simple = escapes.get(letter);
  if (simple !== undefined) {
    cursor.at++;
    return simple;
  }
  const length = hexDigits.get(letter);
  if (length === undefined) fail(cursor, "an escape that does not exist");
  const digits = cursor.text.slice(cursor.at + 1, cursor.at + 1 + length);
  if (digits.length < length || !/^[0-9a-fA-F]*$/.test(digits))
    fail(cursor, `an escape that needs ${length} hexadecimal digits`);
  cursor.at += 1 + length;
  // A 32-bit number that wraps, and halves of a pair computed from it: what the mirrored loader makes of any digits.
  const point = Number.parseInt(digits, 16) | 0;
  if (point <= 0xffff) return String.fromCharCode(point);
  return String.fromCharCode(((point - 0x10000) >> 10) + 0xd800, ((point - 0x10000) & 0x3ff) + 0xdc00);
}

/** Text in `'` or `"`. Null: none starts here. */
export function readQuoted(cursor: YamlCursor): string | null {
  const mark = cursor.text[cursor.at];
  if (mark !== "'" && mark !== '"') return null;
  const opened = cursor.at;
  const markCode = mark.charCodeAt(0);
  let result = "";
  let start = ++cursor.at;
  for (let code = peek(cursor); code !== 0; code = peek(cursor)) {
    if (code === markCode) {
      result += segment(cursor, start, cursor.at, true);
      cursor.at++;
      if (mark === '"' || peek(cursor) !== markCode) return result;
      start = cursor.at++;
    } else if (code === 0x5c && mark === '"') {
      result += segment(cursor, start, cursor.at, true);
      cursor.at++;
      result += readEscape(cursor);
      start = cursor.at;
    } else if (isBreak(code)) {
      // Blanks before the break stay: the mirrored loader keeps them, YAML would not.
      result += segment(cursor, start, cursor.at, true);
      result += folded(skipSpace(cursor, { comments: false }));
      start = cursor.at;
    } else if (cursor.at === cursor.lineStart && atDocumentMark(cursor)) {
      fail(cursor, "the document ends inside quoted text");
    } else cursor.at++;
  }
  return fail(cursor, "a quote is never closed", opened);
}
