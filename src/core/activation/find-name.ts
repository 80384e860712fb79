import { basename } from "../path.ts";
import type { VisibleSkill } from "../profile.ts";
import { closestNames } from "../text/closest-names.ts";
import { looseKey } from "../text/loose-key.ts";

/** The result of looking a name up; loose matches count only when exactly one skill fits (case n-lookup). */
export type Lookup =
  | { readonly kind: "found"; readonly entry: VisibleSkill; readonly loose: boolean }
  | { readonly kind: "ambiguous"; readonly names: readonly string[] }
  | { readonly kind: "absent"; readonly nearest: readonly string[] };

/**
 * Exact name first, then a spelling that differs in case, separators or Unicode form only, then an alias, then the name
 * of the folder, under which other agents know the skill. A skill that is switched off stands back behind one that is
 * not.
 */
export function findName(entries: readonly VisibleSkill[], name: string): Lookup {
  const wanted = name.normalize("NFC");
  const exact =
    entries.find(({ skill }) => skill.name === wanted) ?? entries.find(({ skill }) => skill.name === name);
  if (exact !== undefined) return { kind: "found", entry: exact, loose: false };
  const open = entries.filter(({ hidden }) => hidden === null);
  const among = loosely(open, name);
  const found = among.length > 0 ? among : loosely(entries, name);
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

function loosely(entries: readonly VisibleSkill[], name: string): readonly VisibleSkill[] {
  const wanted = name.normalize("NFC");
  const key = looseKey(wanted);
  const fits = (text: string): boolean => text === wanted || (key !== "" && looseKey(text) === key);
  const byName = entries.filter(({ skill }) => fits(skill.name));
  if (byName.length > 0) return byName;
  const byAlias = entries.filter(({ skill }) => skill.aliases.some(fits));
  if (byAlias.length > 0) return byAlias;
  return entries.filter(
    ({ skill }) => skill.directory !== null && !skill.flat && basename(skill.directory) === name,
  );
}
