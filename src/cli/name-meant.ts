import { dirname, resolve } from "../core/path.ts";
import type { ShadowedSkill } from "../core/snapshot.ts";
import type { Skills } from "../host/skills.ts";

/**
 * The name that an operand means. A skill's name stands as it is; a path of a skill's folder or of its SKILL.md means
 * the name that was found there, and `/name` is the name, as people type it in a conversation.
 */
export function nameMeant(skills: Skills, operand: string): string {
  if (!/[/\\]/.test(operand) || skills.find(operand).kind !== "absent") return operand;
  const place = resolve(skills.environment.cwd, operand.replaceAll("\\", "/"));
  const entry = skills.entries.find(
    ({ skill }) => skill.location === place || skill.directory === place || skill.realPath === place,
  );
  if (entry !== undefined) return entry.skill.name;
  const trail = skills.snapshot.trails.find(
    ({ location }) => location === place || dirname(location) === place,
  );
  const skipped = skills.skipped.find(({ path }) => path === place || dirname(path) === place);
  const name = trail?.names[0] ?? skipped?.names[0];
  if (name !== undefined) return name;
  return /^\/[^/\\]+$/.test(operand) ? operand.slice(1) : operand;
}

/** The copy at the path that an operand is, where another one of its name shadows it. */
export function shadowedAt(skills: Skills, operand: string): ShadowedSkill | undefined {
  if (!/[/\\]/.test(operand)) return undefined;
  const place = resolve(skills.environment.cwd, operand.replaceAll("\\", "/"));
  return skills.shadowed.find(({ skill }) => skill.location === place || skill.directory === place);
}
