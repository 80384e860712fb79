import { contains, dirname, relativeInside, tildify } from "../../core/path.ts";
import { safeText } from "./safe-text.ts";

export interface Place {
  readonly cwd: string;
  readonly home: string;
}

/** How far up a path may be named by `../`. */
const levels = 3;

/**
 * A path for people: relative inside the working folder, by `../` near it where that is shorter, `~` in the home folder,
 * else whole; safe to print.
 */
export function displayPath(path: string, place: Place): string {
  for (const [folder, prefix] of nearFolders(place)) {
    const inside = relativeInside(folder, path);
    if (inside !== null) return safeText(inside === "" ? prefix.replace(/\/$/, "") || "." : prefix + inside);
  }
  return safeText(tildify(place.home, path));
}

/** A sentence in which the absolute paths in and near the working folder and in the home folder are shortened so, too. */
export function shortenPaths(text: string, place: Place): string {
  const near = nearFolders(place).reduce(
    (before, [folder, prefix]) => replaceFolder(before, folder, prefix),
    text,
  );
  return replaceFolder(near, place.home, "~/");
}

/** The working folder and those above it, up to below the home folder, that `../` names more shortly. */
function nearFolders({ cwd, home }: Place): readonly (readonly [folder: string, prefix: string])[] {
  if (cwd.length < 2) return [];
  const found: (readonly [string, string])[] = [[cwd, ""]];
  let folder = dirname(cwd);
  for (let level = 1; level <= levels; level += 1) {
    const prefix = "../".repeat(level);
    // What holds the home folder too is no project.
    if (folder.length < 2 || contains(folder, home)) break;
    if (prefix.length <= tildify(home, folder).length) found.push([folder, prefix]);
    folder = dirname(folder);
  }
  return found;
}

function replaceFolder(text: string, folder: string, replacement: string): string {
  if (folder.length < 2) return text;
  const parts = text.split(`${folder}/`);
  return parts.reduce((before, part) =>
    // In the middle of a longer path it is another folder.
    /[^\s"'`(:=,]$/.test(before) ? `${before}${folder}/${part}` : before + replacement + part,
  );
}
