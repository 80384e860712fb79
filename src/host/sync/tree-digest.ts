import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
} from "node:fs";
import { join } from "node:path";
import { deepestFolder, ownFile } from "../copy-skill-folder.ts";
import { systemCode } from "../file-error.ts";

/** Files and folders of one copy; a larger one is never taken for ours. */
const entryBound = 50_000;

/**
 * A digest of everything in a folder: names, kinds, bytes, and who may run a file. Equal for two folders exactly when
 * one is an unedited copy of the other. Links and special files count as what they are and are never followed. Null
 * when the folder cannot be read whole. `path` is the system's own. `asCopied`: the digest that `copySkillFolder` of it
 * would have.
 */
export function treeDigest(path: string, options: { readonly asCopied?: boolean } = {}): string | null {
  const asCopied = options.asCopied === true;
  const hash = createHash("sha256");
  let count = 0;
  let top = path;
  const file = (name: string, real: string): void => {
    const { digest, executable } = fileDigest(real);
    hash.update(`file\0${name}\0${executable ? "x" : "-"}\0${digest}\0`);
  };
  const walk = (folder: string, prefix: string, depth: number): void => {
    const entries = readdirSync(folder, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))) {
      count += 1;
      if (count > entryBound) throw new RangeError("too many entries");
      const inner = join(folder, entry.name);
      const name = `${prefix}${entry.name}`;
      if (entry.isDirectory() && (!asCopied || depth < deepestFolder)) {
        hash.update(`folder\0${name}\0`);
        walk(inner, `${name}/`, depth + 1);
      } else if (entry.isFile()) file(name, inner);
      else if (asCopied) {
        const real = entry.isSymbolicLink() ? ownFile(top, inner) : null;
        if (real !== null) file(name, real);
      } else if (entry.isSymbolicLink()) hash.update(`link\0${name}\0${readlinkSync(inner)}\0`);
      else hash.update(`special\0${name}\0`);
    }
  };
  try {
    top = realpathSync(path);
    walk(top, "", 0);
  } catch (error) {
    if (error instanceof RangeError || systemCode(error) !== "unknown error") return null;
    throw error;
  }
  return `sha256:${hash.digest("hex")}`;
}

function fileDigest(path: string): { readonly digest: string; readonly executable: boolean } {
  const descriptor = openSync(
    path,
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  );
  try {
    const hash = createHash("sha256");
    const buffer = Buffer.allocUnsafe(65_536);
    for (let read = 1; read > 0; ) {
      read = readSync(descriptor, buffer, 0, buffer.length, null);
      hash.update(buffer.subarray(0, read));
    }
    const executable = process.platform !== "win32" && (fstatSync(descriptor).mode & 0o100) !== 0;
    return { digest: hash.digest("hex"), executable };
  } finally {
    closeSync(descriptor);
  }
}
