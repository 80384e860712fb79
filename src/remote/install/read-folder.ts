import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
} from "node:fs";
import { join } from "node:path";
import { fileError } from "../../host/file-error.ts";
import { toNative } from "../../host/native-path.ts";
import type { ArchiveLink } from "../archive/judge-entries.ts";
import { isJunk, isSystemFile } from "../digest/junk.ts";
import type { SkillFile } from "../digest/skill-file.ts";

export interface FolderContent {
  readonly files: readonly SkillFile[];
  readonly links: readonly ArchiveLink[];
  /** Pipes, devices, sockets. */
  readonly others: readonly string[];
  /** What was left out although somebody may need it: `.git`, and all that is more than a system's small file. */
  readonly unlisted: readonly string[];
  /** Folders with no file in them and no folder. */
  readonly empty: readonly string[];
  /** Why not all of it was read; null = it was. */
  readonly excess: string | null;
}

export interface FolderLimits {
  readonly bytes: number;
  readonly entries: number;
  readonly depth: number;
}

/**
 * Reads a skill's folder from disk: regular files by content, links by their text and never through them, what
 * systems put there left out. Opens nothing that could block. Throws `SkilletError` when something cannot be read.
 */
export function readFolder(folder: string, limits: FolderLimits): FolderContent {
  const top = toNative(folder);
  const files: SkillFile[] = [];
  const links: ArchiveLink[] = [];
  const others: string[] = [];
  const unlisted: string[] = [];
  const empty: string[] = [];
  let [entries, bytes] = [0, 0];
  let excess: string | null = null;
  const walk = (inner: string, depth: number): void => {
    const inside = readdirSync(join(top, inner), { withFileTypes: true }).sort(byName);
    if (inner !== "" && inside.every((entry) => isDroppable(entry))) empty.push(inner);
    for (const entry of inside) {
      const path = inner === "" ? entry.name : `${inner}/${entry.name}`;
      if (isJunk(entry.name)) {
        if (!isDroppable(entry)) unlisted.push(path);
        continue;
      }
      entries += 1;
      if (entries > limits.entries) excess ??= `it has more than ${limits.entries} files and folders`;
      else if (depth > limits.depth) excess ??= `it is more than ${limits.depth} folders deep`;
      if (excess !== null) return;
      if (entry.isDirectory()) walk(path, depth + 1);
      else if (entry.isSymbolicLink()) links.push({ path, target: readlinkSync(join(top, path)) });
      else if (entry.isFile()) {
        const file = readRegular(join(top, path), limits.bytes - bytes);
        if (file === "too-large") excess = `it has more than ${limits.bytes} bytes`;
        else if (file === "other") others.push(path);
        else {
          bytes += file.bytes.length;
          files.push({ path, ...file });
        }
      } else others.push(path);
    }
  };
  try {
    walk("", 0);
  } catch (error) {
    throw fileError(error, { action: "read the skill", path: folder });
  }
  return { files, links, others, unlisted, empty, excess };
}

/** One regular file without following a link; "other" when it is something else by now. */
export function readRegular(
  path: string,
  most: number,
): { readonly bytes: Uint8Array; readonly executable: boolean } | "too-large" | "other" {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const descriptor = openSync(path, flags);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return "other";
    if (stats.size > most) return "too-large";
    const bytes = Buffer.alloc(stats.size);
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(descriptor, bytes, length, bytes.length - length, null);
      if (read === 0) break;
      length += read;
    }
    const executable = process.platform !== "win32" && (stats.mode & 0o100) !== 0;
    return { bytes: bytes.subarray(0, length), executable };
  } finally {
    closeSync(descriptor);
  }
}

function isDroppable(entry: Dirent): boolean {
  return entry.isFile() && isSystemFile(entry.name);
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
