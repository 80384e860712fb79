import { createHash } from "node:crypto";
import { accessSync, constants, lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { SkilletError } from "../../core/error.ts";
import { fileError } from "../file-error.ts";
import { withLock } from "../lock.ts";
import { toNative, toPortable } from "../native-path.ts";
import { isFolderName, manifestName, type PlacedEntry, readManifest, writeManifest } from "./manifest.ts";
import { type PlaceStep, place, remove, standing } from "./place.ts";
import { realOfExisting, type SyncSource } from "./sources.ts";

export interface SyncFolderRequest {
  /** The agent's folder of skills. */
  readonly folder: string;
  /** What should be in it; empty to take everything back. */
  readonly sources: ReadonlyMap<string, SyncSource>;
  /** Links where the system makes them, or copies; null = as it was done there before, links where nothing is yet. */
  readonly method: "link" | "copy" | null;
  /** Nothing is written. */
  readonly dryRun: boolean;
  /** An edited copy is left to the user and forgotten. */
  readonly undo: boolean;
  /** Where locks of this user lie. */
  readonly state: string;
}

export interface SyncChange {
  readonly name: string;
  /**
   * "kept": something that is not ours, or was edited, stands there and stays; "unchanged": it was right already;
   * "failed": the system refused.
   */
  readonly action: "linked" | "copied" | "updated" | "removed" | "unchanged" | "kept" | "failed";
  /** Where it comes from; null for what is removed. */
  readonly from: string | null;
  readonly to: string;
  /** Why it was kept or failed, or what a copy lacks; null = nothing to say. */
  readonly message: string | null;
}

/**
 * Brings one agent's folder to what it should hold, touching only what an earlier run put there: new skills appear,
 * changed copies are replaced, what is no longer offered goes. Every step is one rename, and the record is written
 * before the first, so that a run cut off anywhere is finished, or taken back, by the next (invariant 7). Throws
 * `SkilletError` when the folder or its record cannot be used; what one skill meets is told in its change.
 */
export function syncFolder(request: SyncFolderRequest): readonly SyncChange[] {
  // The agent's own folder may be a link (to a folder shared by several); what is in it is judged where it really is.
  const folder = realOfExisting(toNative(request.folder));
  const status = lstatSync(folder, { throwIfNoEntry: false });
  if (status !== undefined && !status.isDirectory())
    throw new SkilletError("failed", `${toPortable(folder)} is no folder, so nothing can be put into it.`, {
      hint: "Move it away first",
    });
  if (request.dryRun) {
    const steps = plan(request, folder);
    if (steps.some(({ act }) => act !== null)) checkWritable(folder);
    return steps.map(({ change }) => change);
  }
  if (status === undefined && request.sources.size === 0) return [];
  const lock = join(
    toNative(request.state),
    `sync-${createHash("sha256").update(folder).digest("hex").slice(0, 16)}.lock`,
  );
  return withLock(lock, { action: `bring ${toPortable(folder)} up to date` }, () => apply(request, folder));
}

/** Throws what a run would meet: something is to be done, and the folder, or where it would be made, takes nothing. */
function checkWritable(folder: string): void {
  let place = folder;
  while (lstatSync(place, { throwIfNoEntry: false }) === undefined && dirname(place) !== place)
    place = dirname(place);
  try {
    accessSync(place, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw fileError(error, { action: "put skills into the folder", path: folder });
  }
}

interface Step extends PlaceStep {
  readonly change: SyncChange;
}

function apply(request: SyncFolderRequest, folder: string): readonly SyncChange[] {
  sweep(folder);
  const manifest = readManifest(folder);
  const steps = plan(request, folder);
  if (steps.some(({ act }) => act !== null)) checkWritable(folder);
  const isNew = steps.some(({ act, change }) => act !== null && change.action !== "removed");
  const made = isNew ? makeFolder(folder) : 0;
  const record = new Map<string, PlacedEntry>();
  for (const { change, before } of steps) if (before !== null) record.set(change.name, before);
  const madeInAll = Math.max(made, manifest.made);
  if (steps.some(({ act }) => act !== null)) writeManifest(folder, { skills: record, made: madeInAll });
  const changes: SyncChange[] = [];
  try {
    for (const { change, act, after } of steps) {
      if (act === null) {
        setOrDelete(record, change.name, after);
        changes.push(change);
        continue;
      }
      const { entry, ...done } = act();
      setOrDelete(record, change.name, entry);
      changes.push({ ...change, ...done });
    }
  } finally {
    if (record.size > 0 || lstatSync(folder, { throwIfNoEntry: false }) !== undefined)
      writeManifest(folder, { skills: record, made: madeInAll });
  }
  if (record.size === 0) removeEmpty(folder, madeInAll);
  return changes;
}

function setOrDelete(record: Map<string, PlacedEntry>, name: string, entry: PlacedEntry | null): void {
  if (entry === null) record.delete(name);
  else record.set(name, entry);
}

function plan(request: SyncFolderRequest, folder: string): readonly Step[] {
  const { skills } = readManifest(folder);
  const method = request.method ?? methodBefore(skills);
  const taken = new Map<string, string>();
  return [...new Set([...request.sources.keys(), ...skills.keys()])].sort().flatMap((name) => {
    const source = request.sources.get(name) ?? null;
    const recorded = skills.get(name) ?? null;
    const key = name.normalize("NFKC").toLowerCase();
    const twin = taken.get(key);
    if (source !== null) taken.set(key, name);
    const here = standing(folder, name, recorded);
    const to = toPortable(join(folder, name));
    const base = { name, from: source === null ? null : toPortable(source.from), to };
    const kept = (message: string, after = recorded): readonly Step[] => [
      { change: { ...base, action: "kept", message }, before: recorded, act: null, after },
    ];
    if (source === null) {
      if (here === "absent" || recorded === null) return [];
      if (here === "edited")
        return request.undo
          ? kept("It was changed since sync put it there, so it stays and is yours.", null)
          : kept("It is no longer offered, but was changed since sync put it there, so it stays.");
      const act = () => remove({ folder, name, recorded });
      return [{ change: { ...base, action: "removed", message: null }, before: recorded, act, after: null }];
    }
    if (isInside(folder, source.from)) {
      const message = "The agent reads it there itself.";
      return [
        { change: { ...base, action: "unchanged", message }, before: recorded, act: null, after: recorded },
      ];
    }
    if (twin !== undefined) return kept(`"${twin}" would be the same folder on some systems.`);
    if (here === "edited")
      return kept("It was changed since sync put it there, so it stays. Remove it to get it anew.");
    const step = place({ folder, name, source, recorded, here, method });
    return [{ ...step, change: { ...base, ...step.change } }];
  });
}

function methodBefore(skills: ReadonlyMap<string, PlacedEntry>): "link" | "copy" {
  const placed = [...skills.values()];
  return placed.length > 0 && placed.every(({ links }) => links.length === 0) ? "copy" : "link";
}

function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

/** What a run that was cut off left behind: names that only `sync` gives, of skills that are recorded. */
function sweep(folder: string): void {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return;
  }
  const { skills: recorded } = readManifest(folder);
  for (const name of names) {
    const skill = /^\.(.+)\.skillet-\d+-\d+(?:-old)?$/.exec(name)?.[1];
    const isOurs =
      (skill !== undefined && isFolderName(skill) && recorded.has(skill)) ||
      (name.startsWith(`.${manifestName}.`) &&
        /^[0-9a-f]{12}\.tmp$/.test(name.slice(manifestName.length + 2)));
    if (isOurs) rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Makes the folder and its parents; how many of the last three levels were made. */
function makeFolder(folder: string): number {
  try {
    const first = mkdirSync(folder, { recursive: true });
    if (first === undefined) return 0;
    let made = 1;
    for (let at = folder; at !== first && dirname(at) !== at; at = dirname(at)) made += 1;
    return Math.min(made, 3);
  } catch (error) {
    throw fileError(error, { action: "make the folder", path: folder });
  }
}

/** Takes back folders that were made for the skills, from the innermost out, as far as they are empty. */
function removeEmpty(folder: string, made: number): void {
  let at = folder;
  for (let level = 0; level < made; level += 1) {
    try {
      rmdirSync(at);
    } catch {
      return;
    }
    at = dirname(at);
  }
}
