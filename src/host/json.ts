import { createRequire } from "node:module";
import type { Node, ParseError } from "jsonc-parser";
import type { Diagnostic, TextRange } from "../core/diagnostic.ts";
import { makeDiagnostic } from "../core/diagnostics/make.ts";
import type { DiagnosticCode } from "../core/diagnostics/table.ts";
import type { FileSystem, JsonRead } from "../core/file-system.ts";
import { printable } from "../core/text/printable.ts";

/** Bytes of a settings file; a larger one is not read (row H06). */
export const jsonLimit = 1024 * 1024;
/** Nested lists and objects. */
const depthLimit = 64;
/** Findings listed of one file. */
const notesLimit = 20;

type Parser = typeof import("jsonc-parser");
let parser: Parser | null = null;

/** Loaded on first use: most runs meet no settings file, and the parser takes some milliseconds to load. */
export function jsonParser(): Parser {
  parser ??= createRequire(import.meta.url)("jsonc-parser") as Parser;
  return parser;
}

/** A parsed text that can say where each value stands. */
export interface LocatedJson extends JsonRead {
  /** Place of the value at that path of keys and indexes (of the key itself with `key`), null when there is none. */
  locate(path: readonly (string | number)[], options?: { readonly key?: boolean }): TextRange | null;
  /** What could be made out of an invalid text, for rules that must hold even then; undefined otherwise. */
  readonly recovered: unknown;
}

/**
 * Reads JSON with comments, trailing commas and a byte-order mark. Never throws; what cannot be used comes back as
 * "invalid" with a diagnostic `config/…`. Objects have no prototype, so that a look-up never meets an inherited member
 * (row A05). Links are followed. `limit`: bytes; a larger file is not read.
 */
export function readJsonFile(
  fileSystem: Pick<FileSystem, "readFile">,
  path: string,
  limit: number = jsonLimit,
): LocatedJson {
  const read = fileSystem.readFile(path, { limit, follow: true });
  switch (read.kind) {
    case "absent":
      return { ...unusable("", []), kind: "absent" };
    case "file": {
      const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(read.bytes);
      if (!read.bytes.includes(0)) return parseJson(text, path);
      return failed(text, "config/invalid-json", {
        path,
        message: "This settings file is not UTF-8 text. The whole file is ignored.",
        hint: "Save it as UTF-8.",
      });
    }
    case "too-large": {
      const message = `This settings file is larger than ${limit / 1024} KiB. The whole file is ignored.`;
      return failed("", "config/too-large", { path, message });
    }
    case "failure":
      return failed("", "config/unreadable", {
        path,
        message: `This settings file cannot be read (${read.code}).`,
      });
    default: {
      const found = read.kind === "other" ? read.type : "link";
      return failed("", "config/unreadable", {
        path,
        message: `A settings file was expected here, but this is a ${found}.`,
      });
    }
  }
}

/** Reads a text as `readJsonFile` does a file; `path` is only for the diagnostics. An empty text has value undefined. */
export function parseJson(text: string, path: string | null): LocatedJson {
  const plain = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const deep = firstTooDeep(plain);
  if (deep !== null)
    return failed(plain, "config/too-deep", {
      path,
      message: `Lists and objects are nested deeper than ${depthLimit}. The whole file is ignored.`,
      range: rangeAt(plain, deep, 1),
    });
  const errors: ParseError[] = [];
  const root = jsonParser().parseTree(plain, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const error = errors[0];
  if (error !== undefined) {
    const [message, hint] = explained(jsonParser().printParseErrorCode(error.error), plain);
    const unread = failed(plain, "config/invalid-json", {
      path,
      message: `${message} The whole file is ignored.`,
      range: rangeAt(plain, error.offset, error.length),
      hint,
    });
    return root === undefined ? unread : { ...unread, recovered: plainValue(root, () => {}) };
  }
  const diagnostics: Diagnostic[] = [];
  const note: Note = (code, key, node) => {
    // Finding a place walks the text, so the number of findings is bounded.
    if (diagnostics.length === notesLimit) return;
    const shown = `The key "${printable(key)}"`;
    const message =
      code === "config/unsafe-key" ? `${shown} is ignored.` : `${shown} occurs twice; the last one counts.`;
    diagnostics.push(
      makeDiagnostic(code, { path, message, range: rangeAt(plain, node.offset, node.length) }),
    );
  };
  const value = root === undefined ? undefined : plainValue(root, note);
  return {
    kind: "value",
    value,
    text: plain,
    diagnostics,
    recovered: undefined,
    locate(keys, options) {
      const node = root && jsonParser().findNodeAtLocation(root, [...keys]);
      if (node === undefined) return null;
      const shown =
        options?.key === true && node.parent?.type === "property" ? node.parent.children?.[0] : node;
      return rangeAt(plain, (shown ?? node).offset, (shown ?? node).length);
    },
  };
}

type Note = (code: "config/unsafe-key" | "config/duplicate-key", key: string, node: Node) => void;

function plainValue(node: Node, note: Note): unknown {
  if (node.type === "array") return (node.children ?? []).map((child) => plainValue(child, note));
  if (node.type !== "object") return node.value as unknown;
  const object: Record<string, unknown> = Object.create(null);
  for (const property of node.children ?? []) {
    const [name, child] = property.children ?? [];
    if (name === undefined || child === undefined) continue;
    const key = String(name.value);
    if (key === "__proto__") {
      note("config/unsafe-key", key, name);
      continue;
    }
    if (Object.hasOwn(object, key)) {
      note("config/duplicate-key", key, name);
      // Its place is the last one's too: the order of permission rules is the order of keys.
      delete object[key];
    }
    object[key] = plainValue(child, note);
  }
  return object;
}

/** Offset of the first bracket below the limit, or null. One pass, so that parsing never exhausts the stack (row H06). */
function firstTooDeep(text: string): number | null {
  const scanner = jsonParser().createScanner(text, true);
  const open = new Set<number>([1, 3]);
  const close = new Set<number>([2, 4]);
  let depth = 0;
  for (let token: number = scanner.scan(); token !== endOfFile; token = scanner.scan()) {
    if (open.has(token) && ++depth > depthLimit) return scanner.getTokenOffset();
    if (close.has(token)) depth--;
  }
  return null;
}

/** The scanner's number for the end; its enumeration is declared `const` and so has no values at run time. */
const endOfFile = 17;

function explained(error: string, text: string): readonly [message: string, hint: string | undefined] {
  if (/^<{7} /m.test(text) && /^>{7} /m.test(text))
    return ["This file holds the marks of an unfinished merge.", "Resolve the merge in it."];
  switch (error) {
    case "PropertyNameExpected":
      return ["A key in double quotes was expected here.", 'Write "key": value.'];
    case "InvalidSymbol":
      return ["This is not a JSON value.", "Write texts and keys in double quotes."];
    case "ColonExpected":
      return ["A colon is missing after this key.", 'Write "key": value.'];
    case "CommaExpected":
      return ["A comma is missing before this.", "Separate entries by commas."];
    case "ValueExpected":
      return ["A value was expected here.", undefined];
    case "CloseBraceExpected":
      return ["A closing brace is missing.", "Each { needs its }."];
    case "CloseBracketExpected":
      return ["A closing bracket is missing.", "Each [ needs its ]."];
    case "EndOfFileExpected":
      return ["There is text after the end of the settings.", "Keep one object in the file."];
    case "UnexpectedEndOfComment":
      return ["A comment is not closed.", "Close it with */."];
    case "UnexpectedEndOfString":
      return ["A text is not closed.", "Close it with a double quote on the same line."];
    case "InvalidUnicode":
    case "InvalidEscapeCharacter":
      return ["This escape is not known to JSON.", "Write \\\\ for a backslash."];
    case "InvalidCharacter":
      return ["A text holds a control character.", "Write \\n or \\t instead."];
    default:
      return ["This is not valid JSON.", undefined];
  }
}

function failed(
  text: string,
  code: DiagnosticCode,
  details: Parameters<typeof makeDiagnostic>[1],
): LocatedJson {
  return unusable(text, [makeDiagnostic(code, details)]);
}

function unusable(text: string, diagnostics: readonly Diagnostic[]): LocatedJson {
  return { kind: "invalid", value: undefined, text, diagnostics, locate: () => null, recovered: undefined };
}

/** Line and column (from 1, UTF-16 units) of `length` units from `offset`. */
function rangeAt(text: string, offset: number, length: number): TextRange {
  const start = placeAt(text, Math.min(offset, text.length));
  const end = placeAt(text, Math.min(offset + Math.max(length, 1), text.length));
  return { ...start, endLine: end.line, endColumn: end.column };
}

function placeAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) {
    line++;
    lineStart = at + 1;
  }
  return { line, column: offset - lineStart + 1 };
}
