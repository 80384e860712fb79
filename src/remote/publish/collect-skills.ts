import type { Diagnostic } from "../../core/diagnostic.ts";
import { resolve } from "../../core/path.ts";
import { archiveLimits } from "../archive/limits.ts";
import { fetchLocal } from "../install/fetch-local.ts";
import type { FetchedSkill } from "../install/fetched-skill.ts";

/** The skills of a folder that can be handed on, by name, and why others cannot. */
export function collectSkills(
  folder: string,
  cwd: string,
): { readonly skills: readonly FetchedSkill[]; readonly diagnostics: readonly Diagnostic[] } {
  const source = { kind: "folder", text: folder, skill: null, path: resolve(cwd, folder) } as const;
  const { skills, diagnostics } = fetchLocal(source, { limits: archiveLimits });
  return { skills: skills.toSorted((a, b) => (a.name < b.name ? -1 : 1)), diagnostics };
}
