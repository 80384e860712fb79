import type { Decision } from "../decision.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { FileSystem, TextCodec } from "../file-system.ts";
import { contains } from "../path.ts";
import { resolveNames } from "../precedence/resolve-names.ts";
import type { Preparation, Profile } from "../profile.ts";
import type { RootVisit, Skill, SkippedPath, Snapshot } from "../snapshot.ts";
import { type Candidate, placeOf } from "./candidate.ts";
import { createDocumentCache, type DocumentCache } from "./document-cache.ts";
import { locateRoot, type RealRoot, realPathOr } from "./locate-root.ts";
import type { Root } from "./root.ts";
import { type Again, type SamePlace, settleSameFolders } from "./same-folders.ts";
import { scanRoot } from "./scan.ts";
import type { ScanInput, ScanLimits, ScanTarget } from "./scan-state.ts";
import { createVisitedFolders } from "./visited-folders.ts";

export interface DiscoverInput {
  readonly profile: Profile;
  readonly preparation: Preparation;
  readonly fileSystem: FileSystem;
  readonly codec: TextCodec;
  readonly limits: ScanLimits;
  /** Folders that links of "known" rules may lead into, besides the roots themselves. */
  readonly trustedFolders: readonly string[];
  /** Copies that lose to any other copy of their name; null = none. */
  readonly aside?: ((skill: Skill) => boolean) | null;
  /** Reads of an earlier discovery; filled by this one. */
  readonly cache: DocumentCache;
}

export interface Scan {
  readonly candidates: readonly Candidate[];
  readonly skipped: readonly SkippedPath[];
  readonly samePlaces: readonly SamePlace[];
  readonly diagnostics: readonly Diagnostic[];
  readonly roots: readonly RootVisit[];
}

/**
 * Searches every root in order, reads the skills in them and decides who wins each name: one immutable snapshot.
 * Same disk, same result, whatever order the file system lists things in (invariant 5). Features O3, M5, X1.
 */
export function discover(input: DiscoverInput): Snapshot {
  return resolveNames(input.profile, input.preparation, scanRoots(input), {
    codec: input.codec,
    aside: input.aside ?? null,
  });
}

function scanRoots(input: DiscoverInput): Scan {
  const realRoots = input.preparation.roots.map((root) =>
    locateRoot(input.cache.rootLike(root), input.fileSystem, input.profile.scanCodes),
  );
  const known = [
    ...realRoots.flatMap(({ real }) => (real === null ? [] : [real])),
    ...input.trustedFolders.map((folder) => realPathOr(input.fileSystem, folder)),
  ];
  const candidates: Candidate[] = [];
  const again: Again[] = [];
  const skipped: SkippedPath[] = [];
  const samePlaces: SamePlace[] = [];
  const diagnostics: Diagnostic[] = [];
  const roots: RootVisit[] = [];
  const visited = createVisitedFolders({ repeats: overlap(realRoots) });
  const { identity } = input.profile;
  // A real folder is entered once, so without links no file is met twice, and ten thousand paths need no table.
  const once =
    identity === "real-path" && input.preparation.roots.every(({ scan }) => scan.visit === "real-path");
  let seen: Map<string, number> | null = once ? null : new Map();

  for (const { root, real, decision, diagnostic } of realRoots) {
    if (diagnostic !== null) diagnostics.push(diagnostic);
    if (real === null) {
      if (decision !== null) roots.push({ root, decision, candidates: 0 });
      continue;
    }
    const { candidates: found, ...rest } = searchRoot({ ...input, known }, { root, realRoot: real, visited });
    const rootAgain = rest.again.some(({ path }) => path === root.path);
    for (const one of rest.again) again.push(one);
    for (const one of rest.skipped) skipped.push(one);
    for (const one of rest.diagnostics) diagnostics.push(one);
    if (root.scan.order === "paths") found.sort(byLocation);
    for (let index = 0; index < found.length; index++) {
      const candidate = found[index] as Candidate;
      const place = placeOf(candidate);
      if (seen === null && place.realPath !== place.location)
        seen = new Map(candidates.map((one, position) => [placeOf(one).realPath, position]));
      if (seen === null) {
        candidates.push(candidate);
        continue;
      }
      const key =
        identity === "per-root"
          ? `${root.id}\0${place.location}`
          : identity === "real-path"
            ? place.realPath
            : place.location;
      const earlier = seen.get(key);
      const first = earlier === undefined ? undefined : candidates[earlier];
      if (first !== undefined && earlier !== undefined) {
        const firstPlace = placeOf(first);
        if (firstPlace.root.needsTrust && !place.root.needsTrust) {
          candidates[earlier] = candidate;
          samePlaces.push({ path: firstPlace.location, root: firstPlace.root, first: candidate });
        } else samePlaces.push({ path: place.location, root: place.root, first });
        continue;
      }
      seen.set(key, candidates.length);
      candidates.push(candidate);
    }
    roots.push({
      root,
      decision: rootAgain ? sameFolder(root) : searched(root, found.length),
      candidates: found.length,
    });
  }
  samePlaces.push(...settleSameFolders(candidates, again));
  input.cache.keep(candidates);
  return { candidates, skipped, samePlaces, diagnostics, roots };
}

/** Whether a root lies inside another one or is the same folder, so that folders are met again. */
function overlap(roots: readonly RealRoot[]): boolean {
  const folders = roots.flatMap(({ real }) => (real === null ? [] : [real]));
  return folders.some((folder, index) =>
    folders.some((other, place) => place !== index && contains(other, folder)),
  );
}

interface RootSearch {
  readonly candidates: Candidate[];
  readonly again: Again[];
  readonly skipped: SkippedPath[];
  readonly diagnostics: Diagnostic[];
}

/** What one root holds. When a folder moved meanwhile, nothing of that search is kept and each file is looked at again. */
function searchRoot(input: ScanInput, target: Omit<ScanTarget, "exact">): RootSearch {
  const { count } = target.visited;
  const first = searchOnce(input, { ...target, exact: false });
  if (first.settled) return first.found;
  target.visited.forget(count);
  return searchOnce({ ...input, cache: createDocumentCache() }, { ...target, exact: true }).found;
}

function searchOnce(
  input: ScanInput,
  target: ScanTarget,
): { readonly found: RootSearch; readonly settled: boolean } {
  const found: RootSearch = { candidates: [], again: [], skipped: [], diagnostics: [] };
  const settled = scanRoot(input, target, {
    candidate: (candidate) => void found.candidates.push(candidate),
    skipped: (path) => void found.skipped.push(path),
    diagnostic: (diagnostic) => void found.diagnostics.push(diagnostic),
    again: (path, real) => void found.again.push({ root: target.root, path, real }),
  });
  return { found, settled };
}

function byLocation(one: Candidate, other: Candidate): number {
  const [a, b] = [placeOf(one).location, placeOf(other).location];
  return a < b ? -1 : a > b ? 1 : 0;
}

function searched(root: Root, count: number): Decision {
  const message =
    count === 0
      ? "Searched; no skill in it."
      : `Searched; ${count} ${count === 1 ? "skill file" : "skill files"}.`;
  return { stage: "root", outcome: "searched", reason: "searched", path: root.path, message };
}

function sameFolder(root: Root): Decision {
  return {
    stage: "root",
    outcome: "searched",
    reason: "same-folder",
    path: root.path,
    message: "The same real folder as a root before it; its skills are counted there.",
  };
}
