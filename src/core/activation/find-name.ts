import { basename } from "../path.ts";
import type { Profile, VisibleSkill } from "../profile.ts";
import { closestNames } from "../text/closest-names.ts";
import { looseKey } from "../text/loose-key.ts";

/** The result of looking a name up; loose matches count only when exactly one skill fits (case n-lookup). */
export type Lookup =
  | { readonly kind: "found"; readonly entry: VisibleSkill; readonly loose: boolean }
  | { readonly kind: "ambiguous"; readonly names: readonly string[] }
  | { readonly kind: "absent"; readonly nearest: readonly string[] };

/**
 * Exact name first, then a spelling that differs in case, separators or Unicode form only, then an alias, then the name
 * of the folder, under which other agents know the skill. A skill that is switched off or denied stands back behind one
 * of its own kind of match, never behind a weaker kind: its name can't be taken over by another skill's alias.
 */
export function findName(entries: readonly VisibleSkill[], name: string): Lookup {
  const wanted = name.normalize("NFC");
  const exact =
    entries.find(({ skill }) => skill.name === wanted) ?? entries.find(({ skill }) => skill.name === name);
  if (exact !== undefined) return { kind: "found", entry: exact, loose: false };
  const found = loosely(entries, name);
  const [only, second] = found;
  if (only !== undefined && second === undefined) return { kind: "found", entry: only, loose: true };
  if (only !== undefined) return { kind: "ambiguous", names: found.map(({ skill }) => skill.name) };
  return {
    kind: "absent",
    nearest: closestNames(
      wanted,
      entries.map(({ skill }) => skill.name),
      3,
    ),
  };
}

/** By name, then by alias, then by folder; what is switched off or denied only where nothing open fits as well. */
function loosely(entries: readonly VisibleSkill[], name: string): readonly VisibleSkill[] {
  const wanted = name.normalize("NFC");
  const key = looseKey(wanted);
  const fits = (text: string): boolean => text === wanted || (key !== "" && looseKey(text) === key);
  const ways: readonly ((entry: VisibleSkill) => boolean)[] = [
    ({ skill }) => fits(skill.name),
    ({ skill }) => skill.aliases.some(fits),
    ({ skill }) => skill.directory !== null && !skill.flat && basename(skill.directory) === name,
  ];
  for (const way of ways) {
    const fitting = entries.filter(way);
    // A skill of an MCP server never stands in the way of one of this machine.
    const local = fitting.filter(({ skill }) => skill.root.scope !== "mcp");
    const all = local.length > 0 ? local : fitting;
    const open = all.filter(({ hidden }) => hidden === null);
    if (all.length > 0) return open.length > 0 ? open : all;
  }
  return [];
}

/** The profile's own way of looking a name up: loosely, or letter by letter. */
export function lookUp(
  profile: Pick<Profile, "looseNames">,
  entries: readonly VisibleSkill[],
  name: string,
): Lookup {
  if (profile.looseNames) return findName(entries, name);
  const entry = entries.find(({ skill }) => skill.name === name);
  if (entry !== undefined) return { kind: "found", entry, loose: false };
  const names = entries.map(({ skill }) => skill.name);
  return { kind: "absent", nearest: closestNames(name, names, 3) };
}
