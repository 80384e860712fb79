import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import type { VisibleSkill } from "../../core/profile.ts";
import type { ShadowedSkill, Skill } from "../../core/snapshot.ts";
import { toNative } from "../native-path.ts";
import { isFolderName, readManifest, type SyncManifest } from "./manifest.ts";

/** One skill that other agents should see. Paths are the system's own. */
export interface SyncSource {
  readonly name: string;
  /** The skill's real folder; for a skill that is one file, that file. */
  readonly from: string;
  readonly flat: boolean;
}

/** A skill of the set that cannot be put into a folder, and why. */
export interface LeftOut {
  readonly name: string;
  readonly location: string;
  readonly message: string;
}

export interface SourceSet {
  /** By name, in code-unit order. */
  readonly sources: ReadonlyMap<string, SyncSource>;
  readonly leftOut: readonly LeftOut[];
}

/**
 * What is put into other agents' folders: every skill that this profile offers without asking, as it was decided here.
 * A copy that an earlier `sync` made is no source, so that a skill whose original is gone goes with it. For the user's
 * own folder the skills of a project stay out: they would show up in every other project.
 */
export function syncSources(
  set: { readonly entries: readonly VisibleSkill[]; readonly shadowed: readonly ShadowedSkill[] },
  { workspace }: { readonly workspace: boolean },
): SourceSet {
  const isOurs = managedCopies();
  const losers = new Map<Skill, Skill[]>();
  for (const { skill, winner } of set.shadowed) {
    const list = losers.get(winner) ?? [];
    list.push(skill);
    losers.set(winner, list);
  }
  const sources: SyncSource[] = [];
  const leftOut: LeftOut[] = [];
  for (const entry of set.entries) {
    if (entry.hidden !== null || entry.permission === "deny") continue;
    const skill = [entry.skill, ...(losers.get(entry.skill) ?? [])].find(
      (one) => (workspace || !one.root.needsTrust) && !isOurs(one),
    );
    if (skill === undefined || (!entry.trusted && skill.root.needsTrust)) continue;
    const reason = obstacle(entry, skill);
    if (reason === null) sources.push(sourceOf(skill));
    else leftOut.push({ name: skill.name, location: skill.location, message: reason });
  }
  sources.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return { sources: new Map(sources.map((source) => [source.name, source])), leftOut };
}

function obstacle(entry: VisibleSkill, skill: Skill): string | null {
  if (entry.permission === "ask")
    return "A rule has a model ask before it loads this, and other agents would not ask.";
  if (skill.root.scope === "mcp") return "It is offered by an MCP server, whose skills stay with it.";
  if (skill.directory === null) return "It exists only in memory.";
  if (!isFolderName(skill.name)) return "Its name cannot be the name of a folder everywhere.";
  return null;
}

function sourceOf(skill: Skill): SyncSource {
  const file = toNative(skill.realPath);
  return { name: skill.name, from: skill.flat ? file : dirname(file), flat: skill.flat };
}

/** Tells whether a skill lies in a copy that `sync` made. A record that cannot be read claims nothing. */
function managedCopies(): (skill: Skill) => boolean {
  const manifests = new Map<string, SyncManifest | null>();
  return (skill) => {
    if (skill.directory === null || skill.flat) return false;
    const folder = dirname(toNative(skill.realPath));
    const parent = dirname(folder);
    let manifest = manifests.get(parent);
    if (manifest === undefined) {
      manifest = manifestOrNull(parent);
      manifests.set(parent, manifest);
    }
    return manifest?.skills.has(basename(folder)) === true;
  };
}

function manifestOrNull(folder: string): SyncManifest | null {
  try {
    return readManifest(folder);
  } catch {
    return null;
  }
}

/** The real path of what exists of a path, with the rest as it is written. */
export function realOfExisting(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realOfExisting(parent), basename(path));
  }
}

/**
 * Whether a path below `top` really lies elsewhere: a link on the way leads out, or leads nowhere yet, so that nobody can
 * tell where it will lead.
 */
export function leadsOut(path: string, top: string): boolean {
  const [real, inside] = [realOfExisting(path), realOfExisting(top)];
  if (real !== inside && !real.startsWith(inside.endsWith(sep) ? inside : inside + sep)) return true;
  for (let at = path; at !== top && dirname(at) !== at; at = dirname(at))
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true && isDead(at)) return true;
  return false;
}

function isDead(link: string): boolean {
  try {
    realpathSync(link);
    return false;
  } catch {
    return true;
  }
}
