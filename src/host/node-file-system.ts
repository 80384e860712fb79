import {
  type BigIntStats,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import type {
  DirectoryEntry,
  DirectoryRead,
  FileFailure,
  FileIdentity,
  FileKind,
  FileRead,
  FileStatus,
  FileSystem,
  ReadOptions,
} from "../core/file-system.ts";
import { readJsonFile } from "./json.ts";
import { toNative, toPortable } from "./native-path.ts";

export { nodeCodec } from "./node-codec.ts";

// Windows has none of these: links there are looked at before the file is opened, and nothing blocks.
const noFollow: number = constants.O_NOFOLLOW ?? 0;
const openFlags: number = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

const firstBuffer = 64 * 1024;
/** A buffer above this is let go after its file, so that one huge file does not cost memory for ever. */
const keptBuffer = 1024 * 1024;
/** Folders whose own record is larger (ext4: some 1,500 names) are streamed; Node's list call would hold all names. */
const streamedFolder = 64 * 1024;

const absent = { kind: "absent" } as const;
const listOptions = { withFileTypes: true, encoding: "utf8" } as const;
const ifAny = { throwIfNoEntry: false } as const;

/**
 * The disk through Node's synchronous calls: four per file (open, fstat, read, close), where a bare loop makes three.
 * Rows C04–C10, C13 and C17 of the security matrix.
 *
 * Two things to know: `bytes` of a read live until the next `readFile` of the same file system, and the names of a
 * folder that are not valid UTF-8 come back with U+FFFD in them and type "unknown" (the disk has no file of that text).
 */
export function createFileSystem(): FileSystem {
  let buffer = Buffer.allocUnsafeSlow(firstBuffer);
  /** The last file could not be opened: more of the kind may follow, and stack traces of theirs would cost most. */
  let refused = false;

  function readFile(path: string, options: ReadOptions): FileRead {
    const native = toNative(path);
    if (!options.follow && noFollow === 0 && isLink(native)) return { kind: "link" };
    const flags = options.follow ? openFlags : openFlags | noFollow;
    let descriptor: number;
    try {
      descriptor = refused ? quietly(() => openSync(native, flags)) : openSync(native, flags);
      refused = false;
    } catch (error) {
      refused = true;
      return openFailure(error, native, options.follow);
    }
    try {
      const stats = fstatSync(descriptor);
      if (options.real !== undefined && !isAt(descriptor, native, options.real))
        return { kind: "failure", code: "ESTALE" };
      if (!stats.isFile()) return { kind: "other", type: kindOf(stats) };
      if (stats.size > options.limit)
        return { kind: "too-large", size: stats.size, identity: identityOf(stats) };
      const length = fill(descriptor, stats.size, options.limit);
      if (length > options.limit) return { kind: "too-large", size: length, identity: identityOf(stats) };
      const bytes = buffer.subarray(0, length);
      if (buffer.length > keptBuffer) buffer = Buffer.allocUnsafeSlow(firstBuffer);
      return { kind: "file", bytes, identity: identityOf(stats) };
    } catch (error) {
      return failure(error);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Reads to the end, or to one byte more than `limit` of a file that grows; returns the count. */
  function fill(descriptor: number, size: number, limit: number): number {
    let total = 0;
    for (;;) {
      if (total === buffer.length || buffer.length <= size) {
        const larger = Buffer.allocUnsafeSlow(
          Math.min(Math.max(size + 1, total * 2, firstBuffer), limit + 1),
        );
        buffer.copy(larger, 0, 0, total);
        buffer = larger;
      }
      const wanted = Math.min(buffer.length, limit + 1) - total;
      const count = readSync(descriptor, buffer, total, wanted, null);
      total += count;
      if (count === 0 || total > limit) return total;
      // A short read that has reached the known size is the end. Size 0 is also what virtual files say (/proc).
      if (count < wanted && total >= size && size > 0) return total;
    }
  }

  return {
    readFile,
    readDirectory,
    realPath,
    status,
    stillness,
    readJson: (path) => readJsonFile({ readFile }, path),
  };
}

/**
 * Whether an open file is the one of that real path. Linux knows by the handle itself, so nobody can be quicker;
 * elsewhere the path is resolved once more. A file that was replaced meanwhile, as editors do, is still the one.
 */
function isAt(descriptor: number, native: string, real: string): boolean {
  try {
    if (process.platform !== "linux") return toPortable(realpathSync.native(native)) === real;
    const found = readlinkSync(`/proc/self/fd/${descriptor}`);
    return found === real || found === `${real} (deleted)`;
  } catch (error) {
    // Without /proc there is no way to tell.
    return process.platform === "linux" && codeOf(error) === "ENOENT";
  }
}

/** A folder's change time moves with every entry, but in steps of some milliseconds; within this time it tells nothing. */
const settledAfter = 1000;

/** Only Linux is asked: its change times can't be set by hand. */
function stillness(path: string): (() => boolean) | null {
  if (process.platform !== "linux") return null;
  const before = folderStamp(path);
  if (before === null || Date.now() - Number(before.ctimeMs) < settledAfter) return null;
  return () => {
    const after = folderStamp(path);
    return (
      after !== null &&
      after.ctimeNs === before.ctimeNs &&
      after.ino === before.ino &&
      after.dev === before.dev
    );
  };
}

function folderStamp(path: string): BigIntStats | null {
  try {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stats?.isDirectory() === true ? stats : null;
  } catch {
    return null;
  }
}

function openFailure(error: unknown, native: string, follow: boolean): FileRead {
  const code = codeOf(error);
  if (code === "ENOENT" || code === "ENOTDIR") return absent;
  // O_NOFOLLOW answers ELOOP (EMLINK on FreeBSD), but so does a loop among the folders above.
  if (!follow && (code === "ELOOP" || code === "EMLINK") && isLink(native)) return { kind: "link" };
  // A socket can't be opened (ENXIO), on Windows neither can a folder (EISDIR, EPERM).
  if (code === "ENXIO" || code === "EISDIR" || code === "EPERM" || code === "EOPNOTSUPP") {
    const found = status(toPortable(native), { follow });
    if (found.kind !== "failure" && found.kind !== "absent" && found.kind !== "file")
      return found.kind === "link" ? { kind: "link" } : { kind: "other", type: found.kind };
  }
  return { kind: "failure", code };
}

function readDirectory(path: string, options: { readonly limit: number }): DirectoryRead {
  const native = toNative(path);
  try {
    const stats = quietly(() => statSync(native, ifAny));
    if (stats?.isDirectory() === false) return { kind: "not-directory" };
    if (stats !== undefined && stats.size > streamedFolder)
      return streamDirectory(path, native, options.limit);
    // Listing tells what is missing from what lies below a file; newer versions of Node answer `stat` alike for both.
    return listing(path, quietly(() => readdirSync(native, listOptions)).map(entryOf), options.limit);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return absent;
    return code === "ENOTDIR" ? { kind: "not-directory" } : { kind: "failure", code };
  }
}

/**
 * Holds at most twice `limit` entries and keeps the first `limit` by name, so that a cut list is the same on every
 * disk. Stops for good after sixteen times `limit`.
 */
function streamDirectory(path: string, native: string, limit: number): DirectoryRead {
  const folder = opendirSync(native, { encoding: "utf8", bufferSize: 256 });
  let kept: DirectoryEntry[] = [];
  let seen = 0;
  try {
    for (let next = folder.readSync(); next !== null && seen < limit * 16; next = folder.readSync()) {
      seen++;
      kept.push(entryOf(next));
      if (kept.length > limit * 2) kept = kept.sort(byName).slice(0, limit);
    }
  } finally {
    folder.closeSync();
  }
  const list = listing(path, kept, limit);
  return list.kind === "directory" && seen > limit ? { ...list, truncated: true } : list;
}

function listing(path: string, entries: DirectoryEntry[], limit: number): DirectoryRead {
  sortByName(entries);
  const truncated = entries.length > limit;
  if (truncated) entries.length = limit;
  // Row C17: U+FFFD is either really in the name or stands for bytes that are no UTF-8; only the disk knows.
  const sure = entries.map((entry) =>
    entry.name.includes("\uFFFD") && status(`${path}/${entry.name}`, { follow: false }).kind === "absent"
      ? ({ name: entry.name, type: "unknown" } as const)
      : entry,
  );
  return { kind: "directory", entries: sure, truncated };
}

/** Folders of skills hold folders only; then the names alone are sorted, which the engine does without calling us. */
function sortByName(entries: DirectoryEntry[]): void {
  const type = entries[0]?.type;
  if (type === undefined || entries.some((entry) => entry.type !== type)) {
    entries.sort(byName);
    return;
  }
  const names = entries.map(({ name }) => name).sort();
  for (let index = 0; index < names.length; index++) entries[index] = { name: names[index] as string, type };
}

function realPath(path: string): { readonly kind: "path"; readonly path: string } | FileFailure {
  try {
    return { kind: "path", path: toPortable(quietly(() => realpathSync.native(toNative(path)))) };
  } catch (error) {
    return failure(error);
  }
}

function status(path: string, options: { readonly follow: boolean }): FileStatus {
  const native = toNative(path);
  try {
    // A missing file is no error here, and what is one comes seldom.
    const stats = options.follow ? statSync(native, ifAny) : lstatSync(native, ifAny);
    if (stats === undefined) return absent;
    // Mostly SKILL.md files that were read before are asked for.
    return { kind: stats.isFile() ? "file" : kindOf(stats), identity: identityOf(stats) };
  } catch (error) {
    return codeOf(error) === "ENOTDIR" ? absent : failure(error);
  }
}

/** Runs a call whose error is expected: without a stack trace it is a third cheaper (a missing file is no surprise). */
function quietly<T>(call: () => T): T {
  const depth = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return call();
  } finally {
    Error.stackTraceLimit = depth;
  }
}

function isLink(native: string): boolean {
  try {
    return lstatSync(native, ifAny)?.isSymbolicLink() === true;
  } catch {
    return false;
  }
}

function entryOf(entry: Dirent): DirectoryEntry {
  return { name: entry.name, type: kindOf(entry) };
}

function kindOf(entry: Dirent | Stats): FileKind {
  if (entry.isDirectory()) return "directory";
  if (entry.isFile()) return "file";
  if (entry.isSymbolicLink()) return "link";
  if (entry.isFIFO()) return "fifo";
  if (entry.isSocket()) return "socket";
  return entry.isCharacterDevice() || entry.isBlockDevice() ? "device" : "unknown";
}

function identityOf(stats: Stats): FileIdentity {
  return {
    device: compact(stats.dev),
    inode: compact(stats.ino),
    size: compact(stats.size),
    modified: stats.mtimeMs,
  };
}

/** The same number; a small one no longer as the floating point number that the system's table holds. */
function compact(value: number): number {
  const small = value | 0;
  return small === value ? small : value;
}

function byName(left: DirectoryEntry, right: DirectoryEntry): number {
  return left.name < right.name ? -1 : left.name > right.name ? 1 : 0;
}

function failure(error: unknown): FileFailure {
  return { kind: "failure", code: codeOf(error) };
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  // Node refuses a path with NUL before the system sees it.
  if (code === "ERR_INVALID_ARG_VALUE") return "EINVAL";
  return typeof code === "string" ? code : "EIO";
}
