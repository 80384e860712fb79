import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";

/** What is never walked, written down once more on purpose: a mistake in the product's list must not repeat here. */
const never = /^(?:\..*|node_modules|bower_components|vendor|v?env|site-packages|__pycache__|__MACOSX|CVS)$/;

/**
 * Folders below a root that hold a skill file, found by a walk of its own that knows nothing of the product's: groups
 * are entered, skills are not, links are followed once. The paths are real ones.
 */
export function skillsOnDisk(root: string, depth = 8): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const walk = (folder: string, levels: number): void => {
    const real = realpathOf(folder);
    if (real === null || seen.has(real)) return;
    seen.add(real);
    let entries: readonly Dirent[];
    try {
      entries = readdirSync(real, { withFileTypes: true });
    } catch {
      return;
    }
    const file = entries.find(({ name }) => name.toLowerCase() === "skill.md");
    if (file !== undefined && isFile(join(real, file.name))) {
      found.add(real);
      // A skills folder may itself be a skill and hold others; inside a skill nothing else is one.
      if (folder !== root) return;
    }
    if (levels === 0) return;
    for (const { name } of entries) {
      if (!never.test(name) && isFolder(join(real, name))) walk(join(real, name), levels - 1);
    }
  };
  walk(root, depth);
  return found;
}

function realpathOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function isFile(path: string): boolean {
  return statusOf(path)?.isFile() === true;
}

function isFolder(path: string): boolean {
  return statusOf(path)?.isDirectory() === true;
}

/** Null also for a link that leads in a circle. */
function statusOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}
