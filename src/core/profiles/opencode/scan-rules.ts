import type { Root, ScanRules, Scope } from "../../discovery/root.ts";

const common = {
  depth: Number.POSITIVE_INFINITY,
  nested: "enter",
  ignore: new Set<string>(),
  order: "paths",
  fileName: "exact",
  links: { root: "follow", folderInside: "follow", folderOutside: "follow", file: "follow" },
} as const;

/** `.claude` and `.agents`: hidden folders count (golden `dot.*`). Nothing is ignored, links lead anywhere (`link.*`). */
export const brandScan: ScanRules = {
  ...common,
  rootIsSkill: true,
  hidden: true,
  flat: "none",
  visit: "ancestors",
};

/** Configuration folders and configured paths of the first generation. */
export const folderScan: ScanRules = { ...brandScan, hidden: false };

/** The second generation: hidden folders and top-level Markdown files count, and cycles are walked as the system allows. */
export const flatScan: ScanRules = {
  ...common,
  rootIsSkill: false,
  hidden: true,
  flat: "any",
  visit: "link-limit",
};

/** One folder to search. */
export function openCodeRoot(
  path: string,
  scan: ScanRules,
  place: {
    readonly scope: Scope;
    readonly source: string;
    readonly brand: string | null;
    readonly level?: number;
    readonly expected?: boolean;
  },
): Root {
  return {
    id: `${place.source}@${path}`,
    path,
    scope: place.scope,
    source: place.source,
    brand: place.brand,
    level: place.level ?? null,
    priority: null,
    needsTrust: false,
    boundary: null,
    bundled: false,
    scan,
    note: null,
    expected: place.expected ?? false,
  };
}

/** Roots by path, the first place of each kept: a folder named twice is searched once. */
export function uniqueRoots(roots: readonly Root[]): readonly Root[] {
  const seen = new Set<string>();
  return roots.filter(({ path }) => !seen.has(path) && seen.add(path));
}
