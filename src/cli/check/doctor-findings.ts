import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import type { FileSystem } from "../../core/file-system.ts";
import { basename } from "../../core/path.ts";
import { printable } from "../../core/text/printable.ts";
import type { Skills } from "../../host/skills.ts";
import { count } from "../output/words.ts";
import { caseTwins } from "./check-file.ts";
import { linkFindings } from "./link-findings.ts";

/** Names listed in one message. */
const named = 5;

/**
 * What only a look at the whole shows: trust, the catalog's budget, equal skills; and what discovery does not look for:
 * links in texts that lead to nothing, two skill files in one folder.
 */
export function doctorFindings(skills: Skills, fileSystem: FileSystem): readonly Diagnostic[] {
  return [...trust(skills), ...catalogBudget(skills), ...sameContent(skills), ...files(skills, fileSystem)];
}

function trust({ workspace }: Skills): readonly Diagnostic[] {
  if (workspace === null || workspace.trusted || workspace.needsTrust === 0) return [];
  const waits = workspace.needsTrust === 1 ? "waits" : "wait";
  const message = `${count(workspace.needsTrust, "skill")} of this project ${waits} until you trust it.`;
  return [
    makeDiagnostic("doctor/untrusted", { path: workspace.folder, message, hint: "Run `skillet trust`" }),
  ];
}

function catalogBudget(skills: Skills): readonly Diagnostic[] {
  const catalog = skills.catalog();
  if (catalog.overflow === "none") return [];
  const cut = catalog.skills.filter(({ state }) => state !== "full");
  const names = cut.slice(0, named).map(({ name }) => `"${printable(name)}"`);
  const more = cut.length > named ? ` and ${cut.length - named} more` : "";
  const budget = catalog.budget === null ? "" : ` of ${catalog.budget} tokens`;
  const message = `The budget${budget} is too small: ${cut.length} of ${catalog.skills.length} skills are not shown in full (${names.join(", ")}${more}).`;
  const hint =
    "`skillet catalog --report` shows each; shorten descriptions, disable skills, or set catalog.budget";
  return [makeDiagnostic("doctor/catalog-budget", { path: null, message, hint })];
}

function sameContent(skills: Skills): readonly Diagnostic[] {
  const first = new Map<string, string>();
  return skills.entries.flatMap(({ skill }) => {
    const other = first.get(skill.digest);
    if (other === undefined) first.set(skill.digest, skill.name);
    if (other === undefined || other === skill.name || skill.root.bundled) return [];
    const message = `"${printable(skill.name)}" has the same content as "${printable(other)}".`;
    return [makeDiagnostic("doctor/same-content", { path: skill.location, message })];
  });
}

function files(skills: Skills, fileSystem: FileSystem): readonly Diagnostic[] {
  return skills.entries.flatMap(({ skill }) => {
    if (skill.directory === null || skill.root.bundled) return [];
    const twins = caseTwins(skill.location, fileSystem);
    const read = skills.readFile(skill, basename(skill.location));
    if (read.kind !== "text") return twins;
    const body = skills.body(skill);
    const bodyLine = read.text.slice(0, Math.max(0, read.text.length - body.length)).split("\n").length;
    return [...twins, ...linkFindings(fileSystem, { path: skill.location, text: read.text, bodyLine })];
  });
}
