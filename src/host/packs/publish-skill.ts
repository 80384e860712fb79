import {
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { PackFile, PackSkill } from "../../core/packs/pack.ts";
import { flushFolder, pause } from "../atomic-write.ts";
import { systemCode } from "../file-error.ts";
import { foldersOf } from "./inspect-skill.ts";
import { makeFolder, ownName, type PackFolders } from "./pack-folder.ts";
import type { Steps } from "./steps.ts";

export type FileBytes = (file: PackFile) => Uint8Array;

/** Names that a rename gives when something that it does not replace stands in the place. */
const taken: ReadonlySet<string> = new Set(["ENOTEMPTY", "EEXIST", "ENOTDIR", "EISDIR"]);

/**
 * Puts a whole skill folder in its place by one rename of a folder that nobody looks into: whoever reads meanwhile sees
 * no skill or a whole one (security.md 3.3, row K01). "taken": something else stands there, and nothing was changed.
 */
export function* publishSkill(
  folders: PackFolders,
  skill: PackSkill,
  bytes: FileBytes,
): Steps<"published" | "taken"> {
  makeFolder(folders.staging);
  const staged = join(folders.staging, ownName());
  try {
    makeFolder(staged);
    yield;
    for (const folder of [...foldersOf(skill)].sort()) makeFolder(join(staged, folder));
    for (const file of skill.files) {
      yield;
      writeNewFile(join(staged, file.path), bytes(file), file.executable);
    }
    for (const folder of foldersOf(skill)) flushFolder(join(staged, folder));
    flushFolder(staged);
    yield;
    const place = join(folders.skills, skill.name);
    try {
      // Elsewhere a rename takes the place of an empty folder by itself.
      if (process.platform === "win32") removeEmpty(place);
      rename(staged, place);
    } catch (error) {
      if (taken.has(systemCode(error))) return "taken";
      throw error;
    }
    return "published";
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

/** Puts one right file in the place of a wrong or missing one: readers see the old or the new content. */
export function* replaceFile(
  folders: PackFolders,
  target: string,
  { file, bytes }: { readonly file: PackFile; readonly bytes: FileBytes },
): Steps<void> {
  makeFolder(folders.staging);
  const staged = join(folders.staging, ownName());
  try {
    writeNewFile(staged, bytes(file), file.executable);
    yield;
    rename(staged, target);
  } finally {
    rmSync(staged, { force: true });
  }
}

function writeNewFile(path: string, bytes: Uint8Array, executable: boolean): void {
  const descriptor = openSync(path, "wx", executable ? 0o755 : 0o644);
  try {
    // What the umask took away from the owner comes back: a skill must be readable and its scripts runnable (row G08).
    const bits = fstatSync(descriptor).mode & 0o777;
    const wanted = bits | (executable ? 0o700 : 0o600);
    if (bits !== wanted) fchmodSync(descriptor, wanted);
    for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done, bytes.length - done);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It is not there or not empty; the rename says so.
  }
}

function rename(from: string, to: string): void {
  for (let attempt = 1; ; attempt++) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      // Virus scanners and indexers on Windows hold new files open for a moment.
      const held = process.platform === "win32" && ["EPERM", "EACCES", "EBUSY"].includes(systemCode(error));
      if (!held || attempt === 6) throw error;
      pause(5 * 2 ** attempt);
    }
  }
}
