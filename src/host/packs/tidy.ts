import { lstatSync, readdirSync, readFileSync, renameSync, rmSync, type Stats } from "node:fs";
import { join } from "node:path";
import { parseProvenMarker } from "../../core/packs/marker.ts";
import { isOlderVersion } from "../../core/packs/older-version.ts";
import { isLeftOver } from "../../core/packs/pack.ts";
import { readIdentity } from "./inspect-skill.ts";
import { moveAside } from "./keep-aside.ts";
import { isInUse } from "./leases.ts";
import { editedFolder, isRunning, ownName, type PackFolders, packFolders, processOf } from "./pack-folder.ts";

/** Milliseconds for which nothing is removed: half-made folders, and old versions that nobody seems to use. */
export const graceTime = 24 * 3_600_000;

export interface TidyOptions {
  readonly version: string;
  /** Time of the disk, milliseconds since the epoch; asked only when something might be removed. */
  now(): number;
  /** Default `graceTime`. */
  readonly grace?: number | undefined;
}

/**
 * Removes what nobody needs: half-made folders of processes that are gone, and older versions out of use. Never a newer
 * version, never a name that is no version, never through a link, never what a user wrote (rows G12, G18, G19, K05).
 * Whatever cannot be removed stays for the next time. Returns where edits of old versions are kept now.
 */
export function tidy(folders: PackFolders, options: TidyOptions): readonly string[] {
  const grace = options.grace ?? graceTime;
  sweep(folders.staging, options.now, grace);
  const kept: string[] = [];
  for (const name of namesIn(folders.top)) {
    const removal = /^\.old-(\d+-[0-9a-f]{12})$/.exec(name);
    if (removal !== null) {
      if (!isRunning(processOf(removal[1] ?? "") ?? 0)) removeTree(join(folders.top, name));
    } else if (name !== editedFolder && isOlderVersion(name, options.version))
      kept.push(...removeVersion(packFolders(folders.data, topName(folders), name), options.now(), grace));
  }
  return kept;
}

function topName(folders: PackFolders): string {
  return folders.top.slice(folders.data.length + 1);
}

/** Half-made things of dead processes, older than the grace time. */
function sweep(staging: string, now: () => number, grace: number): void {
  for (const name of namesIn(staging)) {
    const path = join(staging, name);
    const stats = look(path);
    const pid = processOf(name);
    if (stats === null || pid === null || isRunning(pid) || now() - stats.mtimeMs < grace) continue;
    removeTree(path);
  }
}

function removeVersion(old: PackFolders, now: number, grace: number): readonly string[] {
  const stats = look(old.version);
  if (stats === null || !stats.isDirectory()) return [];
  const lastUse = [old.version, old.marker, old.users].map((path) => look(path)?.mtimeMs ?? 0);
  if (now - Math.max(...lastUse) < grace || isInUse(old.users, now)) return [];
  try {
    const kept = keepEdits(old);
    if (kept === null) return [];
    const aside = join(old.top, `.old-${ownName()}`);
    renameSync(old.version, aside);
    // Somebody may have come between the look and the rename; then it goes back, unless it was made anew by then.
    if (isInUse(join(aside, ".users"), now)) {
      if (look(old.version) === null) renameSync(aside, old.version);
      return kept;
    }
    removeTree(aside);
    return kept;
  } catch {
    return [];
  }
}

/** Moves everything aside that is not exactly what was extracted; null when that cannot be told. */
function keepEdits(old: PackFolders): readonly string[] | null {
  const marker = parseProvenMarker(readText(old.marker));
  if (marker === null) return null;
  const kept: string[] = [];
  const walk = (inner: string): void => {
    for (const name of namesIn(join(old.skills, inner))) {
      if (isLeftOver(name)) continue;
      const path = inner === "" ? name : `${inner}/${name}`;
      const stats = look(join(old.skills, path));
      if (stats?.isDirectory() === true) {
        walk(path);
        continue;
      }
      const known = marker.files.get(path);
      if (known !== undefined && stats?.isFile() === true) {
        if (stats.mtimeMs === known.modified && stats.ctimeMs === known.changed) continue;
        if (readIdentity(join(old.skills, path))?.digest === known.digest) continue;
      }
      const place = moveAside(old, join(old.skills, path), path);
      if (place !== null) kept.push(place);
    }
  };
  walk("");
  return kept;
}

function namesIn(folder: string): readonly string[] {
  try {
    return look(folder)?.isDirectory() === true ? readdirSync(folder).sort() : [];
  } catch {
    return [];
  }
}

function look(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}

function readText(path: string): string {
  try {
    return look(path)?.isFile() === true ? readFileSync(path, "utf8") : "";
  } catch {
    return "";
  }
}

function removeTree(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The next start tries again.
  }
}
