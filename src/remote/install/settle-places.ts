import { comparePaths } from "../digest/compare-paths.ts";
import type { SkillFile } from "../digest/skill-file.ts";
import type { FileChange, MergedTree } from "./merge-trees.ts";
import { type Take, takeOf, type Whose } from "./take.ts";

/**
 * A merge, file by file, may want a file where it also wants a folder: one side replaced `d/` by a file `d` and the other
 * has something in `d/`. Whoever is to win gets `d` and all below it; with nobody named it is a conflict.
 */
export function settlePlaces(
  merged: { readonly files: readonly SkillFile[]; readonly changes: readonly FileChange[] },
  sides: {
    readonly mine: ReadonlyMap<string, SkillFile>;
    readonly theirs: ReadonlyMap<string, SkillFile>;
    readonly take: Take;
  },
): MergedTree {
  const roots = clashingPlaces(merged.files);
  if (roots.length === 0) return { ...merged, clashes: [] };
  const { mine, theirs, take } = sides;
  const rootOf = (path: string): string | undefined => roots.find((root) => isAt(path, root));
  const touched = (path: string): boolean => rootOf(path) !== undefined;
  const files = merged.files.filter(({ path }) => !touched(path));
  const changes = merged.changes.filter(({ path }) => !touched(path));
  for (const path of new Set([...mine.keys(), ...theirs.keys()])) {
    const root = rootOf(path);
    if (root === undefined) continue;
    const whose = whoseIs(root, take);
    const file = (whose === null || whose === "mine" ? mine : theirs).get(path);
    if (file !== undefined) files.push(file);
    if (whose === null) changes.push({ path, action: "conflict" });
    else if (whose === "mine" && file !== undefined) changes.push({ path, action: "kept" });
    else if (whose !== "mine") {
      const action = file === undefined ? "removed" : mine.has(path) ? "changed" : "added";
      changes.push({ path, action });
    }
  }
  const inOrder = (a: { readonly path: string }, b: { readonly path: string }) =>
    comparePaths(a.path, b.path);
  return {
    files: files.sort(inOrder),
    changes: changes.sort(inOrder),
    clashes: roots.filter((root) => whoseIs(root, take) === null),
  };
}

/** One answer for a place and all below it: that for the place itself, else for a file below, else for everything. */
function whoseIs(root: string, take: Take): Whose | null {
  const below = [...take.files.keys()].find((path) => isAt(path, root));
  return takeOf(take, take.files.has(root) || below === undefined ? root : below);
}

/** Files that would also be folders; the outermost ones, in order. */
function clashingPlaces(files: readonly SkillFile[]): readonly string[] {
  const paths = new Set(files.map(({ path }) => path));
  const found = new Set<string>();
  for (const path of paths) {
    for (let cut = path.indexOf("/"); cut > 0; cut = path.indexOf("/", cut + 1)) {
      if (!paths.has(path.slice(0, cut))) continue;
      found.add(path.slice(0, cut));
      break;
    }
  }
  return [...found].sort(comparePaths);
}

function isAt(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}
