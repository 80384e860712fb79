import { type Candidate, placeOf } from "./candidate.ts";
import type { Root } from "./root.ts";

/**
 * What the last discovery of one profile found, by location; reused while the file's identity is equal. Never written to
 * disk.
 */
export interface DocumentCache {
  get(location: string): Candidate | undefined;
  /** Takes the place of everything that was kept before. */
  keep(candidates: readonly Candidate[]): void;
  clear(): void;
  /** The root of what is kept that says the same as this one, so that what was found under it can stay; else this one. */
  rootLike(root: Root): Root;
}

/** Questions out of order that are answered without a table: each root's own SKILL.md, a new skill or two. */
const fewSearches = 16;

/** A first discovery never asks, and a second one asks in the order of the first: the table is made when that fails. */
export function createDocumentCache(): DocumentCache {
  let kept: readonly Candidate[] = [];
  let next = 0;
  let places: Map<string, number> | null = null;
  let roots: Map<string, Root> | null = null;
  let searches = 0;
  const indexOf = (location: string): number => {
    if (searches < fewSearches) {
      searches++;
      return kept.findIndex((one) => placeOf(one).location === location);
    }
    places ??= new Map(kept.map((one, index) => [placeOf(one).location, index]));
    return places.get(location) ?? -1;
  };
  return {
    get(location) {
      if (kept.length === 0) return undefined;
      const expected = kept[next];
      if (expected !== undefined && placeOf(expected).location === location) {
        next++;
        return expected;
      }
      const index = indexOf(location);
      if (index < 0) return undefined;
      next = index + 1;
      return kept[index];
    },
    keep(candidates) {
      kept = candidates;
      next = 0;
      searches = 0;
      places = null;
      roots = null;
    },
    clear() {
      kept = [];
      places = null;
      roots = null;
    },
    rootLike(root) {
      roots ??= new Map(kept.map((one) => [placeOf(one).root.id, placeOf(one).root]));
      const known = roots.get(root.id);
      return known !== undefined && isSame(known, root) ? known : root;
    },
  };
}

/** Equal in every field, two levels deep: rules of a walk are made anew with each plan. */
function isSame(one: Root, other: Root): boolean {
  const { scan, ...rest } = one;
  const { scan: otherScan, ...otherRest } = other;
  return isEqual(rest, otherRest) && isEqual(scan, otherScan);
}

function isEqual(one: object, other: object): boolean {
  const fields = new Map<string, unknown>(Object.entries(other));
  const own = Object.entries(one);
  return (
    own.length === fields.size && own.every(([key, value]) => fields.has(key) && fields.get(key) === value)
  );
}
