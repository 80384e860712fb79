import type { Decision } from "../decision.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { makeDiagnostic } from "../diagnostics/make.ts";
import type { DiagnosticCode } from "../diagnostics/table.ts";
import type { FileSystem, TextCodec } from "../file-system.ts";
import { contains } from "../path.ts";
import { resolveNames } from "../precedence/resolve-names.ts";
import type { Preparation, Profile, ScanCodes } from "../profile.ts";
import type { RootVisit, Skill, SkippedPath, Snapshot } from "../snapshot.ts";
import { type Candidate, type FilePlace, movedTo, placeOf } from "./candidate.ts";
import { createDocumentCache, type DocumentCache } from "./document-cache.ts";
import type { Root } from "./root.ts";
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

/** A file that is in the way of a skill: the same real file met a second time. */
export interface SamePlace {
  readonly path: string;
  readonly root: Root;
  readonly first: Candidate;
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

interface RealRoot {
  readonly root: Root;
  /** Null with a decision when it cannot be searched. */
  readonly real: string | null;
  readonly decision: Decision | null;
  readonly diagnostic: Diagnostic | null;
}

function scanRoots(input: DiscoverInput): Scan {
  const realRoots = input.preparation.roots.map((root) =>
    locate(input.cache.rootLike(root), input.fileSystem, input.profile.scanCodes),
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

interface Again {
  readonly root: Root;
  readonly path: string;
  readonly real: string;
}

/**
 * Real folders that several roots lead to: their skills are listed once, under the root that needs no trust if there is
 * one (a project must not be able to claim a user's own skills by a link), else under the first. Changes `candidates`.
 */
function settleSameFolders(candidates: Candidate[], again: readonly Again[]): readonly SamePlace[] {
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
    for (let at = lowerBound(folders, real); at < folders.length; at += 1) {
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

function lowerBound(sorted: readonly { readonly folder: string }[], folder: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle]?.folder ?? "") < folder) low = middle + 1;
    else high = middle;
  }
  return low;
}

function byLocation(one: Candidate, other: Candidate): number {
  const [a, b] = [placeOf(one).location, placeOf(other).location];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** With the separator in front. */
function fileName({ location }: FilePlace): string {
  return location.slice(location.lastIndexOf("/"));
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

function realPathOr(fileSystem: FileSystem, path: string): string {
  const resolved = fileSystem.realPath(path);
  return resolved.kind === "path" ? resolved.path : path;
}

/** Resolves the root's own links by its rule before anything in it is read. */
function locate(root: Root, fileSystem: FileSystem, codes: ScanCodes | undefined): RealRoot {
  const here = fileSystem.status(root.path, { follow: false }).kind;
  // Most roots of a plan don't exist, and a look costs a fraction of a path that cannot be resolved.
  if (here === "absent") return absentRoot(root, "ENOENT", { dangling: false, codes });
  const isLink = here === "link";
  const resolved = fileSystem.realPath(root.path);
  if (resolved.kind === "failure") return absentRoot(root, resolved.code, { dangling: isLink, codes });
  const { path: real } = resolved;
  const boundary = root.boundary === null ? null : realPathOr(fileSystem, root.boundary);
  const outside = boundary !== null && !contains(boundary, real);
  if (root.scan.links.root === "never" ? isLink : root.scan.links.root === "inside-boundary" && outside) {
    const message = `This folder is a link to ${real}, outside ${boundary ?? "its place"}; it is not searched.`;
    return {
      root,
      real: null,
      decision: { stage: "root", outcome: "off", reason: "link-outside", path: root.path, message },
      diagnostic: makeDiagnostic("discovery/link-outside", {
        path: root.path,
        message,
        hint: "Name its real folder in `skills.paths` of your own configuration, or trust that folder",
      }),
    };
  }
  const status = fileSystem.status(real, { follow: false });
  if (status.kind !== "directory") {
    const message =
      status.kind === "file"
        ? "This is a file, not a folder of skills."
        : `This cannot be searched (${status.kind}).`;
    return {
      root,
      real: null,
      decision: { stage: "root", outcome: "missing", reason: "not-a-folder", path: root.path, message },
      diagnostic: makeDiagnostic("discovery/not-a-folder", {
        path: root.path,
        message,
        hint: "Name the folder that holds the skill folders",
      }),
    };
  }
  return { root, real, decision: null, diagnostic: null };
}

function absentRoot(
  root: Root,
  code: string,
  { dangling, codes }: { readonly dangling: boolean; readonly codes: ScanCodes | undefined },
): RealRoot {
  const profileCode = codes?.rootUnreadable ?? null;
  if ((code === "ENOENT" || code === "ENOTDIR") && !dangling) {
    const message = "No such folder.";
    return {
      root,
      real: null,
      decision: { stage: "root", outcome: "missing", reason: "absent", path: root.path, message },
      diagnostic: root.expected
        ? makeDiagnostic("discovery/missing-root", {
            path: root.path,
            message: "A configured skills folder does not exist.",
            hint: "Create it, or correct `skills.paths`",
          })
        : profileCode === null
          ? null
          : makeDiagnostic("discovery/missing-root", {
              path: root.path,
              message: "No such folder; the mirrored agent says so of every one that it looks for.",
              severity: "info",
              profileCode,
              hint: "Nothing to do",
            }),
    };
  }
  const { reason, code: finding, message, hint } = dangling ? brokenRoot(code) : unreadableRoot(code);
  return {
    root,
    real: null,
    decision: { stage: "root", outcome: "missing", reason, path: root.path, message },
    diagnostic: makeDiagnostic(finding, { path: root.path, message, hint }),
  };
}

interface RootProblem {
  readonly reason: string;
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly hint: string;
}

function brokenRoot(code: string): RootProblem {
  return code === "ELOOP"
    ? {
        reason: "link-loop",
        code: "discovery/link-loop",
        message: "This link leads back to itself.",
        hint: "Remove the link",
      }
    : {
        reason: "link-broken",
        code: "discovery/link-broken",
        message: "This link points to nothing.",
        hint: "Remove the link or restore what it points to",
      };
}

function unreadableRoot(code: string): RootProblem {
  const message = `The folder cannot be read (${code}).`;
  return {
    reason: "unreadable",
    code: "discovery/unreadable-folder",
    message,
    hint: "Check its permissions",
  };
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
