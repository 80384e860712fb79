import type { Diagnostic, TextRange } from "../../core/diagnostic.ts";
import { codePage } from "../../core/diagnostics/table.ts";

/** One replacement in the finding's file; an empty range is an insertion. */
export interface FindingEdit {
  readonly range: TextRange;
  readonly newText: string;
}

/** A diagnostic, with how it can be mended where a program or one command can do it. */
export interface Finding extends Diagnostic {
  readonly fix: { readonly description: string; readonly edits: readonly FindingEdit[] } | null;
}

/** What to do about a finding; the page about its code at the end only where more is wanted. Null: nothing is known. */
export function advice({ hint, code }: Finding, withPage = false): string | null {
  if (hint === null || withPage) return hint;
  const page = ` (see ${codePage(code)})`;
  return hint.endsWith(page) ? hint.slice(0, -page.length) : hint;
}

/** Message and advice as running text. */
export function wholeText(finding: Finding): string {
  const hint = advice(finding);
  const message = /[.!?]$/.test(finding.message) ? finding.message : `${finding.message}.`;
  return hint === null ? message : `${message} ${hint}`;
}

export interface Tally {
  readonly files: number;
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
}

export function tally(findings: readonly Finding[], files: number): Tally {
  const of = (severity: Finding["severity"]) =>
    findings.filter((finding) => finding.severity === severity).length;
  return { files, errors: of("error"), warnings: of("warning"), infos: of("info") };
}

/** By file, then by place in it, then by weight. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  const weight = { error: 0, warning: 1, info: 2 } as const;
  const path = (finding: Finding) => finding.path ?? "";
  return [...findings].sort(
    (a, b) =>
      (path(a) < path(b) ? -1 : path(a) > path(b) ? 1 : 0) ||
      (a.range?.line ?? 0) - (b.range?.line ?? 0) ||
      (a.range?.column ?? 0) - (b.range?.column ?? 0) ||
      weight[a.severity] - weight[b.severity] ||
      (a.code < b.code ? -1 : a.code > b.code ? 1 : 0),
  );
}

/** As `check --json` and `doctor --json` give it. */
export function findingJson(finding: Finding): object {
  const { code, profileCode, severity, message, path, range, hint, fix } = finding;
  return {
    code,
    profileCode,
    severity,
    message,
    path,
    range: range ?? null,
    hint,
    ...(fix === null ? {} : { fix }),
  };
}
