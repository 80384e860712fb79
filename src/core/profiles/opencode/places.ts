import type { Diagnostic } from "../../diagnostic.ts";
import { makeDiagnostic } from "../../diagnostics/make.ts";
import { findRepository } from "../../discovery/repository.ts";
import { type Environment, variable } from "../../environment.ts";
import { ancestors, contains, join, resolve } from "../../path.ts";
import type { PrepareContext } from "../../profile.ts";
import type { Family } from "./family.ts";

/** The folders from which a program of the family starts looking, before any of its settings are read. */
export interface OpenCodePlaces {
  /** Working folder with its links resolved. */
  readonly cwd: string;
  readonly home: string;
  /** The working folder lies in a valid git repository. */
  readonly inRepository: boolean;
  /** From the working folder up to the worktree's top, nearest first; to the top of the disk without a repository. */
  readonly walk: readonly string[];
  /** `XDG_CONFIG_HOME/NAME`, else `~/.config/NAME`; `config` of the folder that a variable moves everything to. */
  readonly globalFolder: string;
  /** `…_CONFIG_DIR`, or null. */
  readonly namedFolder: string | null;
}

/** Features O3, O10; "Rules confirmed" of the recording: cwd through links, walk to `/` without a repository. */
export function openCodePlaces(
  { environment, fileSystem }: PrepareContext,
  family: Pick<Family, "name" | "variables" | "homeVariable">,
): OpenCodePlaces {
  const real = fileSystem.realPath(environment.cwd);
  const cwd = real.kind === "path" ? real.path : environment.cwd;
  const top = findRepository(fileSystem, cwd)?.root ?? null;
  const named = variable(environment, `${family.variables}_CONFIG_DIR`);
  const moved = family.homeVariable === null ? null : variable(environment, family.homeVariable);
  const config = variable(environment, "XDG_CONFIG_HOME") ?? join(environment.home, ".config");
  return {
    cwd,
    home: environment.home,
    inRepository: top !== null,
    walk: ancestors(cwd).filter((folder) => top === null || contains(top, folder)),
    globalFolder:
      moved === null ? join(resolve(cwd, config), family.name) : join(resolve(cwd, moved), "config"),
    namedFolder: named === null ? null : resolve(cwd, named),
  };
}

const on = new Set(["true", "yes", "on", "1", "y"]);
const off = new Set(["false", "no", "off", "0", "n"]);

/** A switch of the environment. The program refuses to start over any other word; here it counts as not set (D4). */
export function readSwitch(environment: Environment, name: string, diagnostics: Diagnostic[]): boolean {
  const value = environment.variables[name];
  if (value === undefined || off.has(value)) return false;
  if (on.has(value)) return true;
  diagnostics.push(
    makeDiagnostic("config/unknown-value", {
      path: null,
      message: `${name} is ${JSON.stringify(value)}. OpenCode does not start with this value; it counts as not set here.`,
      hint: `Set ${name} to true or false`,
    }),
  );
  return false;
}
