import {
  type Entry,
  type ListNode,
  type MapEntry,
  type MapNode,
  noDamage,
  type ScalarNode,
  type ValueNode,
} from "./frontmatter-node.ts";

/** Characters that give a value a meaning of its own when they stand first. */
const reservedStart = new Set(Array.from("-?:,[]{}#&*!|>'\"%@`", (character) => character.charCodeAt(0)));

/**
 * Reads the shapes of frontmatter that most files have without a YAML library, and declines (null) at the first thing
 * it does not know for sure. What it accepts equals `yamlEntries` exactly (property test). Known shapes: one-line and
 * indented plain texts, simple quoted texts, flow and block lists of these, block texts,
 * JSON in braces, mappings and lists below a key, comment and empty lines. `text` has only LF line ends and ends with one. One pass, no regular expression.
 */
export function fastEntries(
  text: string,
  options: { readonly line: number; readonly keys: number },
): readonly Entry[] | null {
  const scan: Scan = { text, at: 0, line: options.line, end: 0, count: 0 };
  const entries: Entry[] = [];
  let blankBefore = false;
  while (scan.at < text.length) {
    const unit = text.charCodeAt(scan.at);
    if (unit === 0x0a) {
      scan.at++;
      scan.line++;
      blankBefore = true;
      continue;
    }
    if (unit === 0x23) {
      // A heading between empty lines is no comment but the text of a file whose fence is missing.
      if (blankBefore) return null;
      scan.at = lineEnd(text, scan.at) + 1;
      scan.line++;
      continue;
    }
    blankBefore = false;
    const keyStart = scan.at;
    const keyEnd = keyLength(text, keyStart);
    if (keyEnd < 0) return null;
    const line = scan.line;
    scan.at = keyEnd + 1;
    const value = valueAt(scan, keyEnd + 1);
    if (value === null) return null;
    scan.count++;
    if (scan.count > options.keys / 2) return null;
    entries.push({
      key: text.slice(keyStart, keyEnd),
      value,
      source: text,
      keyStart,
      end: Math.max(value.end, keyEnd + 1),
      line,
      damage: noDamage,
    });
  }
  return entries;
}

/** A position that moves on; after a value it stands at the start of the next line. `end`: end of the last text. */
interface Scan {
  readonly text: string;
  at: number;
  line: number;
  end: number;
  /** Keys and items so far. */
  count: number;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

/** Index of the colon behind a plain key at `from`, or -1. The colon is followed by a blank or a line end. */
function keyLength(text: string, from: number): number {
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

function valueAt(scan: Scan, from: number): ValueNode | null {
  const { text } = scan;
  let start = from;
  while (text.charCodeAt(start) === 0x20) start++;
  const unit = text.charCodeAt(start);
  if (unit === 0x0a) {
    scan.at = start + 1;
    scan.line++;
    return valueBelow(scan, from);
  }
  if (unit === 0x5b) {
    const list = flowList(scan, start);
    return list !== null && !indentedLine(scan) ? list : null;
  }
  if (unit === 0x7b) {
    const map = flowMap(scan, start, 0);
    return map !== null && endOfLine(scan, map.end) && !indentedLine(scan) ? map : null;
  }
  if (unit === 0x7c || unit === 0x3e) return blockText(scan, start, unit === 0x3e);
  if (unit === 0x22 || unit === 0x27) {
    const quoted = quotedAt(scan, start);
    return quoted !== null && endOfLine(scan, quoted.end) && !indentedLine(scan) ? quoted : null;
  }
  return plainLines(scan, start);
}

/** Moves behind a line whose rest from `from` is blank. */
function endOfLine(scan: Scan, from: number): boolean {
  let index = from;
  while (scan.text.charCodeAt(index) === 0x20) index++;
  if (scan.text.charCodeAt(index) !== 0x0a) return false;
  scan.at = index + 1;
  scan.line++;
  return true;
}

function indentedLine(scan: Scan): boolean {
  const unit = scan.text.charCodeAt(scan.at);
  return unit === 0x20 || unit === 0x09;
}

/** End of the plain text that starts at `from` (trailing blanks excluded), the line's end in `scan.end`; -1 = declined. */
function plainEnd(scan: Scan, from: number): number {
  const { text } = scan;
  let last = from;
  for (let index = from; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit > 0x3a && unit !== 0x7f) {
      last = index + 1;
      continue;
    }
    if (unit === 0x0a) {
      scan.end = index;
      return last;
    }
    if (unit === 0x20) continue;
    if (unit < 0x20 || unit === 0x7f) return -1;
    if (unit === 0x3a) {
      const next = text.charCodeAt(index + 1);
      if (next === 0x20 || next === 0x0a || next === 0x09) return -1;
    } else if (unit === 0x23 && text.charCodeAt(index - 1) === 0x20) return -1;
    last = index + 1;
  }
  return -1;
}

function plainLines(scan: Scan, start: number): ScalarNode | null {
  const { text } = scan;
  if (reservedStart.has(text.charCodeAt(start))) return null;
  let end = plainEnd(scan, start);
  if (end < 0) return null;
  let value = text.slice(start, end);
  scan.at = scan.end + 1;
  scan.line++;
  while (indentedLine(scan)) {
    let from = scan.at;
    while (text.charCodeAt(from) === 0x20) from++;
    // Inside a text only a comment or an empty line ends it; other marks are plain characters here.
    const unit = text.charCodeAt(from);
    if (unit === 0x23 || unit === 0x0a || unit === 0x09) return null;
    const next = plainEnd(scan, from);
    if (next < 0) return null;
    value += ` ${text.slice(from, next)}`;
    end = next;
    scan.at = scan.end + 1;
    scan.line++;
  }
  return { kind: "scalar", style: "plain", text: value, start, end };
}

function quotedAt(scan: Scan, start: number): ScalarNode | null {
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

function flowList(scan: Scan, start: number): ListNode | null {
  const list = flowItems(scan, start, 0);
  return list !== null && endOfLine(scan, list.end) ? list : null;
}

/** Nesting of brackets and of block mappings that is read here. */
const deepest = 8;

function flowItems(scan: Scan, start: number, depth: number): ListNode | null {
  const { text } = scan;
  const items: ValueNode[] = [];
  let index = start + 1;
  if (depth > deepest) return null;
  for (;;) {
    index = skipSpaces(text, index);
    if (text.charCodeAt(index) === 0x5d) break;
    const item = flowValue(scan, index, depth);
    if (item === null) return null;
    items.push(item);
    scan.count++;
    index = skipSpaces(text, item.end);
    const unit = text.charCodeAt(index);
    // A colon behind an item would make a pair of it.
    if (unit === 0x2c) index++;
    else if (unit !== 0x5d) return null;
  }
  return { kind: "list", flow: true, items, start, end: index + 1 };
}

function skipSpaces(text: string, from: number): number {
  let index = from;
  while (text.charCodeAt(index) === 0x20) index++;
  return index;
}

function flowValue(scan: Scan, start: number, depth: number): ValueNode | null {
  const unit = scan.text.charCodeAt(start);
  if (unit === 0x5b) return flowItems(scan, start, depth + 1);
  if (unit === 0x7b) return flowMap(scan, start, depth + 1);
  return flowItem(scan, start);
}

/** A mapping in braces as JSON writes it: keys in double quotes, everything on one line. */
function flowMap(scan: Scan, start: number, depth: number): MapNode | null {
  const { text } = scan;
  const entries: MapEntry[] = [];
  let index = start + 1;
  if (depth > deepest) return null;
  for (;;) {
    index = skipSpaces(text, index);
    if (text.charCodeAt(index) === 0x7d && entries.length === 0) break;
    if (text.charCodeAt(index) !== 0x22) return null;
    const key = quotedAt(scan, index);
    if (key === null || text.charCodeAt(key.end) !== 0x3a) return null;
    const value = flowValue(scan, skipSpaces(text, key.end + 1), depth);
    if (value === null) return null;
    entries.push({ key: key.text, value });
    scan.count++;
    index = skipSpaces(text, value.end);
    const unit = text.charCodeAt(index);
    if (unit === 0x7d) break;
    if (unit !== 0x2c) return null;
    index++;
  }
  return { kind: "map", flow: true, entries, start, end: index + 1 };
}

function flowItem(scan: Scan, start: number): ScalarNode | null {
  const { text } = scan;
  const first = text.charCodeAt(start);
  if (first === 0x22 || first === 0x27) return quotedAt(scan, start);
  if (reservedStart.has(first)) return null;
  let end = start;
  for (let index = start; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x2c || unit === 0x5d || unit === 0x7d) {
      return { kind: "scalar", style: "plain", text: text.slice(start, end), start, end };
    }
    if (unit === 0x20) continue;
    if (unit < 0x20 || unit === 0x7f || unit === 0x5b || unit === 0x7b) return null;
    if (unit === 0x23 && text.charCodeAt(index - 1) === 0x20) return null;
    if (unit === 0x3a) {
      const next = text.charCodeAt(index + 1);
      if (next <= 0x20 || next === 0x2c || next === 0x5b || next === 0x5d || next === 0x7b || next === 0x7d)
        return null;
    }
    end = index + 1;
  }
  return null;
}

/** A text after `|` or `>`; declines explicit indentation, uneven folded lines and anything with tabs in front. */
function blockText(scan: Scan, start: number, folded: boolean): ScalarNode | null {
  const { text } = scan;
  let index = start + 1;
  const sign = text.charCodeAt(index);
  if (sign === 0x2d || sign === 0x2b) index++;
  if (text.charCodeAt(index) !== 0x0a) return null;
  index++;
  let lines = 1;
  let indent = 0;
  while (text.charCodeAt(index + indent) === 0x20) indent++;
  const first = text.charCodeAt(index + indent);
  if (indent === 0 || first === 0x0a || first === 0x09) return null;
  let value = "";
  let breaks = 0;
  for (let started = false; index < text.length; ) {
    let from = index;
    while (from < index + indent && text.charCodeAt(from) === 0x20) from++;
    const unit = text.charCodeAt(from);
    if (unit === 0x0a) {
      breaks++;
      lines++;
      index = from + 1;
      continue;
    }
    if (from < index + indent) {
      if (from > index || unit === 0x09) return null;
      break;
    }
    if (folded && (unit === 0x20 || unit === 0x09)) return null;
    const end = lineEnd(text, from);
    const before = text.charCodeAt(end - 1);
    if (folded && (before === 0x20 || before === 0x09)) return null;
    if (started) value += folded ? (breaks === 0 ? " " : "\n".repeat(breaks)) : "\n".repeat(breaks + 1);
    value += text.slice(from, end);
    started = true;
    breaks = 0;
    lines++;
    index = end + 1;
  }
  if (sign !== 0x2d) value += "\n".repeat(sign === 0x2b ? breaks + 1 : 1);
  scan.at = index;
  scan.line += lines;
  return { kind: "scalar", style: "block", text: value, start, end: index };
}

/** The value of a key whose line is empty behind the colon. */
function valueBelow(scan: Scan, after: number): ValueNode | null {
  const { text } = scan;
  let indent = 0;
  while (text.charCodeAt(scan.at + indent) === 0x20) indent++;
  const start = scan.at + indent;
  const unit = text.charCodeAt(start);
  if (unit === 0x2d && text.charCodeAt(start + 1) === 0x20) return blockList(scan, indent);
  if (indent === 0) {
    if (unit === 0x09 || unit === 0x0a) return null;
    return { kind: "scalar", style: "plain", text: "", start: after, end: after };
  }
  if (unit === 0x0a) return null;
  return keyLength(text, start) >= 0 ? blockMap(scan, indent, 0) : plainLines(scan, start);
}

/** Start of the text on a line with exactly this indentation, -1 at a line with less, -2 where the scan declines. */
function sameIndent(scan: Scan, indent: number): number {
  const { text } = scan;
  let from = scan.at;
  while (from < scan.at + indent && text.charCodeAt(from) === 0x20) from++;
  const unit = text.charCodeAt(from);
  if (from === scan.at + indent) return unit === 0x20 || unit === 0x09 || unit === 0x0a ? -2 : from;
  return from === scan.at && unit !== 0x09 ? -1 : -2;
}

function blockList(scan: Scan, indent: number): ListNode | null {
  const { text } = scan;
  const items: ScalarNode[] = [];
  const start = scan.at + indent;
  let end = start;
  while (scan.at < text.length) {
    const mark = sameIndent(scan, indent);
    if (mark === -2) return null;
    if (mark === -1) break;
    if (text.charCodeAt(mark) !== 0x2d || text.charCodeAt(mark + 1) !== 0x20) {
      if (indent === 0) break;
      return null;
    }
    let from = mark + 1;
    while (text.charCodeAt(from) === 0x20) from++;
    const item = oneLine(scan, from);
    if (item === null || indentMore(scan, indent)) return null;
    items.push(item);
    scan.count++;
    end = item.end;
  }
  return { kind: "list", flow: false, items, start, end };
}

function blockMap(scan: Scan, indent: number, depth: number): MapNode | null {
  const { text } = scan;
  const entries: MapEntry[] = [];
  const start = scan.at + indent;
  let end = start;
  if (depth > deepest) return null;
  while (scan.at < text.length) {
    const from = lineStart(scan, indent, depth);
    if (from === -2) return null;
    if (from === -1) break;
    const colon = keyLength(text, from);
    if (colon < 0) return null;
    const at = skipSpaces(text, colon + 1);
    const value = innerValue(scan, at, { indent, depth });
    if (value === null || indentMore(scan, indent)) return null;
    entries.push({ key: text.slice(from, colon), value });
    scan.count++;
    end = value.end;
  }
  return { kind: "map", flow: false, entries, start, end };
}

/** As `sameIndent`, but in a nested mapping any smaller indentation ends it; the outer one checks that it fits. */
function lineStart(scan: Scan, indent: number, depth: number): number {
  if (depth === 0) return sameIndent(scan, indent);
  const from = skipSpaces(scan.text, scan.at);
  const unit = scan.text.charCodeAt(from);
  if (unit === 0x0a || unit === 0x09) return -2;
  return from - scan.at < indent ? -1 : from - scan.at === indent ? from : -2;
}

function innerValue(
  scan: Scan,
  at: number,
  place: { readonly indent: number; readonly depth: number },
): ValueNode | null {
  const { text } = scan;
  const unit = text.charCodeAt(at);
  if (unit === 0x5b) return flowList(scan, at);
  if (unit === 0x7b) {
    const map = flowMap(scan, at, 0);
    return map !== null && endOfLine(scan, map.end) ? map : null;
  }
  if (unit !== 0x0a) return oneLine(scan, at);
  scan.at = at + 1;
  scan.line++;
  const start = skipSpaces(text, scan.at);
  const indent = start - scan.at;
  if (text.charCodeAt(start) === 0x2d && text.charCodeAt(start + 1) === 0x20) {
    return indent < place.indent ? null : innerList(scan, indent, indent === place.indent);
  }
  if (indent <= place.indent) return null;
  return keyLength(text, start) >= 0 ? blockMap(scan, indent, place.depth + 1) : null;
}

/** A list inside a mapping; a smaller indentation ends it, and a key on the same one when the mapping stands there. */
function innerList(scan: Scan, indent: number, level: boolean): ListNode | null {
  const { text } = scan;
  const items: ScalarNode[] = [];
  const start = scan.at + indent;
  let end = start;
  while (scan.at < text.length) {
    const mark = lineStart(scan, indent, 1);
    if (mark === -2) return null;
    if (mark === -1) break;
    if (text.charCodeAt(mark) !== 0x2d || text.charCodeAt(mark + 1) !== 0x20) {
      if (level) break;
      return null;
    }
    const item = oneLine(scan, skipSpaces(text, mark + 1));
    if (item === null || indentMore(scan, indent)) return null;
    items.push(item);
    scan.count++;
    end = item.end;
  }
  return { kind: "list", flow: false, items, start, end };
}

/** True when the next line is indented deeper, or is indented and empty: more belongs to the value. */
function indentMore(scan: Scan, indent: number): boolean {
  let index = scan.at;
  while (scan.text.charCodeAt(index) === 0x20) index++;
  const unit = scan.text.charCodeAt(index);
  return index - scan.at > indent || unit === 0x09;
}

/** A plain or quoted text that ends with its line. */
function oneLine(scan: Scan, start: number): ScalarNode | null {
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
