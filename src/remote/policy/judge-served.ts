import type { Diagnostic } from "../../core/diagnostic.ts";
import { isScript } from "../../core/policy/is-script.ts";
import { judgeSkill, policyDiagnostics } from "../../core/policy/judge.ts";
import type { Policy } from "../../core/policy/policy.ts";
import type { SkillFile } from "../digest/skill-file.ts";
import type { FetchedSkill } from "../install/fetched-skill.ts";
import { publisherOf } from "./signature.ts";

/**
 * Which skills of a folder may be handed on: names, scripts, sizes and signatures as the policy has them. Where they come
 * from and whether a digest was stated is no question for one's own folder.
 */
export function judgeServed<Skill extends Pick<FetchedSkill, "name" | "files">>(
  policy: Policy,
  skills: readonly Skill[],
  path: string,
): { readonly skills: readonly Skill[]; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const allowed = skills.filter((skill) => {
    const judgement = judgeSkill(
      { ...policy, origins: null },
      {
        name: skill.name,
        origin: path,
        files: skill.files.map(({ path: file, bytes, executable }) => ({
          path: file,
          bytes: bytes.length,
          script: isScript({ path: file, executable, head: bytes }),
        })),
        digestStated: true,
        publisher: publisherOf(policy, skill.files, [])?.name ?? null,
      },
    );
    diagnostics.push(...policyDiagnostics(judgement, { name: skill.name, path, policy }));
    return judgement.allowed;
  });
  return { skills: allowed, diagnostics };
}

/** The refusals of the skills in a site that `publish` wrote, told by its index of form 0.1. */
export function judgeSite(
  policy: Policy,
  site: ReadonlyMap<string, Uint8Array>,
  path: string,
): readonly Diagnostic[] {
  const prefix = ".well-known/skills/";
  const byName = new Map<string, SkillFile[]>();
  for (const [place, bytes] of site) {
    const [, name, file] = place.startsWith(prefix)
      ? (/^([^/]+)\/(.+)$/.exec(place.slice(prefix.length)) ?? [])
      : [];
    if (name === undefined || file === undefined) continue;
    const files = byName.get(name) ?? [];
    files.push({ path: file, bytes, executable: false });
    byName.set(name, files);
  }
  const skills = [...byName].map(([name, files]) => ({ name, files }));
  return judgeServed(policy, skills, path).diagnostics;
}
