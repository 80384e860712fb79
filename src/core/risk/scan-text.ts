import type { Diagnostic } from "../diagnostic.ts";
import { makeDiagnostic } from "../diagnostics/make.ts";
import { printable } from "../text/printable.ts";
import { commentRule, type RiskRule, riskRules } from "./risk-rules.ts";

/** Of one family in one file; more of the same say nothing new. */
const mostOfOne = 5;
/** UTF-16 units of a line that are looked at; longer ones are data. */
const lineBound = 4_000;
const shownUnits = 120;
/** A sentence that stands there so often is meant for a search, not for a reader. */
const baitRepeats = 4;

/**
 * Signs of an attack in a text, with their lines: words that take over a model, commands that fetch or hide what they
 * run, secrets, and so on. What is only mentioned, between quotes, is an info. Finding nothing proves nothing. Linear.
 * Rows B12, B16.
 */
export function scanText(text: string, path: string): readonly Diagnostic[] {
  const lines = text.split(/\r\n|\n|\r/).map((line) => line.slice(0, lineBound));
  const found = lines.flatMap((line, at) =>
    riskRules.flatMap((one) => {
      const hit = hitOf(one, line);
      return hit === null ? [] : [{ rule: one, line: at + 1, ...hit }];
    }),
  );
  const counts = new Map<string, number>();
  const kept = [...found, ...comments(text), ...repeats(lines)].filter(({ rule }) => {
    const count = (counts.get(rule.code) ?? 0) + 1;
    counts.set(rule.code, count);
    return count <= mostOfOne;
  });
  return kept.map(({ rule, line, column, shown, mentioned }) =>
    makeDiagnostic(rule.code, {
      path,
      message: `${rule.says}${mentioned ? ", or speaks of it" : ""}: ${rule.secret === true ? "(not shown)" : `“${printable(shown.trim().slice(0, shownUnits))}”`}.`,
      range: { line, column },
      ...(mentioned ? { severity: "info" as const } : {}),
    }),
  );
}

interface Hit {
  readonly column: number;
  readonly shown: string;
  /** Only between quotes. */
  readonly mentioned: boolean;
}

interface Placed extends Hit {
  readonly rule: RiskRule;
  readonly line: number;
}

function hitOf(rule: RiskRule, line: string): Hit | null {
  const plain = rule.words === true ? withoutQuotes(line) : line;
  for (const [text, mentioned] of plain === line
    ? [[line, false] as const]
    : [[plain, false] as const, [line, true] as const])
    for (const pattern of rule.patterns) {
      const at = text.search(pattern);
      if (at >= 0) return { column: at + 1, shown: line.slice(at), mentioned };
    }
  return null;
}

/** The line with everything between quotes blanked, so that columns stay. */
function withoutQuotes(line: string): string {
  return line.replace(/"[^"]{1,300}"|“[^”]{1,300}”|`[^`]{1,300}`|「[^」]{1,300}」|‘[^’]{1,300}’/g, (quoted) =>
    " ".repeat(quoted.length),
  );
}

function* comments(text: string): Iterable<Placed> {
  let [line, from] = [1, 0];
  for (let start = text.indexOf("<!--"); start >= 0; start = text.indexOf("<!--", from)) {
    const stretch = text.slice(start + 4, start + lineBound);
    const end = stretch.indexOf("-->");
    const inner = end < 0 ? stretch : stretch.slice(0, end);
    line += text.slice(from, start).split("\n").length - 1;
    if (commentRule.patterns.some((pattern) => inner.search(pattern) >= 0))
      yield { rule: commentRule, line, column: 1, shown: inner.replace(/\s+/g, " "), mentioned: false };
    line += inner.split("\n").length - 1;
    from = start + 4 + inner.length;
  }
}

/** The same sentence over and over in one line. */
function* repeats(lines: readonly string[]): Iterable<Placed> {
  const rule = riskRules.find(({ code }) => code === "risk/bait");
  if (rule === undefined) return;
  for (const [at, line] of lines.entries()) {
    const counts = new Map<string, number>();
    for (const sentence of line.split(/(?<=[.!?。！？])\s*/)) {
      const text = sentence.trim().toLowerCase();
      if (text.length < 20) continue;
      const count = (counts.get(text) ?? 0) + 1;
      counts.set(text, count);
      if (count !== baitRepeats) continue;
      yield { rule, line: at + 1, column: 1, shown: sentence, mentioned: false };
    }
  }
}
