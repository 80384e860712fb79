import { lowerBound } from "../lower-bound.ts";
import { contains } from "../path.ts";
import { type Candidate, type FilePlace, movedTo, placeOf } from "./candidate.ts";
import type { Root } from "./root.ts";

/** A file that is in the way of a skill: the same real file met a second time. */
export interface SamePlace {
  readonly path: string;
  readonly root: Root;
  readonly first: Candidate;
}

/** A real folder that a root led to after another had. */
export interface Again {
  readonly root: Root;
  readonly path: string;
  readonly real: string;
}

/**
 * Real folders that several roots lead to: their skills are listed once, under the root that needs no trust if there is
 * one (a project must not be able to claim a user's own skills by a link), else under the first. Changes `candidates`.
 */
export function settleSameFolders(candidates: Candidate[], again: readonly Again[]): readonly SamePlace[] {
  if (again.length === 0) return [];
  const folders = candidates
    .map((candidate, index) => ({ folder: folderOf(placeOf(candidate).realPath), index }))
    .sort((a, b) => (a.folder < b.folder ? -1 : a.folder > b.folder ? 1 : 0));
  const places: SamePlace[] = [];
  const settled = new Set<string>();
  for (const { root, path, real } of again) {
    const key = `${root.id}\0${real}`;
    if (settled.has(key)) continue;
    settled.add(key);
    const from = lowerBound(folders.length, (place) => (folders[place]?.folder ?? "") < real);
    for (let at = from; at < folders.length; at += 1) {
      const entry = folders[at];
      if (entry === undefined || !entry.folder.startsWith(real)) break;
      const first = candidates[entry.index];
      if (first === undefined) continue;
      const firstPlace = placeOf(first);
      if (firstPlace.root.id === root.id || !contains(real, entry.folder)) continue;
      const location = `${path}${entry.folder.slice(real.length)}${fileName(firstPlace)}`;
      if (firstPlace.root.needsTrust && !root.needsTrust) {
        const moved = movedTo({ ...firstPlace, root, location, directory: folderOf(location) }, first);
        candidates[entry.index] = moved;
        places.push({ path: firstPlace.location, root: firstPlace.root, first: moved });
      } else {
        places.push({ path: location, root, first });
      }
    }
  }
  return places;
}

/** With the separator in front. */
function fileName({ location }: FilePlace): string {
  return location.slice(location.lastIndexOf("/"));
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}
