import { type YamlDialect, type YamlLimits, YamlProblem, type YamlValue } from "./yaml-value.ts";

export const TAB = 0x09;
export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
export const SPACE = 0x20;
export const HASH = 0x23;
export const DASH = 0x2d;
export const COLON = 0x3a;
export const QUESTION = 0x3f;

/** The place in the text while it is read, with what has been declared so far. */
export interface YamlCursor {
  readonly text: string;
  readonly limits: YamlLimits;
  readonly dialect: YamlDialect;
  at: number;
  line: number;
  lineStart: number;
  /** Spaces (never tabs) at the start of the current line. */
  indent: number;
  /** Place of the first tab among the blanks that were skipped in this line; -1 = none. */
  firstTab: number;
  depth: number;
  keys: number;
  aliases: number;
  readonly anchors: Map<string, YamlValue>;
  readonly handles: Map<string, string>;
}

export function createCursor(text: string, limits: YamlLimits, dialect: YamlDialect): YamlCursor {
  return {
    text,
    limits,
    dialect,
    at: 0,
    line: 0,
    lineStart: 0,
    indent: 0,
    firstTab: -1,
    depth: 0,
    keys: 0,
    aliases: 0,
    anchors: new Map(),
    handles: new Map(),
  };
}

/** The code unit `ahead` of the cursor; 0 at the end of the text (the text itself holds no NUL). */
export function peek(cursor: YamlCursor, ahead = 0): number {
  const index = cursor.at + ahead;
  return index < cursor.text.length ? cursor.text.charCodeAt(index) : 0;
}

export function isBreak(code: number): boolean {
  return code === LINE_FEED || code === CARRIAGE_RETURN;
}

export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

export function isSpace(code: number): boolean {
  return isBlank(code) || isBreak(code);
}

/** `,` `[` `]` `{` `}` */
export function isFlowMark(code: number): boolean {
  return code === 0x2c || code === 0x5b || code === 0x5d || code === 0x7b || code === 0x7d;
}

export function fail(cursor: YamlCursor, message: string, offset = cursor.at): never {
  throw new YamlProblem(message, offset);
}

/** Counts against one of our own bounds. */
export function spend(cursor: YamlCursor, what: "keys" | "aliases", amount = 1): void {
  cursor[what] += amount;
  if (cursor[what] > cursor.limits[what])
    throw new YamlProblem(`more than ${cursor.limits[what]} ${what}`, cursor.at, what);
}

/** Steps over one line break, CRLF being one. */
export function takeBreak(cursor: YamlCursor): void {
  const code = peek(cursor);
  if (!isBreak(code)) fail(cursor, "a line break is expected here");
  cursor.at += code === CARRIAGE_RETURN && peek(cursor, 1) === LINE_FEED ? 2 : 1;
  cursor.line++;
  cursor.lineStart = cursor.at;
  cursor.firstTab = -1;
}

export function skipBlanks(cursor: YamlCursor): void {
  while (isBlank(peek(cursor))) cursor.at++;
}

export function skipToBreak(cursor: YamlCursor): void {
  for (let code = peek(cursor); code !== 0 && !isBreak(code); code = peek(cursor)) cursor.at++;
}

/**
 * Steps over blanks, line breaks and (where allowed) comments; gives the number of line breaks. Tabs are blanks but
 * never count as indentation, and a `#` needs no space before it: both are rules of js-yaml 3, not of YAML.
 */
export function skipSpace(cursor: YamlCursor, options: { readonly comments: boolean }): number {
  let breaks = 0;
  for (;;) {
    for (let code = peek(cursor); isBlank(code); code = peek(cursor)) {
      if (code === TAB && cursor.firstTab < 0) cursor.firstTab = cursor.at;
      cursor.at++;
    }
    if (options.comments && peek(cursor) === HASH) skipToBreak(cursor);
    if (!isBreak(peek(cursor))) return breaks;
    takeBreak(cursor);
    breaks++;
    cursor.indent = 0;
    while (peek(cursor) === SPACE) {
      cursor.indent++;
      cursor.at++;
    }
  }
}

/** A tab stands in front of a key or list item where the dialect forbids it. */
export function hasLeadingTab(cursor: YamlCursor): boolean {
  return cursor.firstTab >= 0 && cursor.dialect.leadingTab === "failure";
}

/** `---` or `...` as a word of its own; only asked at the start of a line. */
export function atDocumentMark(cursor: YamlCursor): boolean {
  const code = peek(cursor);
  if ((code !== DASH && code !== 0x2e) || peek(cursor, 1) !== code || peek(cursor, 2) !== code) return false;
  const after = peek(cursor, 3);
  return after === 0 || isSpace(after);
}
