import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  statSync,
} from "node:fs";
import { join, relative, sep } from "node:path";

/** Folders below a skill's own; real skills have a handful. */
export const deepestFolder = 64;

/**
 * Copies a skill's folder to `to`, which must not exist, and has every byte on disk when it returns. Regular files and
 * folders only: a link to a file of the same skill becomes that file, everything else is left out. Paths are the
 * system's own. Returns what was left out, relative to the skill's folder, in the order met.
 */
export function copySkillFolder(from: string, to: string): readonly string[] {
  const top = realpathSync(from);
  const leftOut: string[] = [];
  const copyFile = (source: string, target: string): void => {
    copyFileSync(source, target, constants.COPYFILE_EXCL);
    sync(target);
  };
  const walk = (source: string, target: string, depth: number): void => {
    mkdirSync(target);
    for (const entry of readdirSync(source, { withFileTypes: true }).sort(byName)) {
      const [inner, copy] = [join(source, entry.name), join(target, entry.name)];
      if (entry.isDirectory() && depth < deepestFolder) walk(inner, copy, depth + 1);
      else if (entry.isFile()) copyFile(inner, copy);
      else {
        const real = entry.isSymbolicLink() ? ownFile(top, inner) : null;
        if (real === null) leftOut.push(relative(top, inner));
        else copyFile(real, copy);
      }
    }
  };
  walk(top, to, 0);
  return leftOut;
}

/** The regular file of the same skill that a link leads to, or null. */
export function ownFile(top: string, link: string): string | null {
  try {
    const real = realpathSync(link);
    return real.startsWith(top + sep) && statSync(real).isFile() ? real : null;
  } catch {
    return null;
  }
}

function sync(path: string): void {
  // Windows flushes only what is open for writing; a file without write permission is left to the system there.
  let descriptor: number;
  try {
    descriptor = openSync(path, process.platform === "win32" ? "r+" : "r");
  } catch {
    return;
  }
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
