import type { SkillAnalysis } from "./analyse-skill.ts";
import { addFinding } from "./findings.ts";
import { lintBody } from "./lint-body.ts";

/** Findings about the text that a user should see without asking for a check: they change what a load gives. */
const always: ReadonlySet<string> = new Set(["standard/body-long", "standard/argument-in-code"]);

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
  if (!isLong(units, from) && !hasArgument(units, from, names.length > 0)) return;
  const firstLine = lines(units, text.start, from) + 1;
  const takes = names.length > 0 || document.argumentHint !== null;
  for (const { code, message, line, column } of lintBody(text.slice(from, units.length), { names, takes })) {
    if (always.has(code)) addFinding(findings, code, message, { line: firstLine + line - 1, column });
  }
}

type Units = Uint8Array | Uint16Array;

function isLong(units: Units, from: number): boolean {
  const length = units.length - from;
  return length > longText || (length > 10 * longLines && lines(units, from, units.length) > longLines);
}

function lines(units: Units, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) {
    const unit = units[at];
    if (unit === 0x0a || (unit === 0x0d && units[at + 1] !== 0x0a)) count += 1;
  }
  return count;
}

/** `$0`, `${0}`, `$A…` or, where the skill names its arguments, any word behind a dollar sign. */
function hasArgument(units: Units, from: number, named: boolean): boolean {
  for (let at = units.indexOf(0x24, from); at >= 0; at = units.indexOf(0x24, at + 1)) {
    const next = units[at + 1] === 0x7b ? units[at + 2] : units[at + 1];
    if (next === undefined) continue;
    if ((next >= 0x30 && next <= 0x39) || next === 0x41 || (named && next > 0x40)) return true;
  }
  return false;
}
