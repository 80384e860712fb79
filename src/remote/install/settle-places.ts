import { comparePaths } from "../digest/compare-paths.ts";
import type { SkillFile } from "../digest/skill-file.ts";
import type { FileChange, MergedTree, MergeRequest } from "./merge-trees.ts";

/**
 * A merge, file by file, may want a file where it also wants a folder: one side replaced `d/` by a file `d` and the other
 * has something in `d/`. Whoever is to win gets `d` and all below it; with nobody named it is a conflict.
 */
export function settlePlaces(
  merged: { readonly files: readonly SkillFile[]; readonly changes: readonly FileChange[] },
  sides: {
    readonly mine: ReadonlyMap<string, SkillFile>;
    readonly theirs: ReadonlyMap<string, SkillFile>;
    readonly take: MergeRequest["take"];
  },
): MergedTree {
  const roots = clashingPlaces(merged.files);
  if (roots.length === 0) return { ...merged, clashes: [] };
  const { mine, theirs, take } = sides;
  const touched = (path: string): boolean => roots.some((root) => isAt(path, root));
  const files = merged.files.filter(({ path }) => !touched(path));
  const changes = merged.changes.filter(({ path }) => !touched(path));
  const winner = take === "new" ? theirs : mine;
  for (const path of new Set([...mine.keys(), ...theirs.keys()])) {
    if (!touched(path)) continue;
    const file = winner.get(path);
    if (file !== undefined) files.push(file);
    if (take === null) changes.push({ path, action: "conflict" });
    else if (take === "mine" && file !== undefined) changes.push({ path, action: "kept" });
    else if (take === "new") {
      const action = file === undefined ? "removed" : mine.has(path) ? "changed" : "added";
      changes.push({ path, action });
    }
  }
  const inOrder = (a: { readonly path: string }, b: { readonly path: string }) =>
    comparePaths(a.path, b.path);
  return { files: files.sort(inOrder), changes: changes.sort(inOrder), clashes: take === null ? roots : [] };
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
