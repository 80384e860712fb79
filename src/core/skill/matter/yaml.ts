import {
  atDocumentMark,
  createCursor,
  DASH,
  fail,
  HASH,
  isBreak,
  isSpace,
  peek,
  SPACE,
  skipBlanks,
  skipSpace,
  skipToBreak,
  takeBreak,
  type YamlCursor,
} from "./yaml-cursor.ts";
import { readNode } from "./yaml-nodes.ts";
import { declareHandle } from "./yaml-tags.ts";
import { jsYaml3, type YamlDialect, type YamlLimits, YamlProblem, type YamlValue } from "./yaml-value.ts";

export type YamlLoad =
  | { readonly ok: true; readonly value: YamlValue | undefined }
  | {
      readonly ok: false;
      readonly message: string;
      readonly offset: number;
      readonly limit: keyof YamlLimits | null;
    };

function readDirective(cursor: YamlCursor, state: { version: boolean }): void {
  const start = ++cursor.at;
  while (peek(cursor) !== 0 && !isSpace(peek(cursor))) cursor.at++;
  const name = cursor.text.slice(start, cursor.at);
  if (name === "") fail(cursor, "a directive has no name");
  const parts: string[] = [];
  for (;;) {
    skipBlanks(cursor);
    const code = peek(cursor);
    if (code === HASH) skipToBreak(cursor);
    if (code === 0 || code === HASH || isBreak(code)) break;
    const from = cursor.at;
    while (peek(cursor) !== 0 && !isSpace(peek(cursor))) cursor.at++;
    parts.push(cursor.text.slice(from, cursor.at));
  }
  if (peek(cursor) !== 0) takeBreak(cursor);
  if (name === "TAG") declareHandle(cursor, parts);
  if (name !== "YAML") return;
  if (state.version) fail(cursor, "%YAML occurs twice");
  if (parts.length !== 1 || !/^1\.[0-9]+$/.test(parts[0]?.replace(/^0+(?=1)/, "") ?? ""))
    fail(cursor, "%YAML needs one version of the form 1.n");
  state.version = true;
}

function readDocument(cursor: YamlCursor): YamlValue {
  cursor.anchors.clear();
  cursor.handles.clear();
  const state = { version: false };
  let directives = false;
  while (peek(cursor) !== 0) {
    skipSpace(cursor, { comments: true });
    if (cursor.indent > 0 || peek(cursor) !== 0x25) break;
    directives = true;
    readDirective(cursor, state);
  }
  skipSpace(cursor, { comments: true });
  const dashes = [0, 1, 2].every((ahead) => peek(cursor, ahead) === DASH);
  if (cursor.indent === 0 && dashes) {
    cursor.at += 3;
    skipSpace(cursor, { comments: true });
  } else if (directives) fail(cursor, "`---` is missing after a directive");

  const { value } = readNode(cursor, {
    parentIndent: cursor.indent - 1,
    place: "value",
    seek: false,
    compact: true,
  });
  skipSpace(cursor, { comments: true });
  if (cursor.at === cursor.lineStart && atDocumentMark(cursor)) {
    if (peek(cursor) !== DASH) {
      cursor.at += 3;
      skipSpace(cursor, { comments: true });
    }
  } else if (cursor.at < cursor.text.length - 1) fail(cursor, "text where a key or the end was expected");
  return value;
}

/**
 * Loads one document by the rules of js-yaml 3 and its default safe schema, which OpenCode's and MiMo's frontmatter
 * is read with (spec mimo-opencode 1.6, golden `fm.*`): YAML 1.1 numbers, timestamps and merges, duplicate keys
 * refused, tabs no indentation. A separate loader because no other fails exactly where that one fails; linear, with
 * bounds on depth, keys and aliases. Never throws; `value` is undefined for an empty text. Another `dialect` reads by
 * the rules of js-yaml 4 (MiniMax Code, spec minimax 2.1).
 */
export function loadYaml(text: string, limits: YamlLimits, dialect: YamlDialect = jsYaml3): YamlLoad {
  const input = (text === "" || /[\r\n]$/.test(text) ? text : `${text}\n`).replace(/^\ufeff/, "");
  const cursor = createCursor(input, limits, dialect);
  try {
    const nul = input.indexOf("\0");
    if (nul >= 0) fail(cursor, "the text holds a NUL character", nul);
    while (peek(cursor) === SPACE) {
      cursor.indent++;
      cursor.at++;
    }
    const documents: YamlValue[] = [];
    while (cursor.at < input.length - 1) {
      documents.push(readDocument(cursor));
    }
    if (documents.length > 1) fail(cursor, "there is more than one document");
    return { ok: true, value: documents[0] };
  } catch (error) {
    if (!(error instanceof YamlProblem)) throw error;
    return { ok: false, message: error.message, offset: error.offset, limit: error.limit };
  }
}
