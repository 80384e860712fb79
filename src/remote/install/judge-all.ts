import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import type { Candidate } from "./candidate.ts";
import type { FetchedSkill } from "./fetched-skill.ts";
import { type JudgeOptions, judgeSkill } from "./judge-skill.ts";

export interface JudgedSkills {
  /** In the order of `candidates`, one of each name. */
  readonly skills: readonly FetchedSkill[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Judges the skills of one source, each for itself: a bad one costs its neighbours nothing. Of two with one name the
 * first counts; with `wanted` only the one of that name is kept.
 */
export function judgeAll(
  candidates: readonly Candidate[],
  options: JudgeOptions & { readonly wanted: string | null },
): JudgedSkills {
  const skills = new Map<string, FetchedSkill>();
  const diagnostics: Diagnostic[] = [];
  for (const candidate of candidates) {
    const judged = judgeSkill(candidate, options);
    const { skill } = judged;
    if (skill === null) {
      if (options.wanted === null || candidate.folderName === options.wanted)
        diagnostics.push(...judged.diagnostics);
      continue;
    }
    if (options.wanted !== null && skill.name !== options.wanted) continue;
    const earlier = skills.get(skill.name);
    if (earlier === undefined) skills.set(skill.name, skill);
    else if (earlier.digest !== skill.digest) {
      const message = `"${skill.name}" is in ${earlier.path ?? "the top folder"} and in ${skill.path ?? "the top folder"}; the first was taken.`;
      diagnostics.push(makeDiagnostic("install/twice", { path: options.label, message }));
    }
  }
  if (skills.size === 0 && diagnostics.length === 0) {
    const message =
      options.wanted === null
        ? "There is no SKILL.md in it."
        : `There is no skill "${options.wanted}" in it.`;
    diagnostics.push(makeDiagnostic("install/no-skill", { path: options.label, message }));
  }
  return { skills: [...skills.values()], diagnostics };
}
