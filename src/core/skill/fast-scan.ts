import type { ScalarNode } from "./frontmatter-node.ts";

/** Characters that give a value a meaning of its own when they stand first. */
export const reservedStart = new Set(
  Array.from("-?:,[]{}#&*!|>'\"%@`", (character) => character.charCodeAt(0)),
);

/** A position that moves on; after a value it stands at the start of the next line. `end`: end of the last text. */
export interface Scan {
  readonly text: string;
  at: number;
  line: number;
  end: number;
  /** Keys and items so far. */
  count: number;
}

/** Index of the line feed that ends the line, or the text's end. */
export function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

/** Index of the first character that is no space. */
export function skipSpaces(text: string, from: number): number {
  let index = from;
  while (text.charCodeAt(index) === 0x20) index++;
  return index;
}

/** Index of the colon behind a plain key at `from`, or -1. The colon is followed by a blank or a line end. */
export function keyLength(text: string, from: number): number {
  let index = from;
  for (; ; index++) {
    const unit = text.charCodeAt(index);
    const letter = (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || unit === 0x5f;
    if (letter) continue;
    if (((unit >= 0x30 && unit <= 0x39) || unit === 0x2d) && index > from) continue;
    if (unit !== 0x3a || index === from || index - from > 100) return -1;
    const next = text.charCodeAt(index + 1);
    return next === 0x20 || next === 0x0a ? index : -1;
  }
}

/** Moves behind a line whose rest from `from` is blank. */
export function endOfLine(scan: Scan, from: number): boolean {
  let index = from;
  while (scan.text.charCodeAt(index) === 0x20) index++;
  if (scan.text.charCodeAt(index) !== 0x0a) return false;
  scan.at = index + 1;
  scan.line++;
  return true;
}

/** True when the line at the scan begins with a blank. */
export function indentedLine(scan: Scan): boolean {
  const unit = scan.text.charCodeAt(scan.at);
  return unit === 0x20 || unit === 0x09;
}

/** True when the next line is indented deeper, or is indented and empty: more belongs to the value. */
export function indentMore(scan: Scan, indent: number): boolean {
  let index = scan.at;
  while (scan.text.charCodeAt(index) === 0x20) index++;
  const unit = scan.text.charCodeAt(index);
  return index - scan.at > indent || unit === 0x09;
}

/** What ends a plain text: its line, or something that this reader does not know. */
const plainStop = /[\0-\x1f\x7f]|:[ \t\n]| #/g;

/**
 * End of the plain text that starts at `from` (trailing blanks excluded), the line's end in `scan.end`; -1 = declined.
 * Compiled expressions search quickly from the first file on; a loop over the characters needs thousands to get there.
 */
export function plainEnd(scan: Scan, from: number): number {
  const { text } = scan;
  plainStop.lastIndex = from;
  if (!plainStop.test(text)) return -1;
  const end = plainStop.lastIndex - 1;
  if (text.charCodeAt(end) !== 0x0a || (end > from && text.charCodeAt(end - 1) === 0x3a)) return -1;
  scan.end = end;
  let last = end;
  while (last > from && text.charCodeAt(last - 1) === 0x20) last--;
  return last;
}

/** A text in quotes without escapes, on one line; null = declined. */
export function quotedAt(scan: Scan, start: number): ScalarNode | null {
  const { text } = scan;
  const quote = text.charCodeAt(start);
  for (let index = start + 1; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === quote) {
      if (quote === 0x27 && text.charCodeAt(index + 1) === 0x27) return null;
      return { kind: "scalar", style: "quoted", text: text.slice(start + 1, index), start, end: index + 1 };
    }
    if (unit === 0x5c && quote === 0x22) return null;
    if (unit < 0x20 || unit === 0x7f) return null;
  }
  return null;
}

/** A plain or quoted text that ends with its line. */
export function oneLine(scan: Scan, start: number): ScalarNode | null {
  const unit = scan.text.charCodeAt(start);
  if (unit === 0x22 || unit === 0x27) {
    const quoted = quotedAt(scan, start);
    return quoted !== null && endOfLine(scan, quoted.end) ? quoted : null;
  }
  if (unit === 0x0a || reservedStart.has(unit)) return null;
  const end = plainEnd(scan, start);
  if (end <= start) return null;
  scan.at = scan.end + 1;
  scan.line++;
  return { kind: "scalar", style: "plain", text: scan.text.slice(start, end), start, end };
}

/** Nesting of brackets and of block mappings that is read here. */
export const deepest = 8;
