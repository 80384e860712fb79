import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { decodeIndex, encodeIndex, indexFormat } from "../core/search/index-file.ts";
import type { StoredIndex } from "../core/search/stored-index.ts";
import { writeFileAtomic } from "./atomic-write.ts";

/** Search indexes kept on disk. Nothing here throws: a folder that cannot be used only costs time. */
export interface IndexCache {
  /** The index of documents with exactly these keys, else the one used last if half of its documents are wanted. */
  read(keys: readonly string[]): StoredIndex | null;
  keep(stored: StoredIndex): void;
}

/** Indexes that are kept, the ones used last. */
const keptFiles = 4;
/** Leading bytes of a file: the digest of the rest. */
const digestBytes = 32;
const ending = ".index";

/**
 * Keeps indexes in `folder`, one file each, named by what they were made of. A file appears whole, by one rename; one
 * that is damaged or of another version is passed over. At most four are kept.
 */
export function indexCache(folder: string): IndexCache {
  const pathOf = (keys: readonly string[]): string => {
    const digest = createHash("sha256")
      .update(`${indexFormat}\n${keys.join("\n")}`)
      .digest("hex");
    return join(folder, digest + ending);
  };
  /** Files of the folder, the one used last first. */
  const files = (): readonly string[] => {
    try {
      return readdirSync(folder)
        .map((name) => join(folder, name))
        .map((path) => ({ path, used: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
        .sort((a, b) => b.used - a.used || (a.path < b.path ? -1 : 1))
        .map(({ path }) => path);
    } catch {
      return [];
    }
  };
  return {
    read: (keys) => {
      const exact = readIndex(pathOf(keys));
      if (exact !== null && sameKeys(exact.keys, keys)) return exact;
      const last = files().find((path) => path.endsWith(ending));
      const other = last === undefined ? null : readIndex(last);
      if (other === null) return null;
      const wanted = new Set(keys);
      return other.keys.filter((key) => wanted.has(key)).length * 2 >= other.keys.length ? other : null;
    },
    keep: (stored) => {
      const path = pathOf(stored.keys);
      try {
        const bytes = encodeIndex(stored);
        const digest = createHash("sha256").update(bytes).digest();
        writeFileAtomic(path, Buffer.concat([digest, bytes]), {
          action: "keep the index",
          mode: 0o600,
          folderMode: 0o700,
        });
        for (const old of files().slice(keptFiles)) rmSync(old, { force: true });
      } catch {
        // It is made again next time.
      }
    },
  };
}

function sameKeys(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key, place) => key === other[place]);
}

function readIndex(path: string): StoredIndex | null {
  try {
    const bytes = readFileSync(path);
    const rest = bytes.subarray(digestBytes);
    const digest = createHash("sha256").update(rest).digest();
    if (!digest.equals(bytes.subarray(0, digestBytes))) return null;
    touch(path);
    return decodeIndex(rest);
  } catch {
    return null;
  }
}

/** Notes that the file was used just now; where nothing can be written that does not matter. */
function touch(path: string): void {
  try {
    const now = new Date();
    utimesSync(path, now, now);
  } catch {
    // The index is as good as before.
  }
}
