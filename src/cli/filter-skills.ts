import type { VisibleSkill } from "../core/profile.ts";
import type { ShadowedSkill, SkippedPath } from "../core/snapshot.ts";
import { entriesOf } from "../host/guard-results.ts";
import type { Skills } from "../host/skills.ts";

/** The part of a set of skills that a list shows. */
export interface SkillsPart {
  readonly listed: readonly VisibleSkill[];
  readonly hidden: readonly VisibleSkill[];
  readonly shadowed: readonly ShadowedSkill[];
  readonly skipped: readonly SkippedPath[];
}

/**
 * Keeps what a filter names: part of a name, an alias, a title or a description, whatever the case; with `*` a
 * pattern for whole names. Null keeps all.
 */
export function filterSkills(skills: Skills, filter: string | null): SkillsPart {
  const { shadowed, skipped } = skills;
  const entries = entriesOf(skills);
  const all = {
    listed: entries.filter((entry) => entry.hidden === null),
    hidden: entries.filter((entry) => entry.hidden !== null),
    shadowed,
    skipped,
  };
  if (filter === null) return all;
  const matches = matcher(filter);
  const wanted = ({ skill }: VisibleSkill) =>
    [skill.name, ...skill.aliases, ...Object.values(skill.displayNames)].some((text) =>
      matches(text, true),
    ) ||
    [skill.title, skill.description, ...Object.values(skill.descriptions)].some((text) =>
      matches(text, false),
    );
  return {
    listed: all.listed.filter(wanted),
    hidden: all.hidden.filter(wanted),
    shadowed: shadowed.filter(({ skill }) => matches(skill.name, true)),
    skipped: skipped.filter(({ names }) => names.some((name) => matches(name, true))),
  };
}

function matcher(filter: string): (text: string | null, isName: boolean) => boolean {
  const wanted = filter.toLowerCase();
  if (!wanted.includes("*")) return (text) => text?.toLowerCase().includes(wanted) ?? false;
  const parts = wanted.split("*");
  return (text, isName) => isName && text !== null && fits(text.toLowerCase(), parts);
}

/** Whether `parts` occur in order, the first at the start and the last at the end. Linear, unlike a regular expression. */
function fits(text: string, parts: readonly string[]): boolean {
  const first = parts[0] ?? "";
  const last = parts.at(-1) ?? "";
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const at = text.indexOf(part, from);
    if (at < 0 || at + part.length > text.length - last.length) return false;
    from = at + part.length;
  }
  return true;
}
