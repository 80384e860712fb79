import { rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Environment } from "../../core/environment.ts";
import { cacheFolder } from "../../core/places.ts";
import { writeFileAtomic } from "../../host/atomic-write.ts";
import { systemCode } from "../../host/file-error.ts";
import { toNative } from "../../host/native-path.ts";
import { ensureOwnFolder } from "../../host/own-folder.ts";
import { extractArchive } from "../archive/extract-archive.ts";
import { writeTarGz } from "../archive/write-archive.ts";
import type { SkillFile } from "../digest/skill-file.ts";
import { treeDigest } from "../digest/tree-digest.ts";
import { readRegular } from "./read-folder.ts";

/** Skills by their tree digest, kept so that `ci`, `update` and repairs need no network. */
export interface TreeStore {
  /** Files of that digest, proven anew; null when they are not there or not what they should be. */
  load(digest: string): readonly SkillFile[] | null;
  /** Keeps files; what is there already is left as it is. */
  save(digest: string, files: readonly SkillFile[]): Promise<void>;
}

/** Far above what a skill may have, since what is read was judged when it was stored. */
const generous = {
  packedBytes: 256 * 1024 * 1024,
  bytes: 512 * 1024 * 1024,
  entries: 100_000,
  depth: 64,
  pathBytes: 2000,
  ratio: 2000,
};

/**
 * The store in the cache folder: one packed file a skill, named by its digest, whole or absent by one rename. What
 * lies there proves itself, so neither a lock nor a marker is needed, and damage is only a miss.
 */
export function openTreeStore(environment: Environment): TreeStore {
  const folder = `${cacheFolder(environment)}/trees-v1`;
  const pathOf = (digest: string): string => {
    const hex = digest.slice("sha256:".length);
    return `${folder}/${hex.slice(0, 2)}/${hex}.tgz`;
  };
  const load = (digest: string): readonly SkillFile[] | null => {
    const path = toNative(pathOf(digest));
    try {
      const read = readRegular(path, generous.packedBytes);
      if (typeof read === "string") return null;
      const { files } = extractArchive(read.bytes, generous);
      if (treeDigest(files) === digest) return files;
      rmSync(path, { force: true });
      return null;
    } catch (error) {
      if (systemCode(error) === "unknown error") throw error;
      return null;
    }
  };
  return {
    load,
    async save(digest, files) {
      if (load(digest) !== null) return;
      ensureOwnFolder(folder, "keep the skill");
      ensureOwnFolder(dirname(pathOf(digest)), "keep the skill");
      writeFileAtomic(pathOf(digest), await writeTarGz(files), {
        action: "keep the skill",
        mode: 0o600,
        folderMode: 0o700,
      });
    },
  };
}
