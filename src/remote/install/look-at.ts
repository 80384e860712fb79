import { existsSync, statSync } from "node:fs";
import { toNative } from "../../host/native-path.ts";

/** What stands at a local path, for `parseSource`. */
export function lookAt(path: string): "folder" | "bare" | "file" | "absent" {
  const native = toNative(path);
  const stats = statSync(native, { throwIfNoEntry: false });
  if (stats === undefined) return "absent";
  if (!stats.isDirectory()) return stats.isFile() ? "file" : "absent";
  const isBare = ["HEAD", "objects", "refs"].every((name) => existsSync(`${native}/${name}`));
  return isBare ? "bare" : "folder";
}
