import type { VisibleSkill } from "../profile.ts";
import { closestNames } from "../text/closest-names.ts";
import { looseKey } from "../text/loose-key.ts";

/** The result of looking a name up; loose matches count only when exactly one skill fits (case n-lookup). */
export type Lookup =
  | { readonly kind: "found"; readonly entry: VisibleSkill; readonly loose: boolean }
  | { readonly kind: "ambiguous"; readonly names: readonly string[] }
  | { readonly kind: "absent"; readonly nearest: readonly string[] };

/** Exact name first, then an alias, then a spelling that differs in case, separators or Unicode form only. */
export function findName(entries: readonly VisibleSkill[], name: string): Lookup {
  const wanted = name.normalize("NFC");
  const exact =
    entries.find(({ skill }) => skill.name === wanted) ?? entries.find(({ skill }) => skill.name === name);
  if (exact !== undefined) return { kind: "found", entry: exact, loose: false };
  const key = looseKey(wanted);
  const fits = key === "" ? [] : entries.filter(({ skill }) => looseKey(skill.name) === key);
  const byAlias =
    fits.length > 0
      ? fits
      : entries.filter(({ skill }) =>
          skill.aliases.some((alias) => alias === wanted || (key !== "" && looseKey(alias) === key)),
        );
  const [only, second] = byAlias;
  if (only !== undefined && second === undefined) return { kind: "found", entry: only, loose: true };
  if (only !== undefined) return { kind: "ambiguous", names: byAlias.map(({ skill }) => skill.name) };
  return {
    kind: "absent",
    nearest: closestNames(
      wanted,
      entries.map(({ skill }) => skill.name),
      3,
    ),
  };
}
