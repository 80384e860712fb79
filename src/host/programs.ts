import { accessSync, constants, statSync } from "node:fs";
import type { Environment } from "../core/environment.ts";
import { toNative } from "./native-path.ts";

/** Whether a program is on PATH; each name is looked up once. A name with a slash never is (gates of key `requires`). */
export function programLookup(environment: Environment): (name: string) => boolean {
  const windows = environment.platform === "win32";
  const folders = (environment.variables.PATH ?? "")
    .split(windows ? ";" : ":")
    .filter((folder) => folder !== "");
  const endings = windows ? (environment.variables.PATHEXT ?? ".EXE;.CMD;.BAT;.COM").split(";") : [""];
  const known = new Map<string, boolean>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const found =
      /^[^/\\]+$/.test(name) &&
      folders.some((folder) => endings.some((ending) => isProgram(toNative(`${folder}/${name}${ending}`))));
    known.set(name, found);
    return found;
  };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
