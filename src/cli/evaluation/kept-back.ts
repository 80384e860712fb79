import type { EvaluationCase } from "../../core/evaluation/evaluation-case.ts";
import type { KnownSkills } from "../../core/evaluation/label-notes.ts";
import type { VisibleSkill } from "../../core/profile.ts";
import type { SearchDocument } from "../../core/search/search-index.ts";
import type { Skills } from "../../host/skills.ts";

/** A wanted skill that no search could give, and why: `waits for trust`. */
export interface KeptBack {
  readonly name: string;
  readonly why: string;
}

/** What labels may name: by name and by id (of a corpus) or path. */
export function knownSkills(skills: Skills, corpus: readonly SearchDocument[] | null): KnownSkills {
  const all = corpus ?? skills.entries.map(({ skill }) => skill);
  const known = new Set(all.flatMap(({ name, location }) => [name, location]));
  return { known, names: [...known] };
}

/** How many of the skills that these requests want there are, and how many of them this profile's models are offered. */
export function wantedAndOffered(
  { entries }: Skills,
  cases: readonly EvaluationCase[],
): { readonly wanted: number; readonly offered: number } {
  const known = new Set(entries.filter(offered).flatMap(({ skill }) => [skill.name, skill.location]));
  const wanted = new Set(cases.flatMap(({ relevant }) => relevant));
  return { wanted: wanted.size, offered: [...wanted].filter((name) => known.has(name)).length };
}

/** For wanted names, those that are not offered to a model here; in a corpus, those that it does not have. */
export function keptBackBy(
  skills: Skills,
  corpus: readonly SearchDocument[] | null,
): (wanted: readonly string[]) => readonly KeptBack[] {
  const { known } = knownSkills(skills, corpus);
  const why = new Map<string, string>();
  if (corpus === null)
    for (const entry of skills.entries)
      if (!offered(entry))
        for (const name of [entry.skill.name, entry.skill.location]) why.set(name, reasonOf(entry));
  // A name may stand for several; one that is offered can be found.
  for (const entry of corpus === null ? skills.entries : []) if (offered(entry)) why.delete(entry.skill.name);
  return (wanted) =>
    wanted.flatMap((name) => {
      const reason = known.has(name) ? why.get(name) : "is no skill here";
      return reason === undefined ? [] : [{ name, why: reason }];
    });
}

function offered({ modelInvocable, hidden }: VisibleSkill): boolean {
  return modelInvocable && hidden === null;
}

function reasonOf({ enabled, trusted, permission, hidden }: VisibleSkill): string {
  if (permission === "deny") return "is denied";
  if (!enabled) return "is switched off";
  if (!trusted) return "waits for trust";
  return hidden === null ? "is for people only" : `is not offered (${hidden.reason})`;
}
