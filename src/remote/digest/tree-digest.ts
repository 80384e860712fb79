import { createHash } from "node:crypto";
import { comparePaths } from "./compare-paths.ts";
import { fileDigest } from "./file-digest.ts";

/** What a tree digest needs of a file. */
export interface DigestedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/**
 * `sha256:` and 64 hex digits over a whole skill, the same on every system (docs/lock.md): one line a file, `HEX`, two
 * spaces, the path, a line feed, ordered by the bytes of the path; of these lines the SHA-256. That is what
 * `sha256sum` prints, so it can be recomputed without Skillet. Line ends of text files count as line feeds, paths in
 * normal form C. Order of `files`, times, modes and owners do not matter.
 */
export function treeDigest(files: Iterable<DigestedFile>): string {
  return treeDigestOf(Array.from(files, (file) => [file.path, fileDigest(file.bytes)] as const));
}

/** The same from digests that are known already, as they stand in a lock: pairs of path and `sha256:…`. */
export function treeDigestOf(entries: Iterable<readonly [path: string, digest: string]>): string {
  const lines = Array.from(entries, ([path, digest]) => [path.normalize("NFC"), digest] as const)
    .sort(([a], [b]) => comparePaths(a, b))
    .map(([path, digest]) => `${digest.slice("sha256:".length)}  ${path}\n`);
  return `sha256:${createHash("sha256").update(lines.join("")).digest("hex")}`;
}
