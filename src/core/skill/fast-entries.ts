import { blockText, plainLines, valueBelow } from "./fast-block.ts";
import { commented, quotedLines } from "./fast-comment.ts";
import { flowList, flowMap } from "./fast-flow.ts";
import { endOfLine, indentedLine, keyLength, lineEnd, quotedAt, type Scan } from "./fast-scan.ts";
import { type Entry, noDamage, type ValueNode } from "./frontmatter-node.ts";

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
    const key = text.slice(keyStart, keyEnd);
    const value = valueAt(scan, keyEnd + 1, key);
    if (value === null) return null;
    scan.count++;
    if (scan.count > options.keys / 2) return null;
    entries.push({
      key,
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

function valueAt(scan: Scan, from: number, key: string): ValueNode | null {
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
    const quoted = quotedAt(scan, start) ?? quotedLines(scan, start);
    return quoted !== null && endOfLine(scan, quoted.end) && !indentedLine(scan) ? quoted : null;
  }
  return plainLines(scan, start) ?? commented(scan, start, key);
}
