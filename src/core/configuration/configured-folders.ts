import type { ConfiguredPath } from "../configuration.ts";
import { contains, isAbsolute, normalize, resolve } from "../path.ts";
import { printable } from "../text/printable.ts";
import { note, type Settings } from "./read-settings.ts";

/**
 * A folder as written in a settings file, absolute: `~`, `$HOME` and `${HOME}` are the home folder, other paths count
 * from the file's folder. Null when there is no such folder to count from. No other variable is replaced.
 */
export function configuredFolder(
  written: string,
  from: { readonly home: string; readonly folder: string | null },
): string | null {
  const slashed = written.startsWith("~\\") ? written.replaceAll("\\", "/") : written;
  const home = /^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/.exec(slashed)?.[0];
  if (home !== undefined) return normalize(from.home + slashed.slice(home.length)) || "/";
  if (isAbsolute(slashed)) return normalize(slashed);
  return from.folder === null ? null : resolve(from.folder, slashed);
}

/** The folders that one file names under `key`, as paths. */
export function configuredFolders(settings: Settings, key: string, home: string): readonly ConfiguredPath[] {
  const list = settings.values.get(key);
  if (!Array.isArray(list)) return [];
  const { folder, layer } = settings.file;
  return list.flatMap((written: string) => {
    const path = configuredFolder(written, { home, folder });
    return path === null ? [] : [{ written, path, layer }];
  });
}

export interface ProjectFolderRules {
  /** The project: its repository's top, or the folder of its settings file without one. */
  readonly boundary: string;
  /** Folders that the user or the administrator named. */
  readonly granted: readonly string[];
  /** Links resolved; the path itself where nothing is there. */
  realPath(path: string): string;
}

/**
 * Folders that a project names and that may be searched: inside the project by their real path, or granted by the
 * user's own settings (row H01: `/`, `~/.ssh`, `../../outside`, `${HOME}` never are).
 */
export function permittedFolders(
  settings: Settings,
  folders: readonly ConfiguredPath[],
  rules: ProjectFolderRules,
): readonly ConfiguredPath[] {
  const boundary = rules.realPath(rules.boundary);
  const granted = rules.granted.map((folder) => rules.realPath(folder));
  return folders.filter(({ written, path }) => {
    const real = rules.realPath(path);
    const inside = contains(rules.boundary, path) && contains(boundary, real);
    if (inside || granted.some((folder) => contains(folder, real))) return true;
    const index = list(settings).indexOf(written);
    note(settings, "config/path-outside", {
      path: ["skills", "paths", index],
      message: `This project names the folder "${printable(written.slice(0, 200))}" outside of itself; it is not searched.`,
    });
    return false;
  });
}

function list(settings: Settings): readonly unknown[] {
  const value = settings.values.get("skills.paths");
  return Array.isArray(value) ? value : [];
}
