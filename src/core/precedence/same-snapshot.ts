import type { Snapshot } from "../snapshot.ts";

/**
 * Whether two snapshots have equal versions, without computing either: a version is a digest over megabytes of text when
 * there are ten thousand skills, and a search that found nothing new need not make it. Compares what the version covers.
 */
export function isSameSnapshot(one: Snapshot, other: Snapshot): boolean {
  return (
    isEachSame(
      one.skills,
      other.skills,
      (a, b) => a === b || (a.name === b.name && a.location === b.location && a.digest === b.digest),
    ) &&
    isEachSame(
      one.shadowed,
      other.shadowed,
      (a, b) =>
        a.skill.name === b.skill.name &&
        a.skill.location === b.skill.location &&
        a.skill.digest === b.skill.digest &&
        a.winner.location === b.winner.location &&
        a.reason === b.reason,
    ) &&
    isEachSame(one.skipped, other.skipped, (a, b) => a.path === b.path && a.reason === b.reason)
  );
}

/** Whether two lists have equal items in the same order. */
export function isEachSame<T>(
  one: readonly T[],
  other: readonly T[],
  isSame: (a: T, b: T) => boolean,
): boolean {
  if (one.length !== other.length) return false;
  // A loop, not `every`: each search that finds nothing new compares all skills three times.
  for (let index = 0; index < one.length; index++) {
    const item = one[index] as T;
    const counterpart = other[index] as T;
    if (item !== counterpart && !isSame(item, counterpart)) return false;
  }
  return true;
}
