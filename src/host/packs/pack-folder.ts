import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../file-error.ts";
import { toNative } from "../native-path.ts";

/** Folders of one pack in the data folder, in the system's own form. */
export interface PackFolders {
  /** The data folder itself; it may be a link, that is the user's decision. */
  readonly data: string;
  /** `<data>/builtin_skills`. */
  readonly top: string;
  readonly version: string;
  /** `<data>/builtin_skills/<version>/skills`. */
  readonly skills: string;
  /** Half-made things; never searched. */
  readonly staging: string;
  readonly marker: string;
  readonly users: string;
  /** Where a user's edits of this version are kept. */
  readonly edited: string;
}

/** Name beside the versions; no version is called like that. */
export const editedFolder = "edited";

export function packFolders(data: string, folder: string, version: string): PackFolders {
  const top = join(toNative(data), folder);
  const own = join(top, version);
  return {
    data: toNative(data),
    top,
    version: own,
    skills: join(own, "skills"),
    staging: join(own, ".tmp"),
    marker: join(own, ".extracted"),
    users: join(own, ".users"),
    edited: join(top, editedFolder, version),
  };
}

/** A folder that is not ours to write to, with a sentence that says why (rows G11, K04). */
export class UnusableFolder extends Error {
  readonly path: string;

  constructor(path: string, problem: string) {
    super(problem);
    this.path = path;
  }
}

/** Refuses links, files and other people's folders in the place of these folders; missing ones are fine. */
export function refuseForeign(paths: readonly string[]): void {
  for (const path of paths) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    if (stats.isSymbolicLink())
      throw new UnusableFolder(path, "it is a link, and links are not followed here");
    if (!stats.isDirectory()) throw new UnusableFolder(path, "it is not a folder");
    const user = process.getuid?.();
    if (user !== undefined && user !== 0 && stats.uid !== user)
      throw new UnusableFolder(path, "it belongs to another user");
  }
}

/** Makes a private folder where there is none; one that is there stays as it is. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
    return;
  }
  // A umask like 0777 would make a folder that its owner cannot use (row G08).
  if ((lstatSync(path).mode & 0o700) !== 0o700) chmodSync(path, 0o700);
}

/** A name nobody else uses: the process, then something random. */
export function ownName(): string {
  return `${process.pid}-${randomBytes(6).toString("hex")}`;
}

/** The process that a name of `ownName` belongs to; null for other names. */
export function processOf(name: string): number | null {
  const found = /^(\d{1,10})-[0-9a-f]{12}$/.exec(name);
  return found === null ? null : Number(found[1]);
}

/** Whether a process of this number runs on this machine. */
export function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== "ESRCH";
  }
}
