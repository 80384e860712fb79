import type { Skill } from "../snapshot.ts";

/** Skills by name, in the order in which each name was met first. */
export interface NameGroups {
  add(skill: Skill): void;
  /** One skill for each name; `contest` is asked where there are several, in scan order. */
  winners(contest: (group: readonly Skill[]) => Skill): Skill[];
}

/**
 * Folders are walked in the order of their names, so that names mostly come in order too: as long as each key is larger
 * than the one before, all are different and neither a table nor the keys are needed.
 */
export function createNameGroups(keyOf: (name: string) => string): NameGroups {
  const ordered: Skill[] = [];
  let last: string | null = null;
  /** A name with one skill, as nearly all have, needs no list. */
  let groups: Map<string, Skill | Skill[]> | null = null;
  const put = (table: Map<string, Skill | Skill[]>, key: string, skill: Skill): void => {
    const group = table.get(key);
    if (group === undefined) table.set(key, skill);
    else if (Array.isArray(group)) group.push(skill);
    else table.set(key, [group, skill]);
  };
  return {
    add(skill) {
      const key = keyOf(skill.name);
      if (groups === null && (last === null || key > last)) {
        last = key;
        ordered.push(skill);
        return;
      }
      if (groups === null) {
        groups = new Map();
        for (const one of ordered) put(groups, keyOf(one.name), one);
      }
      put(groups, key, skill);
    },
    winners(contest) {
      if (groups === null) return ordered;
      return Array.from(groups.values(), (group) => (Array.isArray(group) ? contest(group) : group));
    },
  };
}
