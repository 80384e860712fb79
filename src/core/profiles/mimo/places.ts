import { type Environment, variable } from "../../environment.ts";
import type { FileSystem } from "../../file-system.ts";
import { basename, dirname, join, resolve } from "../../path.ts";

/** MiMo Code's data folder: `--data`, `$MIMOCODE_HOME/data`, XDG's data folder with `mimocode` (feature M2). */
export function mimoDataFolder(environment: Environment): string {
  if (environment.data !== null) return environment.data;
  const moved = variable(environment, "MIMOCODE_HOME");
  if (moved !== null) return join(resolve(environment.cwd, moved), "data");
  const data = variable(environment, "XDG_DATA_HOME") ?? join(environment.home, ".local/share");
  return join(resolve(environment.cwd, data), "mimocode");
}

/**
 * Where pulled skills lie: `skills` in the cache folder. With `--data` that is `DATA/cache`, or the cache folder beside
 * a data folder named `data`, which is the form of `$MIMOCODE_HOME`. The first that exists, else the first.
 */
export function mimoPulledFolder(environment: Environment, fileSystem: FileSystem): string {
  const [first = "", ...others] = cacheFolders(environment).map((folder) => join(folder, "skills"));
  return (
    [first, ...others].find((path) => fileSystem.status(path, { follow: true }).kind === "directory") ?? first
  );
}

function cacheFolders(environment: Environment): readonly string[] {
  const { data, cwd, home } = environment;
  if (data !== null) {
    const beside = basename(data) === "data" ? [join(dirname(data), "cache")] : [];
    return [join(data, "cache"), ...beside];
  }
  const moved = variable(environment, "MIMOCODE_HOME");
  if (moved !== null) return [join(resolve(cwd, moved), "cache")];
  return [join(resolve(cwd, variable(environment, "XDG_CACHE_HOME") ?? join(home, ".cache")), "mimocode")];
}

/** The newest version of a pack that lies extracted in a folder, as the path of its `skills`; null when there is none. */
export function newestPack(fileSystem: FileSystem, folder: string): string | null {
  const read = fileSystem.readDirectory(folder, { limit: 1_000 });
  if (read.kind !== "directory") return null;
  const versions = read.entries.map(({ name }) => name).sort(byVersion);
  for (const version of versions) {
    const skills = join(folder, version, "skills");
    if (fileSystem.status(skills, { follow: true }).kind === "directory") return skills;
  }
  return null;
}

/** Newest first; a release before its previews, and names that are no version last. */
function byVersion(a: string, b: string): number {
  const [left, right] = [versionParts(a), versionParts(b)];
  for (let at = 0; at < 3; at++) {
    const difference = (right.numbers[at] ?? -1) - (left.numbers[at] ?? -1);
    if (difference !== 0) return difference;
  }
  if (left.preview !== right.preview) {
    if (left.preview === "" || right.preview === "") return left.preview === "" ? -1 : 1;
    return left.preview < right.preview ? 1 : -1;
  }
  return a < b ? 1 : a > b ? -1 : 0;
}

function versionParts(text: string): { readonly numbers: readonly number[]; readonly preview: string } {
  const found = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-(.+))?$/.exec(text);
  if (found === null) return { numbers: [], preview: text };
  return { numbers: found.slice(1, 4).map(Number), preview: found[4] ?? "" };
}
