import { SkilletError } from "../../core/error.ts";
import type { FileSystem } from "../../core/file-system.ts";
import { basename, contains, dirname, join } from "../../core/path.ts";

/** One skill file to be checked. */
export interface CheckTarget {
  /** Absolute, as the user named it or as it was found. */
  readonly path: string;
  /** Real path, null when it could not be resolved. */
  readonly realPath: string | null;
  /** The file leads out of the tree that was named, by a link; it is reported and not read. */
  readonly outside: boolean;
  /** Repairs may be written to it. */
  readonly mendable: boolean;
}

const depthLimit = 16;
const entryLimit = 50_000;
const neverEntered: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/**
 * The skill files that a path means: the file itself, or every SKILL.md (in any case) in a folder and below it, in
 * code-unit order. Folder links are not followed. Throws `not-found` when there is nothing of that name, or no skill
 * in it. `cwd` is the folder in which a named file may be mended through a link.
 */
export function checkTargets(fileSystem: FileSystem, path: string, cwd: string): readonly CheckTarget[] {
  const status = fileSystem.status(path, { follow: true });
  if (status.kind === "absent") throw new SkilletError("not-found", `There is no ${path}.`);
  if (status.kind === "failure")
    throw new SkilletError("failed", `${path} cannot be looked at (${status.code}).`);
  if (status.kind !== "directory") return [namedTarget(fileSystem, path, cwd)];
  const found: CheckTarget[] = [];
  const real = fileSystem.realPath(path);
  walk(fileSystem, path, { tree: real.kind === "path" ? real.path : path, depth: 0, found });
  if (found.length === 0)
    throw new SkilletError("not-found", `There is no SKILL.md in ${path}.`, {
      hint: "Name a skill's folder, or a folder that holds some.",
    });
  return found;
}

/** True for the name of a skill file, whatever the case. */
export function isSkillFile(name: string): boolean {
  return name.length === 8 && name.toLowerCase() === "skill.md";
}

/** A file found in a tree, whose real path is `tree`. */
function foundTarget(fileSystem: FileSystem, path: string, tree: string): CheckTarget {
  const real = fileSystem.realPath(path);
  if (real.kind === "failure") return { path, realPath: null, outside: false, mendable: false };
  const inside = contains(tree, real.path);
  return { path, realPath: real.path, outside: !inside, mendable: inside };
}

/**
 * A file that may be read wherever it leads. It is not mended when it is named inside `folder` and a link leads out of
 * it: a project could otherwise have any file of the user rewritten.
 */
export function namedTarget(fileSystem: FileSystem, path: string, folder: string): CheckTarget {
  const real = fileSystem.realPath(path);
  if (real.kind === "failure") return { path, realPath: null, outside: false, mendable: false };
  const resolved = fileSystem.realPath(folder);
  const inside = resolved.kind === "path" && contains(resolved.path, real.path);
  const mendable = inside || !contains(folder, path);
  return { path, realPath: real.path, outside: false, mendable };
}

function walk(
  fileSystem: FileSystem,
  folder: string,
  state: { readonly tree: string; readonly depth: number; readonly found: CheckTarget[] },
): void {
  const read = fileSystem.readDirectory(folder, { limit: entryLimit });
  if (read.kind !== "directory") return;
  const files = read.entries.filter(({ name }) => isSkillFile(name));
  // The exact name wins where both are there; the twin is a finding of the file that wins.
  const chosen = files.find(({ name }) => name === "SKILL.md") ?? files[0];
  if (chosen !== undefined && chosen.type !== "directory")
    state.found.push(foundTarget(fileSystem, join(folder, chosen.name), state.tree));
  if (state.depth >= depthLimit) return;
  for (const { name, type } of read.entries)
    if (type === "directory" && !neverEntered.has(name))
      walk(fileSystem, join(folder, name), { ...state, depth: state.depth + 1 });
}

/** The names by which a reader knows where a file lies: its folder, and its own name when it is no SKILL.md. */
export function sourceNames(path: string): { readonly folder: string; readonly file: string | null } {
  const name = basename(path);
  return {
    folder: basename(dirname(path)),
    file: isSkillFile(name) ? null : name.replace(/\.(md|markdown)$/i, ""),
  };
}
