import { closeSync, fchmodSync, fstatSync, fsyncSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { flushFolder } from "../../host/atomic-write.ts";
import { makeFolders } from "../../host/make-folders.ts";
import type { SkillFile } from "../digest/skill-file.ts";

/**
 * Writes files into a folder that must not exist yet and flushes them to the disk. Paths were judged before. Throws the
 * system's error and leaves what was written so far; the caller removes it.
 */
export function writeTree(folder: string, files: readonly SkillFile[]): void {
  makeFolders(folder, 0o700);
  const folders = new Set([folder]);
  for (const { path, bytes, executable } of files) {
    const target = join(folder, ...path.split("/"));
    const parent = dirname(target);
    if (!folders.has(parent)) {
      makeFolders(parent, 0o700);
      for (let at = parent; at.length > folder.length; at = dirname(at)) folders.add(at);
    }
    writeNew(target, bytes, executable ? 0o755 : 0o644);
  }
  for (const one of folders) flushFolder(one);
}

function writeNew(path: string, bytes: Uint8Array, mode: number): void {
  const descriptor = openSync(path, "wx", mode);
  try {
    // What a umask took away from the owner comes back (row G08).
    const bits = fstatSync(descriptor).mode & 0o777;
    const wanted = bits | (mode & 0o700);
    if (bits !== wanted) fchmodSync(descriptor, wanted);
    for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done, bytes.length - done);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
