import { lstatSync } from "node:fs";
import { SkilletError } from "../core/error.ts";
import { fileError } from "./file-error.ts";
import { makeFolders } from "./make-folders.ts";
import { toNative } from "./native-path.ts";

/**
 * Makes sure that a folder of Skillet's own (state, cache) is there and private. Throws `SkilletError` "environment"
 * when it is a file, a link or somebody else's folder (row G11).
 */
export function ensureOwnFolder(path: string, action: string): void {
  const native = toNative(path);
  const hint = "Remove it, or choose another folder with --data or SKILLET_DATA_DIR.";
  try {
    const problem = problemOf(native);
    if (problem === null) return;
    if (problem !== "absent")
      throw new SkilletError("environment", `Cannot ${action}: ${path} ${problem}.`, { hint });
    makeFolders(native, 0o700);
  } catch (error) {
    throw fileError(error, { action, path, hint: "Choose another folder with --data or SKILLET_DATA_DIR." });
  }
}

function problemOf(path: string): string | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return "absent";
  if (stats.isSymbolicLink()) return "is a link";
  if (!stats.isDirectory()) return "is not a folder";
  const user = process.getuid?.();
  return user !== undefined && user !== 0 && stats.uid !== user ? "belongs to another user" : null;
}
