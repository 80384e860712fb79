import { isPlainText } from "../text/hidden-characters.ts";
import { blockText } from "./fast-block.ts";
import type { Scan } from "./fast-scan.ts";

/** How a value was written; a text in quotes or in a block is never a number or a boolean. */
export type PlainStyle = "word" | "quoted" | "block" | "list";

/** A frontmatter that is being read the short way. */
export interface PlainScan extends Scan {
  /** Only ASCII and no controls: the whole frontmatter was looked at before, and no value needs another look. */
  readonly clean: boolean;
  /** Of the last value. */
  style: PlainStyle;
}

/**
 * The value of the key that ends before `colon`, where it is of a shape that nothing can be said of: a text on its line,
 * with indented lines behind it or in double quotes without escapes, a block text, a list of words. Moves the scan
 * behind it. Null for every other value. Whole frontmatters are known to have neither ` #` nor tabs nor `---`.
 */
export function plainValue(scan: PlainScan, colon: number): string | readonly string[] | null {
  const { text } = scan;
  const end = text.indexOf("\n", colon);
  if (end === colon + 1) {
    scan.at = end + 1;
    return itemsBelow(scan);
  }
  const start = colon + 2;
  const first = text.charCodeAt(start);
  if (first === 0x5b) return words(scan, start, end);
  if (first === 0x7c || first === 0x3e) return block(scan, start, first === 0x3e);
  if (first === 0x22) return quoted(scan, start, end);
  if (!startsText(first)) return null;
  scan.style = "word";
  const line = plainLine(scan, start, end);
  return line === null || text.charCodeAt(end + 1) !== 0x20 ? line : continued(scan, line);
}

/** Letters, digits, `<`, `(`, `/` and what is not ASCII: none of them means anything to YAML at the start of a text. */
function startsText(unit: number): boolean {
  const letter = unit | 0x20;
  return (
    (letter >= 0x61 && letter <= 0x7a) || (unit >= 0x2f && unit <= 0x39) || unit >= 0x80 || isOpening(unit)
  );
}

function isOpening(unit: number): boolean {
  return unit === 0x3c || unit === 0x28;
}

/** The rest of a line as the text it is for everybody; null where a part of it may mean something. */
function plainLine(scan: PlainScan, start: number, end: number): string | null {
  const { text } = scan;
  const colon = text.indexOf(": ", start);
  if (colon >= 0 && colon < end) return null;
  const last = text.charCodeAt(end - 1);
  if (last === 0x20 || last === 0x3a) return null;
  const value = text.slice(start, end);
  scan.at = end + 1;
  return scan.clean || isVisible(value) ? value : null;
}

function isVisible(text: string): boolean {
  return text.trim().length === text.length && isPlainText(text);
}

/** Lines that are indented go on with a text, each behind a blank. */
function continued(scan: PlainScan, first: string): string | null {
  const { text } = scan;
  let value = first;
  while (text.charCodeAt(scan.at) === 0x20) {
    let start = scan.at;
    while (text.charCodeAt(start) === 0x20) start++;
    const unit = text.charCodeAt(start);
    if (unit === 0x0a || unit === 0x23) return null;
    const line = plainLine(scan, start, text.indexOf("\n", start));
    if (line === null) return null;
    value += ` ${line}`;
  }
  return value;
}

/** Something indented behind a value that is complete. */
function goesOn(scan: PlainScan): boolean {
  return scan.text.charCodeAt(scan.at) === 0x20;
}

function quoted(scan: PlainScan, start: number, end: number): string | null {
  const { text } = scan;
  const value = text.slice(start + 1, end - 1);
  if (text.charCodeAt(end - 1) !== 0x22 || value === "" || value.includes('"') || value.includes("\\"))
    return null;
  if (value.trim().length !== value.length || !(scan.clean || isPlainText(value))) return null;
  scan.at = end + 1;
  scan.style = "quoted";
  return goesOn(scan) ? null : value;
}

function block(scan: PlainScan, start: number, folded: boolean): string | null {
  const node = blockText(scan, start, folded);
  if (node === null || goesOn(scan)) return null;
  scan.style = "block";
  return scan.clean || isPlainText(node.text) ? node.text : null;
}

/** Words of letters, digits, dots, slashes and hyphens; several of them may make one item. */
const word = /^[A-Za-z][\w./-]*(?: [\w./-]+)*$/;
const wordList = /^[A-Za-z][\w./-]*(?: [\w./-]+)*(?:, [A-Za-z][\w./-]*(?: [\w./-]+)*)*$/;
const quotedList = /^"[A-Za-z][\w./-]*(?: [\w./-]+)*"(?:, "[A-Za-z][\w./-]*(?: [\w./-]+)*")*$/;
/** Items that are no texts for YAML. */
const typedWord = /(?:^|, )(?:true|false|null)(?:$|,)/i;

function words(scan: PlainScan, start: number, end: number): readonly string[] | null {
  const { text } = scan;
  if (text.charCodeAt(end - 1) !== 0x5d) return null;
  const inner = text.slice(start + 1, end - 1);
  const inQuotes = inner.charCodeAt(0) === 0x22;
  if (inQuotes ? !quotedList.test(inner) : !wordList.test(inner) || typedWord.test(inner)) return null;
  scan.at = end + 1;
  scan.style = "list";
  if (goesOn(scan)) return null;
  const items = inQuotes ? inner.slice(1, -1).split('", "') : inner.split(", ");
  scan.count += items.length;
  return items;
}

/** A list with one item a line, all at one indentation. */
function itemsBelow(scan: PlainScan): readonly string[] | null {
  const { text } = scan;
  let indent = 0;
  while (text.charCodeAt(scan.at + indent) === 0x20) indent++;
  const mark = `${text.slice(scan.at, scan.at + indent)}- `;
  const items: string[] = [];
  while (text.startsWith(mark, scan.at)) {
    const end = text.indexOf("\n", scan.at);
    const item = text.slice(scan.at + mark.length, end);
    if (!word.test(item) || typedWord.test(item)) return null;
    items.push(item);
    scan.at = end + 1;
  }
  scan.count += items.length;
  scan.style = "list";
  return items.length === 0 || goesOn(scan) ? null : items;
}
