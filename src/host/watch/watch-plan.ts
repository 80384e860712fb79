import { basename, dirname } from "../../core/path.ts";
import type { Snapshot } from "../../core/snapshot.ts";
import type { Reads } from "./record-reads.ts";

/** What matters about a folder: any of its entries, or the ones with these names. */
export interface Interest {
  all: boolean;
  /** By `nameKey`, each as it was asked for. */
  readonly names: Map<string, string>;
}

export type Interests = ReadonlyMap<string, Interest>;

/** Folders to watch, most important first, and folders that are only looked at from time to time. */
export interface WatchPlan {
  readonly watched: Interests;
  readonly polled: Interests;
}

/** Git's own folder changes with every command, and nothing in it concerns skills. */
const neverSeen = ".git";

/** Folders that programs fill with thousands of others. A handle for each would be gone in no time. */
const neverWatched: ReadonlySet<string> = new Set([
  "node_modules",
  "bower_components",
  "site-packages",
  "venv",
  ".venv",
  "__pycache__",
  ".cache",
]);

/**
 * Which folders have to be watched so that nothing is missed on which a look at the disk depended. Each folder is
 * watched for the entries that were asked for; its parents for its own name, up to the top, so that a folder that
 * appears, moves or vanishes is noticed at every level. A skill costs its folder (two where a link leads to it): what
 * lies deeper in it is polled, and so is everything inside dependencies (case w-limits).
 */
export function planWatches(
  reads: Reads,
  snapshot: Snapshot | null,
  trail: (path: string) => readonly string[],
): WatchPlan {
  const watched = new Map<string, Interest>();
  const polled = new Map<string, Interest>();
  const inDepth = depthOf(snapshot === null ? new Set() : skillFolders(snapshot));

  const interestIn = (folder: string): Interest | null => {
    const known = watched.get(folder) ?? polled.get(folder);
    if (known !== undefined) return known;
    const depth = inDepth(folder);
    if (depth === "never") return null;
    const interest: Interest = { all: false, names: new Map() };
    (depth === "polled" ? polled : watched).set(folder, interest);
    ask(folder);
    return interest;
  };
  const ask = (path: string): void => {
    const folder = dirname(path);
    if (folder !== path && folder !== ".")
      interestIn(folder)?.names.set(nameKey(basename(path)), basename(path));
  };

  for (const path of reads.asked) ask(path);
  for (const path of reads.listed) {
    const interest = interestIn(path);
    if (interest !== null) interest.all = true;
  }
  for (const path of reads.linked) for (const place of trail(path)) ask(place);
  return { watched, polled };
}

/** Disks that ignore case, or store accents apart, report names in a spelling of their own. */
export function nameKey(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

function skillFolders({ skills, shadowed, skipped }: Snapshot): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const skill of [...skills, ...shadowed.map((copy) => copy.skill)]) {
    if (skill.directory === null || skill.flat) continue;
    folders.add(skill.directory);
    folders.add(dirname(skill.realPath));
  }
  for (const { path } of skipped) if (nameKey(basename(path)) === "skill.md") folders.add(dirname(path));
  return folders;
}

type Depth = "watched" | "below" | "polled" | "never";

function depthOf(skills: ReadonlySet<string>): (folder: string) => Depth {
  const known = new Map<string, Depth>();
  const find = (folder: string): Depth => {
    const name = basename(folder);
    if (name === neverSeen) return "never";
    const parent = dirname(folder);
    const above = parent === folder || parent === "." ? "watched" : depth(parent);
    if (above === "never") return above;
    if (neverWatched.has(name)) return "polled";
    return above === "watched" && !skills.has(parent) ? "watched" : above === "polled" ? "polled" : "below";
  };
  const depth = (folder: string): Depth => {
    const cached = known.get(folder);
    if (cached !== undefined) return cached;
    const found = find(folder);
    known.set(folder, found);
    return found;
  };
  return (folder) => {
    const found = depth(folder);
    return found === "below" ? (skills.has(folder) ? "watched" : "polled") : found;
  };
}
