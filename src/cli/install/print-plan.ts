import type { Diagnostic } from "../../core/diagnostic.ts";
import type { ChangedFile, SkillChange } from "../../remote/install/operation.ts";
import { shortRevision } from "../../remote/install/plan-skill.ts";
import { advice } from "../check/finding.ts";
import type { Context } from "../command.ts";
import { displayPath, type Place, shortenPaths } from "../output/display-path.ts";
import { type Cell, rows } from "../output/rows.ts";
import { safeLine, safeText } from "../output/safe-text.ts";
import { wrap } from "../output/text-width.ts";
import { count } from "../output/words.ts";

/** Files and lines shown of one skill without -v. */
const [mostFiles, mostLines] = [8, 30];

const words: Readonly<Record<SkillChange["action"], readonly [done: string, planned: string]>> = {
  added: ["added", "would be added"],
  updated: ["updated", "would be updated"],
  unchanged: ["unchanged", "unchanged"],
  removed: ["removed", "would be removed"],
  restored: ["put back", "would be put back"],
  kept: ["kept", "kept"],
  conflict: ["not changed", "not changed"],
  edited: ["edited", "edited"],
  missing: ["missing", "missing"],
  failed: ["failed", "failed"],
};

/** Findings of an unchanged skill that are about the skill here and now, not about what it once brought. */
const plain: ReadonlySet<string> = new Set([
  ...["install/edited", "install/edits-kept", "install/place-missing"],
]);

/** Every skill of a plan: what happens to it, its files with sizes and differences, and what was found in it. */
export function printPlan(
  context: Context,
  changes: readonly SkillChange[],
  options: { readonly place: Place; readonly planned: boolean },
): void {
  for (const change of changes) printChange(context, change, options);
}

function printChange(
  context: Context,
  change: SkillChange,
  { place, planned }: { readonly place: Place; readonly planned: boolean },
): void {
  const { paint, verbose } = context;
  // Taken from some agents, and still installed.
  const stays = change.action === "removed" && change.digest !== null;
  const word = `${words[change.action][planned ? 1 : 0]}${stays ? ` from ${change.agents.join(", ")}` : ""}`;
  // Edits that the lock knows are no reason to look.
  const isKnown = change.action === "kept" && change.findings.every(({ severity }) => severity === "info");
  const tone = isKnown ? "unchanged" : change.action;
  const color = toneOf(tone, paint);
  const since = change.action === "updated" && change.since != null ? shortRevision(change.since) : null;
  const now = change.from?.endsWith(` ${since}`) === true ? null : since;
  const was = now === null ? "" : `, until now ${now}`;
  const from = change.from === null ? "" : `  ${paint.dim(safeLine(shortenPaths(change.from + was, place)))}`;
  context.print(
    `${color(markOf(tone, paint.symbols))} ${paint.bold(safeLine(change.name))}  ${color(word)}${from}`,
  );
  if (change.to !== null && change.action !== "unchanged") {
    const agents = change.agents.length === 0 || stays ? "" : `, for ${change.agents.join(", ")}`;
    const at = `${displayPath(change.to, place)}${safeText(agents)}`;
    context.print(paint.dim(`    ${stays ? `stays installed in ${at}` : at}`));
  }
  const shown = verbose ? change.files : change.files.slice(0, mostFiles);
  context.print(
    ...rows(
      shown.map((file) => fileRow(file, context)),
      paint,
      { indent: 4 },
    ),
  );
  const rest = change.files.slice(shown.length);
  if (rest.length > 0) {
    const bytes = rest.reduce((sum, file) => sum + file.bytes, 0);
    context.print(paint.dim(`    and ${count(rest.length, "more file")}, ${size(bytes)}; -v lists them`));
  }
  printDiffs(context, change.files);
  // What an unchanged skill brings was shown when it came.
  const known = change.action === "unchanged" && !verbose;
  printFindings(
    context,
    known
      ? change.findings.filter(({ severity, code }) => severity === "error" || plain.has(code))
      : change.findings,
    place,
  );
}

function fileRow(file: ChangedFile, { paint }: Context): readonly Cell[] {
  const sign = { added: "+", changed: "~", removed: "-", kept: "=", merged: "±", conflict: "!" }[file.action];
  return [
    {
      text: sign,
      paint: file.action === "removed" || file.action === "conflict" ? paint.yellow : paint.green,
    },
    { text: safeLine(file.path) },
    { text: size(file.bytes), paint: paint.dim },
    {
      text: [
        file.executable ? "may be run" : "",
        file.action === "kept" ? "yours stays" : file.action === "merged" ? "both changes" : "",
      ]
        .filter(Boolean)
        .join(", "),
      paint: paint.dim,
    },
  ];
}

function printDiffs(context: Context, files: readonly ChangedFile[]): void {
  const { paint, verbose } = context;
  for (const { path, diff, action } of files) {
    if (diff.length === 0 || action === "removed") continue;
    context.print(paint.dim(`    ${safeLine(path)}`));
    const shown = verbose ? diff : diff.slice(0, mostLines);
    for (const line of shown) {
      const color = line.startsWith("+")
        ? paint.green
        : line.startsWith("-")
          ? paint.red
          : line.startsWith("@@")
            ? paint.cyan
            : paint.dim;
      context.print(color(`      ${safeText(line.replaceAll("\t", "    "))}`.trimEnd()));
    }
    if (shown.length < diff.length)
      context.print(paint.dim(`      and ${count(diff.length - shown.length, "more line")}; -v shows them`));
  }
}

/** Errors and warnings with what to do; notes too, but only a few without -v. */
export function printFindings(
  context: Context,
  findings: readonly Diagnostic[],
  place: Place,
  indent = 4,
): void {
  const { paint, verbose } = context;
  const pad = " ".repeat(indent);
  const weighty = findings.filter(({ severity }) => severity !== "info");
  const notes = findings.filter(({ severity }) => severity === "info");
  for (const finding of [...weighty, ...(verbose ? notes : notes.slice(0, 3))]) {
    const color =
      finding.severity === "error" ? paint.red : finding.severity === "warning" ? paint.yellow : paint.dim;
    const mark =
      finding.severity === "error"
        ? paint.symbols.no
        : finding.severity === "warning"
          ? paint.symbols.warning
          : paint.symbols.dot;
    const line = finding.range === undefined ? "" : ` (line ${finding.range.line})`;
    const text = safeLine(shortenPaths(`${sentence(finding.message)}${line}`, place));
    const [first = "", ...more] = wrap(text, paint.textWidth - indent - 2);
    context.print(`${pad}${color(mark)} ${first}`, ...more.map((one) => `${pad}  ${one}`));
    const hint = finding.severity === "info" ? null : advice({ ...finding, fix: null });
    if (hint !== null)
      context.print(
        ...wrap(safeLine(hint), paint.textWidth - indent - 2).map((one) => paint.dim(`${pad}  ${one}`)),
      );
  }
  if (!verbose && notes.length > 3)
    context.print(paint.dim(`${pad}and ${count(notes.length - 3, "more note")}; -v shows them`));
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** `812 B`, `3.4 KB`, `1.2 MB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function markOf(action: SkillChange["action"], symbols: Context["paint"]["symbols"]): string {
  if (action === "failed" || action === "missing") return symbols.no;
  if (action === "conflict" || action === "edited" || action === "kept") return symbols.warning;
  return action === "unchanged" ? symbols.dot : symbols.yes;
}

function toneOf(action: SkillChange["action"], paint: Context["paint"]): (text: string) => string {
  if (action === "failed" || action === "missing") return paint.red;
  if (action === "conflict" || action === "edited" || action === "kept") return paint.yellow;
  return action === "unchanged" ? paint.dim : paint.green;
}
