import { deepest, endOfLine, quotedAt, reservedStart, type Scan, skipSpaces } from "./fast-scan.ts";
import type { ListNode, MapEntry, MapNode, ScalarNode, ValueNode } from "./frontmatter-node.ts";

/** A list in brackets that ends with its line; null = declined. */
export function flowList(scan: Scan, start: number): ListNode | null {
  const list = flowItems(scan, start, 0);
  return list !== null && endOfLine(scan, list.end) ? list : null;
}

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

function flowValue(scan: Scan, start: number, depth: number): ValueNode | null {
  const unit = scan.text.charCodeAt(start);
  if (unit === 0x5b) return flowItems(scan, start, depth + 1);
  if (unit === 0x7b) return flowMap(scan, start, depth + 1);
  return flowItem(scan, start);
}

/** A mapping in braces as JSON writes it: keys in double quotes, everything on one line. */
export function flowMap(scan: Scan, start: number, depth: number): MapNode | null {
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
