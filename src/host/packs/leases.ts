import { lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { isRunning, makeFolder, ownName, type PackFolders, processOf } from "./pack-folder.ts";

/**
 * A lease says that a process reads a version's folder, so that a newer version does not remove it meanwhile (row G19).
 * It is a small file `.users/<pid>-<random>` with the machine's name in it.
 */
export interface Lease {
  /** Time of the disk that holds it now, milliseconds since the epoch; a wrong clock of ours changes nothing. */
  diskTime(): number;
  release(): void;
}

interface Held {
  readonly path: string;
  users: number;
}

/** Leases of this process, one a folder, however often it is opened. */
const held = new Map<string, Held>();

/** Leases of other machines that share the home folder cannot be tested; they count this long, in milliseconds. */
const foreignLease = 7 * 24 * 3_600_000;

/** Takes a lease, or null where nothing can be written; nothing can be removed there either. */
export function takeLease(folders: PackFolders): Lease | null {
  const key = folders.users;
  let entry = held.get(key);
  if (entry === undefined || lstatSync(entry.path, { throwIfNoEntry: false }) === undefined) {
    try {
      makeFolder(folders.users);
      const path = join(folders.users, ownName());
      writeFileSync(path, hostname(), { flag: "wx", mode: 0o600 });
      const made = { path, users: entry?.users ?? 0 };
      if (held.size === 0) process.once("exit", releaseAll);
      held.set(key, made);
      entry = made;
    } catch {
      return null;
    }
  }
  const { path } = entry;
  entry.users += 1;
  let released = false;
  return {
    diskTime: () => {
      writeFileSync(path, hostname());
      return lstatSync(path).mtimeMs;
    },
    release: () => {
      const current = held.get(key);
      if (released || current === undefined) return;
      released = true;
      current.users -= 1;
      if (current.users > 0) return;
      held.delete(key);
      if (held.size === 0) process.removeListener("exit", releaseAll);
      removeQuietly(current.path);
    },
  };
}

/** Whether somebody uses a version; leases of processes that are gone are removed on the way. */
export function isInUse(users: string, now: number): boolean {
  let names: readonly string[];
  try {
    names = readdirSync(users);
  } catch {
    return false;
  }
  return names.filter((name) => isLive(join(users, name), name, now)).length > 0;
}

function isLive(path: string, name: string, now: number): boolean {
  const pid = processOf(name);
  if (pid === null) return false;
  try {
    const age = now - lstatSync(path).mtimeMs;
    // Empty: cut off while it was made, or being made right now.
    const host = readFileSync(path, "utf8");
    const live = host === hostname() || host === "" ? isRunning(pid) : age < foreignLease;
    if (!live) removeQuietly(path);
    return live;
  } catch {
    return false;
  }
}

function releaseAll(): void {
  for (const { path } of held.values()) removeQuietly(path);
  held.clear();
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Left behind, it is removed as the lease of a process that is gone.
  }
}
