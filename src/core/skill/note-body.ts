import type { SkillAnalysis } from "./analyse-skill.ts";
import { addFinding } from "./findings.ts";
import { lengthFindings, placeholderFindings } from "./lint-body.ts";

/** Units above which a text may be long by the standard's figures; see `lintBody`. */
const longText = 20_000;
const longLines = 500;

/**
 * Adds what matters of a skill's text to the findings of its file (cases a-substitution, b-long-body). Most texts are
 * passed by without being decoded: they are short and have nothing in them that looks like an argument.
 */
export function noteBody({ layout, document, findings }: SkillAnalysis): void {
  if (layout === null || document === null) return;
  const { text, fences } = layout;
  const from = fences.kind === "block" ? fences.body : text.start;
  const names = document.argumentNames;
  const { units } = text;
  const long = isLong(units, from);
  const argued = hasArgument(units, from, names.length > 0);
  if (!long && !argued) return;
  const body = text.slice(from, units.length);
  const lines = body.split(/\r\n|\n|\r/);
  const firstLine = lineFeeds(units, text.start, from) + 1;
  const takes = names.length > 0 || document.argumentHint !== null;
  const found = [
    ...(long ? lengthFindings(body, lines) : []),
    ...(argued ? placeholderFindings(lines, { names, takes }) : []),
  ];
  for (const { code, message, line, column } of found) {
    addFinding(findings, code, message, { line: firstLine + line - 1, column });
  }
}

type Units = Uint8Array | Uint16Array;

/**
 * True where `noteBody` has nothing to say of a text in UTF-8 that begins at `from` and whose skill names no arguments.
 * Looks with the system's own searches, which are quick from a process's first file on.
 */
export function isUnremarkable(bytes: Uint8Array, from: number): boolean {
  const length = bytes.length - from;
  if (length > longText || (bytes.indexOf(0x24, from) >= 0 && hasArgument(bytes, from, false))) return false;
  if (length <= 10 * longLines) return true;
  let count = 0;
  for (let at = bytes.indexOf(0x0a, from); at >= 0; at = bytes.indexOf(0x0a, at + 1)) {
    count++;
    if (count > longLines) return false;
  }
  // Without a line feed, carriage returns may end lines.
  return count > 0 || bytes.indexOf(0x0d, from) < 0;
}

function isLong(units: Units, from: number): boolean {
  const length = units.length - from;
  return length > longText || (length > 10 * longLines && lineFeeds(units, from, units.length) > longLines);
}

/** Line ends; a file that has carriage returns only has no line feed to count. Kept simple, it runs over every text. */
function lineFeeds(units: Units, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (units[at] === 0x0a) count++;
  if (count === 0) for (let at = from; at < to; at++) if (units[at] === 0x0d) count++;
  return count;
}

/** `$0`, `${0}`, `$ARG…` or, where the skill names its arguments, any word behind a dollar sign. */
function hasArgument(units: Units, from: number, named: boolean): boolean {
  for (let at = units.indexOf(0x24, from); at >= 0; at = units.indexOf(0x24, at + 1)) {
    const word = units[at + 1] === 0x7b ? at + 2 : at + 1;
    const next = units[word];
    if (next === undefined) continue;
    if ((next >= 0x30 && next <= 0x39) || (named && next > 0x40)) return true;
    // `$ARG`, not `$API_KEY` and the like.
    if (next === 0x41 && units[word + 1] === 0x52 && units[word + 2] === 0x47) return true;
  }
  return false;
}
