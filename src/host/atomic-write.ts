import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileError, systemCode } from "./file-error.ts";
import { makeFolders } from "./make-folders.ts";
import { toNative } from "./native-path.ts";

export interface AtomicWriteOptions {
  /** Completes "Cannot …" in an error: `store the state`. */
  readonly action: string;
  /** What helps when it fails, e.g. which setting moves the folder. */
  readonly hint?: string;
  /** Permission bits of a new file, default 0o644; an existing file keeps its own. Never wider than the umask allows. */
  readonly mode?: number;
  /** Permission bits of folders that are made on the way, default 0o755. */
  readonly folderMode?: number;
  /** Where the file is a link, write to what it points to (settings kept elsewhere). Default: the link is replaced. */
  readonly followLink?: boolean;
}

/**
 * Writes a whole file or nothing (invariant 7): a new file beside it, written, flushed and renamed over it, then the
 * folder flushed. Whoever reads meanwhile sees the old or the new content, also after a crash. Throws `SkilletError`
 * with path and reason and leaves nothing behind; costs some milliseconds for the flushes.
 */
export function writeFileAtomic(path: string, data: string | Uint8Array, options: AtomicWriteOptions): void {
  const given = toNative(path);
  try {
    const target = options.followLink === true ? throughLink(given) : given;
    ensureFolder(dirname(target), options.folderMode ?? 0o755);
    const mode = existingMode(target);
    const temporary = temporaryBeside(target);
    try {
      writeNew(temporary, data, { mode: mode ?? options.mode ?? 0o644, exact: mode !== null });
      renameOver(temporary, target);
    } catch (error) {
      unlinkQuietly(temporary);
      throw error;
    }
    flushFolder(dirname(target));
  } catch (error) {
    throw fileError(error, { action: options.action, path, hint: options.hint });
  }
}

/** A free name in the same folder, so that a rename stays on one disk (row G20). */
export function temporaryBeside(target: string): string {
  const name = basename(target).slice(0, 60);
  return join(dirname(target), `.${name}.${randomBytes(6).toString("hex")}.tmp`);
}

/** Makes what is lost by a power cut last: the names in a folder. Not possible on every system, so failures are fine. */
export function flushFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Windows and some network disks can't; the rename itself is still whole.
  }
}

function ensureFolder(folder: string, mode: number): void {
  try {
    if (statSync(folder).isDirectory()) return;
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
  }
  makeFolders(folder, mode);
  // A umask like 0777 would make a folder that its owner cannot use (row G08).
  if ((statSync(folder).mode & 0o700) !== 0o700) chmodSync(folder, 0o700);
}

function writeNew(
  path: string,
  data: string | Uint8Array,
  { mode, exact }: { readonly mode: number; readonly exact: boolean },
): void {
  const descriptor = openSync(path, "wx", mode);
  try {
    const bits = fstatSync(descriptor).mode & 0o777;
    const wanted = exact ? mode : bits | 0o600;
    if (bits !== wanted) fchmodSync(descriptor, wanted);
    const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : data;
    for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done, bytes.length - done);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function renameOver(from: string, to: string): void {
  for (let attempt = 1; ; attempt++) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      // Virus scanners and indexers on Windows hold new files open for a moment.
      const held = process.platform === "win32" && ["EPERM", "EACCES", "EBUSY"].includes(systemCode(error));
      if (!held || attempt === 8) throw error;
      pause(5 * 2 ** attempt);
    }
  }
}

/** Blocks this thread for some milliseconds. */
export function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

function throughLink(path: string): string {
  try {
    return lstatSync(path).isSymbolicLink() ? realpathSync.native(path) : path;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return path;
    throw error;
  }
}

function existingMode(path: string): number | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? stats.mode & 0o777 : null;
}

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was never made, or the disk is gone.
  }
}
