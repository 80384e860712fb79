import type { Skill } from "../snapshot.ts";

/** Skills by name, in the order in which each name was met first. */
export interface NameGroups {
  add(key: string, skill: Skill): void;
  /** A name with one skill, as nearly all have, needs no list. */
  values(): readonly (Skill | Skill[])[];
}

/**
 * Folders are walked in the order of their names, so that names mostly come in order too: as long as each key is larger
 * than the one before, all are different and no table is needed.
 */
export function createNameGroups(): NameGroups {
  const ordered: Skill[] = [];
  const keys: string[] = [];
  let last: string | null = null;
  let groups: Map<string, Skill | Skill[]> | null = null;
  const put = (table: Map<string, Skill | Skill[]>, key: string, skill: Skill): void => {
    const group = table.get(key);
    if (group === undefined) table.set(key, skill);
    else if (Array.isArray(group)) group.push(skill);
    else table.set(key, [group, skill]);
  };
  return {
    add(key, skill) {
      if (groups === null && (last === null || key > last)) {
        last = key;
        keys.push(key);
        ordered.push(skill);
        return;
      }
      if (groups === null) {
        groups = new Map();
        for (const [index, one] of ordered.entries()) put(groups, keys[index] as string, one);
      }
      put(groups, key, skill);
    },
    values: () => (groups === null ? ordered : [...groups.values()]),
  };
}
