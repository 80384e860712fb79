import type { VisibleSkill } from "../core/profile.ts";
import type { Skills } from "./skills.ts";

/**
 * Makes data that is handed out read-only, all the way down, so that a caller's slip cannot change what later answers are
 * made from (row J10). Only plain objects and arrays are touched; functions, maps and bytes stay as they are. What is
 * frozen already ends the walk, so that a second call costs nothing.
 */
export function readOnly<T>(value: T): T {
  const waiting: object[] = [];
  const add = (inner: unknown): void => {
    if (typeof inner === "object" && inner !== null && !Object.isFrozen(inner) && isPlain(inner))
      waiting.push(inner);
  };
  add(value);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Object.isFrozen(next)) continue;
    Object.freeze(next);
    // By index and by key: lists of values would be made for tens of thousands of records.
    if (Array.isArray(next)) for (let index = 0; index < next.length; index++) add(next[index]);
    else for (const key in next) add((next as Record<string, unknown>)[key]);
  }
  return value;
}

/** What is open, with its entries as they are. */
const open = new WeakMap<object, () => readonly VisibleSkill[]>();

export function registerEntries(skills: Skills, entries: () => readonly VisibleSkill[]): Skills {
  open.set(skills, entries);
  return skills;
}

/**
 * `skills.entries` for code of ours that only reads them: ten thousand records are not made read-only, which takes a tenth
 * of the time in which they are found.
 */
export function entriesOf(skills: Skills): readonly VisibleSkill[] {
  return open.get(skills)?.() ?? skills.entries;
}

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The same object, with its lists read-only but not what is in them: for large results that are looked at often. */
export function frozenLists<T extends object>(value: T): T {
  for (const name of Object.keys(value)) {
    const descriptor = Object.getOwnPropertyDescriptor(value, name);
    if (Array.isArray(descriptor?.value)) Object.freeze(descriptor.value);
  }
  return value;
}
