import {
  fail,
  HASH,
  isBlank,
  isBreak,
  peek,
  SPACE,
  skipBlanks,
  skipToBreak,
  takeBreak,
  type YamlCursor,
} from "./yaml-cursor.ts";
import { segment } from "./yaml-scalars.ts";

interface BlockHeader {
  readonly folds: boolean;
  readonly chomp: "clip" | "strip" | "keep";
  /** Columns, or null: taken from the first line with text. */
  readonly width: number | null;
}

function readBlockHeader(cursor: YamlCursor): BlockHeader | null {
  const code = peek(cursor);
  if (code !== 0x7c && code !== 0x3e) return null;
  let chomp: BlockHeader["chomp"] = "clip";
  let width: number | null = null;
  cursor.at++;
  for (let next = cursor.text[cursor.at]; next !== undefined; next = cursor.text[++cursor.at]) {
    if (next === "+" || next === "-") {
      if (chomp !== "clip") fail(cursor, "a second `+` or `-` after `|` or `>`");
      chomp = next === "+" ? "keep" : "strip";
    } else if (next >= "0" && next <= "9") {
      if (next === "0") fail(cursor, "a block's indentation cannot be 0");
      if (width !== null) fail(cursor, "a second number after `|` or `>`");
      width = Number(next);
    } else break;
  }
  if (isBlank(peek(cursor))) {
    skipBlanks(cursor);
    if (peek(cursor) === HASH) skipToBreak(cursor);
  }
  return { folds: code === 0x3e, chomp, width };
}

/** A `|` or `>` block below a node indented by `indent`. Null: none starts here. */
export function readBlockScalar(cursor: YamlCursor, indent: number): string | null {
  const header = readBlockHeader(cursor);
  if (header === null) return null;
  let width = header.width === null ? indent : indent + header.width - 1;
  let fixed = header.width !== null;
  let result = "";
  let hasText = false;
  let empty = 0;
  let deeper = false;
  let code = peek(cursor);
  while (code !== 0) {
    takeBreak(cursor);
    cursor.indent = 0;
    while ((!fixed || cursor.indent < width) && peek(cursor) === SPACE) {
      cursor.indent++;
      cursor.at++;
    }
    if (!fixed && cursor.indent > width) width = cursor.indent;
    code = peek(cursor);
    if (isBreak(code)) {
      empty++;
      continue;
    }
    if (cursor.indent < width) {
      if (header.chomp === "keep") result += "\n".repeat(hasText ? 1 + empty : empty);
      else if (header.chomp === "clip" && hasText) result += "\n";
      break;
    }
    const breaks = "\n".repeat(hasText ? 1 + empty : empty);
    if (!header.folds) result += breaks;
    else if (isBlank(code)) {
      deeper = true;
      result += breaks;
    } else if (deeper) {
      deeper = false;
      result += "\n".repeat(empty + 1);
    } else if (empty === 0) result += hasText ? " " : "";
    else result += "\n".repeat(empty);
    hasText = true;
    fixed = true;
    empty = 0;
    const start = cursor.at;
    skipToBreak(cursor);
    result += segment(cursor, start, cursor.at, false);
    code = peek(cursor);
  }
  return result;
}
