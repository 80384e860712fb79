import { lstatSync } from "node:fs";
import { toNative } from "../../host/native-path.ts";
import { treeDigest } from "../digest/tree-digest.ts";
import { readFolder } from "./read-folder.ts";

/** An installed folder that a user added things to may be larger than what can be installed. */
export const installedLimits = { bytes: 256 * 1024 * 1024, entries: 20_000, depth: 64 };

/**
 * Tree digest of what stands at a path: null when nothing does, "other" when it is no folder of ordinary files (a
 * link, a file, a folder with links, with a `.git`, or far too much in it), which is never equal to a digest.
 */
export function folderDigest(path: string): string | null {
  const stats = lstatSync(toNative(path), { throwIfNoEntry: false });
  if (stats === undefined) return null;
  if (!stats.isDirectory()) return "other";
  const content = readFolder(path, installedLimits);
  const strange = content.links.length + content.others.length + content.unlisted.length;
  const plain = strange === 0 && content.excess === null;
  return plain ? treeDigest(content.files) : "other";
}
