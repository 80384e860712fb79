import { type Environment, variable } from "./environment.ts";
import { isAbsolute, join, normalize } from "./path.ts";

/**
 * Where Skillet keeps its own things (docs/configuration.md). Pure: only the environment decides. A relative value of
 * a variable counts as not set, as the XDG rules want it (row G08).
 */

/** Installed skills, cache and state: `--data`, `SKILLET_DATA_DIR`, `XDG_DATA_HOME/skillet`, `~/.local/share/skillet`. */
export function dataFolder(environment: Environment): string {
  if (environment.data !== null) return environment.data;
  return (
    folderVariable(environment, "SKILLET_DATA_DIR") ??
    inside(folderVariable(environment, "XDG_DATA_HOME"), "skillet") ??
    join(environment.home, ".local/share/skillet")
  );
}

/** What can be fetched or computed again: `cache` in the data folder. */
export function cacheFolder(environment: Environment): string {
  return join(dataFolder(environment), "cache");
}

/** What the user decided, e.g. switched-off skills and trusted folders: `state` in the data folder. */
export function stateFolder(environment: Environment): string {
  return join(dataFolder(environment), "state");
}

/** The user's settings and skills: `XDG_CONFIG_HOME/skillet` or `~/.config/skillet`. */
export function configFolder(environment: Environment): string {
  return (
    inside(folderVariable(environment, "XDG_CONFIG_HOME"), "skillet") ??
    join(environment.home, ".config/skillet")
  );
}

/**
 * What the administrator sets: `SKILLET_MANAGED_DIR`, else the system's usual place. Null when the home folder was
 * replaced and the variable is not given: nothing outside the given folders is read then (docs/cli.md, `--home`).
 */
export function managedFolder(environment: Environment): string | null {
  const moved = folderVariable(environment, "SKILLET_MANAGED_DIR");
  if (moved !== null || environment.isolated === true) return moved;
  switch (environment.platform) {
    case "darwin":
      return "/Library/Application Support/Skillet";
    case "win32":
      return "C:/ProgramData/Skillet";
    default:
      return "/etc/skillet";
  }
}

/** An absolute path from a variable, or null when it is unset, empty or relative. */
export function folderVariable(environment: Environment, name: string): string | null {
  const value = variable(environment, name);
  return value !== null && isAbsolute(value) ? normalize(value) : null;
}

function inside(folder: string | null, name: string): string | null {
  return folder === null ? null : join(folder, name);
}

/**
 * Names directly in the data folder that Skillet makes. `reset` removes these and nothing else, so whatever is stored
 * under a new name is added here.
 */
export const ownedInData: readonly string[] = ["cache", "state", "builtin_skills", "compose", "sessions"];
