import type { Diagnostic } from "../diagnostic.ts";
import { makeDiagnostic } from "../diagnostics/make.ts";
import type { Preparation, Profile, VisibleSkill } from "../profile.ts";
import { closestNames } from "../text/closest-names.ts";
import { printable } from "../text/printable.ts";
import { lookUp } from "./find-name.ts";

/** What an agent's file names and its sessions do not get, with names that may have been meant (case c-subagent). */
export function startFindings(
  start: Preparation["start"],
  parts: { readonly profile: Profile; readonly entries: readonly VisibleSkill[] },
): readonly Diagnostic[] {
  if (start === undefined || start === null) return [];
  const { profile, entries } = parts;
  return start.skills.flatMap((name): readonly Diagnostic[] => {
    const lookup = lookUp(profile, entries, name);
    const shown = printable(name.slice(0, 100));
    if (lookup.kind === "found") {
      const { hidden, permission } = lookup.entry;
      if (hidden === null && permission !== "deny") return [];
      const why = hidden?.message ?? "A permission rule denies it.";
      const message = `The agent's file loads "${shown}" at the start, which is not given. ${why}`;
      return [makeDiagnostic("agent/not-given", { path: start.path, message })];
    }
    const known = entries.filter(({ hidden }) => hidden === null).map(({ skill }) => skill.name);
    const near = lookup.kind === "ambiguous" ? lookup.names : closestNames(name, known, 3);
    const message = `The agent's file loads "${shown}" at the start, which is not a known skill.`;
    const hint = near.length > 0 ? `Did you mean ${near.join(", ")}?` : listed(known);
    return [makeDiagnostic("agent/unknown-skill", { path: start.path, message, hint })];
  });
}

/** Where no name is near, what there is. */
function listed(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const shown = names.slice(0, 10).map(printable).join(", ");
  return `Known skills: ${shown}${names.length > 10 ? ` and ${names.length - 10} more` : ""}.`;
}
