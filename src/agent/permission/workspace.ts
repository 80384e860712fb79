import type { Environment } from "../../core/environment.ts";
import type { FileSystem } from "../../core/file-system.ts";
import { basename, contains, dirname, isAbsolute, join, relativeInside, resolve } from "../../core/path.ts";

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
}

/** A workspace over the disk. Links are resolved before a path is judged. */
export function workspaceOf(
  environment: Pick<Environment, "cwd" | "home">,
  root: string,
  fileSystem: Pick<FileSystem, "realPath">,
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
  };
}

function realOf(path: string, fileSystem: Pick<FileSystem, "realPath">): string {
  const found = fileSystem.realPath(path);
  if (found.kind === "path") return found.path;
  const parent = dirname(path);
  return parent === path ? path : join(realOf(parent, fileSystem), basename(path));
}
