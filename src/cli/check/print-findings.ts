import type { Context } from "../command.ts";
import { displayPath, type Place, shortenPaths } from "../output/display-path.ts";
import { safeLine } from "../output/safe-text.ts";
import { textWidth, wrap } from "../output/text-width.ts";
import { advice, type Finding } from "./finding.ts";

/** Findings for people: where (a place that editors and terminals can open), what, and what to do about it. */
export function printFindings(context: Context, findings: readonly Finding[], place: Place): void {
  const { paint } = context;
  for (const [index, finding] of findings.entries()) {
    const { path, range } = finding;
    const at = range === undefined ? "" : `:${range.line}:${range.column}`;
    const previous = findings[index - 1];
    const samePlace = previous !== undefined && previous.path === path && sameStart(previous, finding);
    if (!samePlace) {
      if (index > 0) context.print("");
      if (path !== null) context.print(paint.cyan(`${displayPath(path, place)}${at}`));
    }
    const room = Math.max(12, paint.textWidth - 4);
    const lines = [...wrap(safeLine(shortenPaths(finding.message, place)), room)];
    const last = lines.at(-1) ?? "";
    if (textWidth(last) + finding.code.length + 2 <= room)
      lines[lines.length - 1] = `${last}  ${paint.dim(finding.code)}`;
    else lines.push(paint.dim(finding.code));
    context.print(...lines.map((line, number) => `  ${number === 0 ? mark(context, finding) : " "} ${line}`));
    const hint = advice(finding, context.verbose);
    if (hint !== null)
      context.print(
        ...wrap(safeLine(shortenPaths(hint, place)), room).map((line) => `    ${paint.dim(line)}`),
      );
  }
}

function sameStart(a: Finding, b: Finding): boolean {
  return a.range?.line === b.range?.line && a.range?.column === b.range?.column;
}

function mark({ paint }: Context, { severity }: Finding): string {
  if (severity === "error") return paint.red(paint.symbols.no);
  return severity === "warning" ? paint.yellow(paint.symbols.warning) : paint.dim(paint.symbols.dot);
}
