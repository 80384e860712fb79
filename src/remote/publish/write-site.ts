import { randomBytes } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SkilletError } from "../../core/error.ts";
import { fileError } from "../../host/file-error.ts";
import { makeFolders } from "../../host/make-folders.ts";
import { toNative, toPortable } from "../../host/native-path.ts";
import { type Site, siteMark } from "./build-site.ts";

/**
 * Writes a site to a folder that is new, empty, or was written by `publish` before: as a whole beside it, then by
 * renames. Throws `SkilletError` "denied" for a folder that holds anything else.
 */
export function writeSite(site: Site, out: string): void {
  const target = toNative(out);
  refuseForeign(target);
  const parent = dirname(target);
  const name = `.${basename(target)}.skillet-${randomBytes(6).toString("hex")}`;
  const [fresh, old] = [join(parent, name), join(parent, `${name}-old`)];
  try {
    makeFolders(parent);
    for (const [path, bytes] of site) {
      const file = join(fresh, ...path.split("/"));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes, { flag: "wx" });
    }
    const before = existsSync(target);
    if (before) renameSync(target, old);
    try {
      renameSync(fresh, target);
    } catch (error) {
      if (before) renameSync(old, target);
      throw error;
    }
    rmSync(old, { recursive: true, force: true });
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    throw fileError(error, { action: "write the site", path: out });
  }
}

function refuseForeign(target: string): void {
  const stats = lstatSync(target, { throwIfNoEntry: false });
  if (stats === undefined) return;
  const ours =
    stats.isDirectory() &&
    existsSync(join(target, siteMark)) &&
    readdirSync(target).every((name) => name === ".well-known");
  if (ours || (stats.isDirectory() && readdirSync(target).length === 0)) return;
  throw new SkilletError("denied", `${toPortable(target)} holds something that publish did not write.`, {
    hint: "Nothing was changed. Name a new folder, or empty this one.",
  });
}
