import type { Environment } from "../../core/environment.ts";
import type { FileSystem } from "../../core/file-system.ts";
import { basename, contains, dirname, isAbsolute, join, relativeInside, resolve } from "../../core/path.ts";
import { matchWildcard } from "../../core/visibility/wildcard.ts";

/** The folder an agent works in, and what belongs to it. */
export interface Workspace {
  /** Where commands run and relative paths start. */
  readonly cwd: string;
  /** Top of the repository, or the working folder without one; what is outside is asked for. */
  readonly root: string;
  readonly home: string;
  /** The path that an argument means: absolute, `~/` resolved. */
  absolute(path: string): string;
  /** With every link on the way resolved, also where the end does not exist yet. */
  real(path: string): string;
  /** Path relative to `root`, null when it really lies outside. */
  inside(path: string): string | null;
  /**
   * What the stars and question marks of a path stand for, from a folder on: paths as the shell puts them in. Null where
   * that cannot be told: other patterns, hidden names, folders that cannot be read, too many.
   */
  matches(pattern: string, folder: string): readonly string[] | null;
  /** Names directly in a folder, hidden ones too; none where it is no folder or holds too many. */
  names(folder: string): readonly string[];
}

/** Names that a pattern may stand for, and entries of a folder that are looked through for them. */
const matchesAtMost = 500;
const entriesAtMost = 5_000;

/** A workspace over the disk. Links are resolved before a path is judged. */
export function workspaceOf(
  environment: Pick<Environment, "cwd" | "home">,
  root: string,
  fileSystem: Pick<FileSystem, "realPath" | "readDirectory">,
): Workspace {
  const { cwd, home } = environment;
  const real = (path: string): string => realOf(path, fileSystem);
  const realRoot = real(root);
  const absolute = (path: string): string => {
    if (path === "~" || path.startsWith("~/")) return resolve(home, path.slice(2) || ".");
    return isAbsolute(path) ? resolve("/", path) : resolve(cwd, path);
  };
  return {
    cwd,
    root,
    home,
    absolute,
    real,
    inside: (path) => {
      const found = real(absolute(path));
      return contains(realRoot, found) ? (relativeInside(realRoot, found) ?? "") : null;
    },
    matches: (pattern, folder) => matchesOf(pattern, folder, fileSystem),
    names(folder) {
      const read = fileSystem.readDirectory(folder, { limit: entriesAtMost });
      return read.kind === "directory" ? read.entries.map(({ name }) => name) : [];
    },
  };
}

function realOf(path: string, fileSystem: Pick<FileSystem, "realPath">): string {
  const found = fileSystem.realPath(path);
  if (found.kind === "path") return found.path;
  const parent = dirname(path);
  return parent === path ? path : join(realOf(parent, fileSystem), basename(path));
}

function matchesOf(
  pattern: string,
  folder: string,
  fileSystem: Pick<FileSystem, "readDirectory">,
): readonly string[] | null {
  if (/[[\]\\]/.test(pattern)) return null;
  let found: string[] = [pattern.startsWith("/") ? "/" : ""];
  for (const part of pattern.split("/").filter((one) => one !== "")) {
    if (!/[*?]/.test(part)) {
      found = found.map((path) => `${path}${part}/`);
      continue;
    }
    // `.*` stands for the folder above too.
    if (part.startsWith(".")) return null;
    // Rather more names than fewer: a question mark may be any number of characters.
    const wanted = part.replaceAll("?", "*");
    const next: string[] = [];
    for (const path of found) {
      const read = fileSystem.readDirectory(resolve(folder, path || "."), { limit: entriesAtMost });
      if (read.kind !== "directory") continue;
      if (read.truncated) return null;
      for (const { name } of read.entries)
        if (!name.startsWith(".") && matchWildcard(name, wanted)) next.push(`${path}${name}/`);
      if (next.length > matchesAtMost) return null;
    }
    found = next;
  }
  return found.map((path) => path.replace(/\/$/, ""));
}
