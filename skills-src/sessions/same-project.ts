import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";

/** The path without links; as it is where it no longer exists. */
export function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** Whether `path` is `folder` or lies below it. */
export function inside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !/^\.\.[\\/]/.test(way) && !isAbsolute(way));
}

/** The repository a folder lies in, else null. */
function repository(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return null;
  }
}

/**
 * Whether work in `other` belongs to the project of `folder`: the same repository; without one the same folder or one
 * above it, but not the home folder, which lies above everything.
 */
export function sameProject(folder: string, other: string): boolean {
  if (folder === other) return true;
  const own = repository(folder);
  if (own !== null) return repository(other) === own;
  const home = real(homedir());
  return inside(other, folder) && !inside(other, home) && repository(other) === null;
}
