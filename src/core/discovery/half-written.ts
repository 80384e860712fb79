import type { Skill } from "../snapshot.ts";
import type { SkillsView } from "./difference.ts";

/**
 * Files that look as if somebody were still writing them: they were whole skills in the state before, and now they
 * can't be read or have a problem that they did not have. A watcher waits a little before it believes such a state
 * (row I02); whoever reloads by hand gets the disk as it is. Sorted paths.
 */
export function halfWritten(before: SkillsView, after: SkillsView): readonly string[] {
  const whole = skillsByPlace(before);
  const now = skillsByPlace(after);
  const known = new Set(before.diagnostics.map(({ code, path }) => `${code}\0${path}`));
  const doubtful = new Set<string>();
  for (const { path } of after.snapshot.skipped) if (whole.has(path) && !now.has(path)) doubtful.add(path);
  for (const { code, path, severity } of after.diagnostics) {
    if (path === null || severity === "info" || known.has(`${code}\0${path}`)) continue;
    const earlier = whole.get(path);
    if (earlier !== undefined && now.get(path)?.digest !== earlier.digest) doubtful.add(path);
  }
  return [...doubtful].sort();
}

function skillsByPlace({ snapshot }: SkillsView): ReadonlyMap<string, Skill> {
  return new Map(
    [...snapshot.skills, ...snapshot.shadowed.map(({ skill }) => skill)].map((skill) => [
      skill.location,
      skill,
    ]),
  );
}
