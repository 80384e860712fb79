import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { systemCode } from "../file-error.ts";
import { readIdentity } from "./inspect-skill.ts";
import { makeFolder, ownName, type PackFolders, refuseForeign } from "./pack-folder.ts";

/** Copies of one file that are kept; a program that rewrites a file for ever must not fill the disk. */
const copiesAtMost = 50;

/**
 * Keeps bytes of a file that a user changed, and returns where. Equal bytes are kept once, others get a number, so that
 * two processes that repair the same file at once leave one copy and nothing is ever overwritten (row K03).
 */
export function keepBytes(folders: PackFolders, path: string, bytes: Uint8Array): string {
  const target = placeFor(folders, path);
  const digest = createHash("sha256").update(bytes).digest("hex");
  const staged = join(folders.staging, ownName());
  makeFolder(folders.staging);
  writeFlushed(staged, bytes);
  try {
    for (let number = 1; number <= copiesAtMost; number++) {
      const candidate = numbered(target, number);
      if (readIdentity(candidate)?.digest === digest) return candidate;
      if (moveFileTo(staged, candidate)) return candidate;
      if (readIdentity(candidate)?.digest === digest) return candidate;
    }
    throw Object.assign(new Error("too many kept copies"), { code: "EEXIST" });
  } finally {
    rmSync(staged, { force: true });
  }
}

/**
 * Moves something that is no part of a skill (a file, a folder, a link itself) to where edits are kept, and returns
 * where; null when it was an empty folder or is gone already.
 */
export function moveAside(folders: PackFolders, from: string, path: string): string | null {
  const stats = lstatSync(from, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  if (stats.isDirectory() && readdirSync(from).length === 0) {
    rmdirSync(from);
    return null;
  }
  const target = placeFor(folders, path);
  for (let number = 1; number <= copiesAtMost; number++) {
    const candidate = numbered(target, number);
    if (stats.isFile()) {
      const known = readIdentity(candidate);
      if (known !== null && known.digest === readIdentity(from)?.digest) {
        unlinkSync(from);
        return candidate;
      }
      if (moveFileTo(from, candidate)) return candidate;
    } else if (stats.isSymbolicLink()) {
      if (moveLinkTo(from, candidate)) return candidate;
    } else if (moveFolderTo(from, candidate)) return candidate;
  }
  throw Object.assign(new Error("too many kept copies"), { code: "EEXIST" });
}

function numbered(target: string, number: number): string {
  return number === 1 ? target : `${target}.${number}`;
}

function placeFor(folders: PackFolders, path: string): string {
  const target = join(folders.edited, path);
  const missing: string[] = [];
  for (let folder = dirname(target); folder !== folders.top; folder = dirname(folder)) missing.push(folder);
  missing.reverse();
  refuseForeign(missing);
  for (const folder of missing) makeFolder(folder);
  return target;
}

/** A hard link is refused where something stands, which a rename is not; false when the name is taken. */
function moveFileTo(from: string, to: string): boolean {
  try {
    linkSync(from, to);
  } catch (error) {
    const code = systemCode(error);
    if (code === "EEXIST") return false;
    if (code === "ENOENT") throw error;
    try {
      // Disks without hard links.
      copyFileSync(from, to, constants.COPYFILE_EXCL);
    } catch (copyError) {
      if (systemCode(copyError) === "EEXIST") return false;
      throw copyError;
    }
  }
  rmSync(from, { force: true });
  return true;
}

function moveLinkTo(from: string, to: string): boolean {
  try {
    symlinkSync(readlinkSync(from), to);
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
  unlinkSync(from);
  return true;
}

function moveFolderTo(from: string, to: string): boolean {
  if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) return false;
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST", "ENOTDIR", "EISDIR"].includes(systemCode(error))) return false;
    throw error;
  }
}

function writeFlushed(path: string, bytes: Uint8Array): void {
  const descriptor = openSync(path, "wx", 0o600);
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done, bytes.length - done);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
