import { lstatSync } from "node:fs";
import { toNative } from "../../host/native-path.ts";
import { fileDigest } from "../digest/file-digest.ts";
import type { SkillFile } from "../digest/skill-file.ts";
import { treeDigest } from "../digest/tree-digest.ts";
import type { LockedSkill } from "../lock/lock-data.ts";
import { installedLimits } from "./folder-digest.ts";
import { expectedFiles } from "./kept-edits.ts";
import { readFolder } from "./read-folder.ts";

/** What stands where a skill should be. "other": a link, a file, or a folder that no copy of ours can be. */
export type DiskSkill =
  | { readonly kind: "absent" }
  | {
      readonly kind: "folder";
      readonly files: readonly SkillFile[];
      readonly digest: string;
      /** What no digest sees, see `ownThings`. */
      readonly unlisted: readonly string[];
      readonly empty: readonly string[];
    }
  | { readonly kind: "other"; readonly what: string };

/** Reads an installed skill. Throws `SkilletError` when it cannot be read. */
export function diskSkill(path: string): DiskSkill {
  const stats = lstatSync(toNative(path), { throwIfNoEntry: false });
  if (stats === undefined) return { kind: "absent" };
  if (stats.isSymbolicLink()) return { kind: "other", what: "a link" };
  if (!stats.isDirectory()) return { kind: "other", what: "a file" };
  const { files, links, others, unlisted, empty, excess } = readFolder(path, installedLimits);
  if (excess !== null) return { kind: "other", what: `a folder of which ${excess}` };
  if (links.length + others.length > 0)
    return { kind: "other", what: "a folder with links or special files in it" };
  return { kind: "folder", files, digest: treeDigest(files), unlisted, empty };
}

export interface DiskDifference {
  readonly path: string;
  readonly action: "added" | "changed" | "removed";
}

/**
 * How a folder differs from what the lock says with the edits it knows, ordered by path. Who may run a file counts where
 * the system knows that. A lock without digests differs from nothing.
 */
export function differences(files: readonly SkillFile[], locked: LockedSkill): readonly DiskDifference[] {
  if (locked.digest === null) return [];
  const found: DiskDifference[] = [];
  const left = new Map(expectedFiles(locked));
  for (const { path, bytes, executable } of files) {
    const known = left.get(path.normalize("NFC")) ?? left.get(path);
    left.delete(path.normalize("NFC"));
    left.delete(path);
    if (known === undefined) found.push({ path, action: "added" });
    else if (
      known.digest !== fileDigest(bytes) ||
      (process.platform !== "win32" && known.executable !== executable)
    ) {
      found.push({ path, action: "changed" });
    }
  }
  for (const path of left.keys()) found.push({ path, action: "removed" });
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}
