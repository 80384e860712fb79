import { flowList, flowMap } from "./fast-flow.ts";
import {
  deepest,
  endOfLine,
  indentedLine,
  indentMore,
  keyLength,
  lineEnd,
  oneLine,
  plainEnd,
  reservedStart,
  type Scan,
  skipSpaces,
} from "./fast-scan.ts";
import type { ListNode, MapEntry, MapNode, ScalarNode, ValueNode } from "./frontmatter-node.ts";

/** A text after `|` or `>`; declines explicit indentation, uneven folded lines and anything with tabs in front. */
export function blockText(scan: Scan, start: number, folded: boolean): ScalarNode | null {
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
export function valueBelow(scan: Scan, after: number): ValueNode | null {
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

/** A plain text and the indented lines that continue it; null = declined. */
export function plainLines(scan: Scan, start: number): ScalarNode | null {
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
