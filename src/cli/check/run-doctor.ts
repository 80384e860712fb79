import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { printable } from "../../core/text/printable.ts";
import type { Skills } from "../../host/skills.ts";
import type { Context } from "../command.ts";
import { type Finding, sortFindings, tally } from "./finding.ts";
import { tallySentence } from "./tally-sentence.ts";

/** Looks at the whole, prints what is wrong; 1 when an error or a warning is left. */
export async function runDoctor(context: Context, skills: Skills): Promise<number> {
  const diagnostics = [
    ...skills.diagnostics,
    ...trust(skills),
    ...catalogBudget(skills),
    ...sameContent(skills),
  ];
  const findings: readonly Finding[] = sortFindings(
    diagnostics.map((diagnostic) => ({ ...diagnostic, fix: null })),
  );
  const counts = tally(findings, skills.snapshot.trails.length);
  if (context.json) {
    const { findingsJson } = await import("./format-json.ts");
    context.printJson(findingsJson(findings, counts));
  } else {
    const { printFindings } = await import("./print-findings.ts");
    printFindings(context, findings, skills.environment);
    context.print("", tallySentence(counts));
  }
  return counts.errors + counts.warnings > 0 ? 1 : 0;
}

function trust({ workspace }: Skills): readonly Diagnostic[] {
  if (workspace === null || workspace.trusted || workspace.needsTrust === 0) return [];
  const message = `${workspace.needsTrust} skills of this project wait until you trust it.`;
  return [makeDiagnostic("doctor/untrusted", { path: workspace.folder, message })];
}

function catalogBudget(skills: Skills): readonly Diagnostic[] {
  const catalog = skills.catalog();
  if (catalog.overflow === "none") return [];
  const cut = catalog.skills.filter(({ state }) => state !== "full");
  const message = `${cut.length} of ${catalog.skills.length} skills are not shown in full.`;
  return [makeDiagnostic("doctor/catalog-budget", { path: null, message })];
}

function sameContent(skills: Skills): readonly Diagnostic[] {
  const first = new Map<string, string>();
  return skills.entries.flatMap(({ skill }) => {
    const other = first.get(skill.digest);
    if (other === undefined) first.set(skill.digest, skill.name);
    const message = `It has the same content as "${printable(other ?? "")}".`;
    return other === undefined || other === skill.name
      ? []
      : [makeDiagnostic("doctor/same-content", { path: skill.location, message })];
  });
}
