import type { Diagnostic } from "../../core/diagnostic.ts";
import { showSource } from "../../core/remote/pulled-roots.ts";
import type { PullResult } from "../../remote/pull/pull-sources.ts";
import type { PullAction, PullChange, PullOutcome, PullStatus } from "../../remote/pull/pull-types.ts";
import type { Context } from "../command.ts";
import { diagnosticJson } from "../json/list-json.ts";
import { safeLine } from "../output/safe-text.ts";
import { skilletLine } from "../output/shell-words.ts";
import { wrap } from "../output/text-width.ts";
import { count } from "../output/words.ts";

const statusWords: Readonly<Record<PullStatus, string>> = {
  pulled: "pulled",
  unchanged: "nothing new",
  stale: "not reached; the last good copy stays",
  failed: "failed",
  refused: "not allowed",
};

const actionWords: Readonly<Record<PullAction, string>> = {
  added: "added",
  updated: "updated",
  unchanged: "unchanged",
  removed: "removed: the source no longer has it",
  kept: "kept as it was",
  refused: "not allowed",
  failed: "failed",
};

/** What became of every source and skill, one line each, and what was found under it. */
export function printPull(context: Context, { outcomes }: PullResult): void {
  if (outcomes.length === 0) {
    context.note(
      "No sources are configured. `sources` or `skills.urls` in your settings names them; docs/remote.md shows how.",
    );
    return;
  }
  for (const outcome of outcomes) printOutcome(context, outcome);
  const dryRun = context.flags.on("dry-run");
  const changed = outcomes.some(({ changes }) =>
    changes.some(({ action }) => action === "added" || action === "updated"),
  );
  if (dryRun) context.note("Nothing was written.", "dim");
  else if (changed) context.note(`${skilletLine("list", context.flags)} shows them.`, "dim");
}

function printOutcome(context: Context, { source, status, changes, diagnostics }: PullOutcome): void {
  const { paint } = context;
  const good = status === "pulled" || status === "unchanged";
  const bad = status === "failed" || status === "refused";
  const tone = good ? paint.green : bad ? paint.red : paint.yellow;
  const mark = good ? paint.symbols.yes : bad ? paint.symbols.no : paint.symbols.warning;
  const shown = showSource(source);
  const address = source.label === source.address ? "" : `  ${paint.dim(shown)}`;
  const label = source.label === source.address ? shown : safeLine(source.label);
  context.print(
    `${tone(mark)} ${paint.bold(label)}${address}  ${tone(statusWords[status])}${paint.dim(tally(changes))}`,
  );
  printFindings(context, diagnostics, 2);
  for (const change of changes) {
    const quiet = change.action === "unchanged" || (status === "stale" && change.action === "kept");
    if (quiet && !context.verbose) continue;
    const files = change.files === 0 ? "" : paint.dim(`  ${count(change.files, "file")}`);
    const color =
      change.action === "added" || change.action === "updated"
        ? paint.green
        : change.action === "unchanged"
          ? paint.dim
          : paint.yellow;
    context.print(`  ${safeLine(change.name)}  ${color(actionWords[change.action])}${files}`);
    printFindings(context, change.findings, 4);
  }
}

function tally(changes: readonly PullChange[]): string {
  if (changes.length === 0) return "";
  const counts = new Map<PullAction, number>();
  for (const { action } of changes) counts.set(action, (counts.get(action) ?? 0) + 1);
  const parts = [...counts].map(([action, number]) => `${number} ${action}`);
  return `  ${count(changes.length, "skill")}: ${parts.join(", ")}`;
}

function printFindings(context: Context, findings: readonly Diagnostic[], indent: number): void {
  const { paint } = context;
  const most = context.verbose ? findings.length : 20;
  const pad = " ".repeat(indent);
  for (const { severity, message, hint } of findings.slice(0, most)) {
    if (severity === "info" && !context.verbose) continue;
    const color = severity === "error" ? paint.red : paint.yellow;
    const mark = severity === "error" ? paint.symbols.no : paint.symbols.warning;
    const lines = wrap(safeLine(message), paint.textWidth - indent - 2);
    for (const [at, line] of lines.entries()) context.print(`${pad}${at === 0 ? color(mark) : " "} ${line}`);
    if (hint !== null && context.verbose)
      for (const line of wrap(safeLine(hint), paint.textWidth - indent - 2))
        context.print(`${pad}  ${paint.dim(line)}`);
  }
  if (findings.length > most)
    context.print(`${pad}${paint.dim(`and ${findings.length - most} more; -v lists them`)}`);
}

/** `pull --json`, version 1 (docs/cli.md). */
export function pullJson({ outcomes, pruned }: PullResult, dryRun: boolean): object {
  return {
    version: 1,
    dryRun,
    pruned,
    sources: outcomes.map(({ source, status, changes, diagnostics }) => ({
      label: source.label === source.address ? showSource(source) : source.label,
      address: showSource(source),
      kind: source.kind,
      status,
      changes: changes.map(({ name, action, from, to, files, findings }) => ({
        ...{ name, action, from, to, files },
        findings: findings.map(diagnosticJson),
      })),
      diagnostics: diagnostics.map(diagnosticJson),
    })),
  };
}
