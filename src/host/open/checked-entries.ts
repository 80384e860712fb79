import { lookUp } from "../../core/activation/find-name.ts";
import type { VisibleSkill } from "../../core/profile.ts";
import type { Picture } from "./survey.ts";

/**
 * The entries with the named one's folder compared to what was approved, however large it is: `why` has to give the
 * answer that a load gives (row H11).
 */
export function checkedEntries(name: string, { profile, entries, trust }: Picture): readonly VisibleSkill[] {
  const lookup = lookUp(profile, entries, name);
  if (lookup.kind !== "found" || !lookup.entry.modelInvocable) return entries;
  const change = trust.changed(lookup.entry.skill);
  if (change === null) return entries;
  const message = `It changed since its project was trusted (${change}), so no model gets it. \`skillet trust\` changes that.`;
  const checked: VisibleSkill = {
    ...lookup.entry,
    trusted: false,
    modelInvocable: false,
    decisions: [
      ...lookup.entry.decisions.filter(({ stage }) => stage !== "trust"),
      { stage: "trust", outcome: "hidden", reason: "changed", path: lookup.entry.skill.location, message },
    ],
  };
  return entries.map((entry) => (entry === lookup.entry ? checked : entry));
}
