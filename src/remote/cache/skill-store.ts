import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isScript } from "../../core/policy/is-script.ts";
import { type PulledFile, type PulledSkill, storedFolder } from "../../core/remote/pulled-record.ts";
import { flushFolder } from "../../host/atomic-write.ts";
import { fileError, systemCode } from "../../host/file-error.ts";
import { toNative } from "../../host/native-path.ts";
import { ensureOwnFolder } from "../../host/own-folder.ts";
import type { SkillFile } from "../digest/skill-file.ts";
import { treeDigestOf } from "../digest/tree-digest.ts";
import { bytesDigest } from "../index/entry-findings.ts";
import { writeTree } from "./write-tree.ts";

/** What the store needs to know of a skill to find and prove it. */
export type StoredSkill = Pick<PulledSkill, "name" | "content" | "files">;

/** Pulled skills by content: a folder there is whole or absent, never changed, and shared by every source and version. */
export interface SkillStore {
  /** True when every file is there as it arrived and nothing was added. Reads all of it. */
  holds(skill: StoredSkill): boolean;
  /** One file, proven; null when it is not there as it arrived. */
  read(skill: StoredSkill, path: string): Uint8Array | null;
  /** Puts a skill there, whole, by one rename. Throws `SkilletError` when the disk refuses; nothing is left then. */
  put(skill: StoredSkill, files: readonly SkillFile[]): void;
  /** Removes what neither `live` names nor anybody wrote lately; never follows links. Returns how many. */
  prune(live: ReadonlySet<string>): number;
}

const action = "keep the pulled skill";
const taken: ReadonlySet<string> = new Set(["ENOTEMPTY", "EEXIST", "ENOTDIR", "EISDIR", "EPERM", "EACCES"]);
/** Younger left-overs may belong to a pull that is at work. */
const grace = 24 * 60 * 60 * 1000;

/** What a record keeps of files. */
export function describeFiles(
  files: readonly SkillFile[],
  etags: ReadonlyMap<string, string>,
): { readonly files: readonly PulledFile[]; readonly content: string } {
  const described = [...files]
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .map(
      ({ path, bytes, executable }): PulledFile => ({
        path,
        digest: bytesDigest(bytes),
        bytes: bytes.length,
        script: isScript({ path, executable, head: bytes.subarray(0, 4) }),
        etag: etags.get(path) ?? null,
      }),
    );
  return { files: described, content: treeDigestOf(described.map(({ path, digest }) => [path, digest])) };
}

/** The store below a cache folder (docs/remote.md). */
export function openSkillStore(folder: string): SkillStore {
  const placeOf = (skill: StoredSkill): string => toNative(storedFolder(folder, skill));
  const read = (skill: StoredSkill, path: string): Uint8Array | null => {
    const file = skill.files.find((one) => one.path === path);
    return file === undefined ? null : provenFile(join(placeOf(skill), ...path.split("/")), file);
  };
  const holds = (skill: StoredSkill): boolean => {
    const place = placeOf(skill);
    if (lstatSync(place, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
    return (
      skill.files.every(({ path }) => read(skill, path) !== null) && countFiles(place) === skill.files.length
    );
  };
  return {
    holds,
    read,
    put(skill, files) {
      if (holds(skill)) return;
      const place = dirname(placeOf(skill));
      ensureOwnFolder(folder, action);
      const staging = join(toNative(folder), "tmp", `${process.pid}-${randomBytes(8).toString("hex")}`);
      try {
        ensureOwnFolder(dirname(place), action);
        writeTree(join(staging, skill.name), files);
        for (let attempt = 1; ; attempt++) {
          try {
            renameSync(staging, place);
            break;
          } catch (error) {
            if (!taken.has(systemCode(error)) || attempt === 5) throw error;
            if (holds(skill)) break;
            // Something broken stands there, left by a fault of the disk or by hand.
            renameSync(place, `${staging}.aside-${attempt}`);
          }
        }
        flushFolder(dirname(place));
      } catch (error) {
        throw fileError(error, {
          action,
          path: storedFolder(folder, skill),
          hint: "Choose another folder with --data or SKILLET_DATA_DIR.",
        });
      } finally {
        removeQuietly(staging);
        for (let attempt = 1; attempt < 5; attempt++) removeQuietly(`${staging}.aside-${attempt}`);
      }
    },
    prune: (live) => pruneStore(toNative(folder), new Set([...live].map((path) => dirname(toNative(path))))),
  };
}

/** A regular file that is what the record says, opened without following a link or waiting for a pipe. */
function provenFile(path: string, file: PulledFile): Uint8Array | null {
  let descriptor: number;
  try {
    descriptor = openSync(
      path,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
  } catch {
    return null;
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size !== file.bytes) return null;
    const bytes = new Uint8Array(file.bytes);
    for (let at = 0; at < bytes.length; ) {
      const got = readSync(descriptor, bytes, at, bytes.length - at, null);
      if (got === 0) return null;
      at += got;
    }
    return bytesDigest(bytes) === file.digest ? bytes : null;
  } catch {
    return null;
  } finally {
    closeSync(descriptor);
  }
}

function countFiles(folder: string): number {
  let count = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    count += entry.isDirectory() ? countFiles(join(folder, entry.name)) : 1;
  return count;
}

function pruneStore(folder: string, live: ReadonlySet<string>): number {
  let removed = 0;
  const old = (path: string): boolean => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats !== undefined && Math.abs(Date.now() - stats.mtimeMs) > grace;
  };
  const drop = (path: string): void => {
    removeQuietly(path);
    removed++;
  };
  for (const name of namesIn(join(folder, "tmp")))
    if (old(join(folder, "tmp", name))) drop(join(folder, "tmp", name));
  for (const name of namesIn(join(folder, "store"))) {
    const path = join(folder, "store", name);
    if (/^[0-9a-f]{32}-/.test(name) && !live.has(path) && old(path)) drop(path);
  }
  return removed;
}

function namesIn(folder: string): readonly string[] {
  try {
    if (lstatSync(folder).isSymbolicLink()) return [];
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Left over; a later prune tries again.
  }
}
