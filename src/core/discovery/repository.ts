import type { Environment } from "../environment.ts";
import type { FileSystem } from "../file-system.ts";
import { ancestors, basename, contains, dirname, join, resolve } from "../path.ts";

/** The git repository around a folder, read from its files; git itself is never started. */
export interface Repository {
  /** Top folder of the working tree, on the path as given (links not resolved) where that path leads to it. */
  readonly root: string;
  /** The working folder by the path that `root` is on. */
  readonly cwd: string;
  readonly gitDir: string;
  /** What all linked worktrees share; equal to `gitDir` where there are none. */
  readonly commonDir: string;
  /** The main checkout, when `root` is a linked worktree of it and the main checkout agrees; else null. */
  readonly mainCheckout: string | null;
}

/** Bytes of the small files that git writes; longer ones are not git's. */
const pointerLimit = 4096;

/**
 * The nearest repository on the way up from `cwd`. A `.git` folder counts when it has HEAD, a `.git` file when it
 * says `gitdir:` with an existing folder; an empty `.git` is no repository (case d-no-git).
 */
export function findRepository(fileSystem: FileSystem, cwd: string): Repository | null {
  const found = repositoryAbove(fileSystem, cwd);
  if (found !== null) return found;
  // A link into the middle of a repository: only the real path leads to its top.
  const real = fileSystem.realPath(cwd);
  return real.kind === "path" && real.path !== cwd ? repositoryAbove(fileSystem, real.path) : null;
}

function repositoryAbove(fileSystem: FileSystem, cwd: string): Repository | null {
  for (const root of ancestors(cwd)) {
    const dotGit = join(root, ".git");
    const status = fileSystem.status(dotGit, { follow: true });
    if (status.kind === "directory" && isFile(fileSystem, join(dotGit, "HEAD")))
      return { root, cwd, gitDir: dotGit, commonDir: dotGit, mainCheckout: null };
    if (status.kind === "file") {
      const found = linked(fileSystem, root, dotGit);
      if (found !== null) return { ...found, cwd };
    }
  }
  return null;
}

/**
 * Folders whose project files count, nearest first: from the working folder up to the repository's top, or without a
 * repository up to the home folder (to the top of the disk for a folder outside of it).
 */
export function projectFolders(
  environment: Pick<Environment, "cwd" | "home">,
  repository: Repository | null,
): readonly string[] {
  const { home } = environment;
  const cwd = repository?.cwd ?? environment.cwd;
  const top = repository?.root ?? (contains(home, cwd) ? home : null);
  const all = ancestors(cwd);
  return top === null ? all : all.filter((folder) => contains(top, folder));
}

function linked(fileSystem: FileSystem, root: string, dotGit: string): Omit<Repository, "cwd"> | null {
  const written = pointer(fileSystem, dotGit, "gitdir:");
  if (written === null) return null;
  const gitDir = resolve(root, written);
  if (fileSystem.status(gitDir, { follow: true }).kind !== "directory") return null;
  const shared = pointer(fileSystem, join(gitDir, "commondir"), "");
  if (shared === null) return { root, gitDir, commonDir: gitDir, mainCheckout: null };
  const commonDir = resolve(gitDir, shared);
  return { root, gitDir, commonDir, mainCheckout: mainCheckout(fileSystem, { dotGit, gitDir, commonDir }) };
}

/**
 * Trust of the main checkout covers its worktrees, so its word is needed: a `.git` file can point anywhere, but only
 * the main repository writes the way back into its `worktrees` folder.
 */
function mainCheckout(
  fileSystem: FileSystem,
  at: { readonly dotGit: string; readonly gitDir: string; readonly commonDir: string },
): string | null {
  const { dotGit, gitDir, commonDir } = at;
  if (basename(commonDir) !== ".git" || !isFile(fileSystem, join(commonDir, "HEAD"))) return null;
  const back = pointer(fileSystem, join(gitDir, "gitdir"), "");
  if (back === null) return null;
  const [worktrees, named, found, owner] = [
    fileSystem.realPath(join(commonDir, "worktrees")),
    fileSystem.realPath(resolve(gitDir, back)),
    fileSystem.realPath(dotGit),
    fileSystem.realPath(gitDir),
  ];
  if (worktrees.kind !== "path" || named.kind !== "path" || found.kind !== "path" || owner.kind !== "path")
    return null;
  return named.path === found.path && dirname(owner.path) === worktrees.path ? dirname(commonDir) : null;
}

/** The one line of a pointer file behind `prefix`, or null when the file is something else. */
function pointer(fileSystem: FileSystem, path: string, prefix: string): string | null {
  const read = fileSystem.readFile(path, { limit: pointerLimit, follow: true });
  if (read.kind !== "file") return null;
  const text = new TextDecoder().decode(read.bytes);
  if (!text.startsWith(prefix)) return null;
  const line = text.slice(prefix.length).trim();
  return line === "" || /[\0\r\n]/.test(line) ? null : line;
}

function isFile(fileSystem: FileSystem, path: string): boolean {
  // HEAD may be a link to a branch that has no commit yet, so a dangling link counts too.
  const kind = fileSystem.status(path, { follow: false }).kind;
  return kind === "file" || kind === "link";
}
