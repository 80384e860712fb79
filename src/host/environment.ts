import { statSync } from "node:fs";
import { userInfo } from "node:os";
import type { Diagnostic, Result } from "../core/diagnostic.ts";
import { makeDiagnostic } from "../core/diagnostics/make.ts";
import type { DiagnosticCode } from "../core/diagnostics/table.ts";
import type { Environment } from "../core/environment.ts";
import { SkilletError } from "../core/error.ts";
import { isAbsolute, normalize, resolve } from "../core/path.ts";
import { languageFrom, languageTag } from "./language.ts";
import { movesFolders } from "./moved-folders.ts";
import { toNative, toPortable } from "./native-path.ts";

/** What a command line or a caller of the library says of the environment; everything missing comes from the process. */
export interface EnvironmentOptions {
  /** `--cwd`. A relative path counts from the process's folder. */
  readonly cwd?: string | null | undefined;
  /** `--home`: replaces the home folder and drops the process's variables that move folders. */
  readonly home?: string | null | undefined;
  /** `--data`. */
  readonly data?: string | null | undefined;
  /** `--env`: `NAME=VALUE` texts or a record. Values are kept as written; a path in them is not resolved here. */
  readonly env?: readonly string[] | Readonly<Record<string, string>> | undefined;
  /** `--lang`. */
  readonly language?: string | null | undefined;
  /** Default: `process.env`. */
  readonly processEnv?: Readonly<Record<string, string | undefined>> | undefined;
  /** Default: the process's platform; an unknown one counts as linux. */
  readonly platform?: Environment["platform"] | undefined;
}

/** A folder that cannot exist and cannot be made: stands for the home of a user who has none. */
const noHome = "/dev/null/no-home";

/**
 * The environment of one run (docs/cli.md, "Flags of all commands"; rows G08 and H04: no `.env` file is read).
 * A home folder that cannot be one is a diagnostic, and the run goes on with the account's own home, or with none.
 * Throws `SkilletError` "environment" when there is no working folder, "usage" for an `--env` without `=`.
 */
export function createEnvironment(options: EnvironmentOptions = {}): Result<Environment> {
  const diagnostics: Diagnostic[] = [];
  const platform = options.platform ?? knownPlatform(process.platform);
  const processEnv = options.processEnv ?? process.env;
  const isolated = isGiven(options.home);
  const base = once(() => processFolder(processEnv.PWD));
  const absolute = (path: string): string => {
    const portable = toPortable(path);
    return isAbsolute(portable) ? normalize(portable) : resolve(base(), portable);
  };

  const variables: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(processEnv)) {
    // Windows' own names are written in any case.
    const key = platform === "win32" ? name.toUpperCase() : name;
    if (value !== undefined && !(isolated && movesFolders(key))) variables[key] = value;
  }
  const homeName = platform === "win32" ? "USERPROFILE" : "HOME";
  if (isGiven(options.home)) variables[homeName] = absolute(options.home);
  Object.assign(variables, pairs(options.env));

  const home = isGiven(options.home)
    ? usableHome(absolute(options.home), diagnostics)
    : homeFrom(variables[homeName], homeName, diagnostics);
  for (const name of ["SKILLET_DATA_DIR", "SKILLET_MANAGED_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"]) {
    const value = variables[name];
    if (value === undefined || value === "" || isAbsolute(toPortable(value))) continue;
    const message = `${name} is not an absolute path, so it counts as not set.`;
    diagnostics.push(notice("environment/relative-folder", message, "Write the whole path."));
  }
  const cwd = isGiven(options.cwd) ? existingFolder(absolute(options.cwd)) : base();
  const data = isGiven(options.data) ? absolute(options.data) : null;
  const language = languageOf(options.language, variables, diagnostics);
  return { value: { cwd, home, data, platform, variables, language, isolated }, diagnostics };
}

function isGiven(text: string | null | undefined): text is string {
  return text !== null && text !== undefined && text !== "";
}

function knownPlatform(platform: string): Environment["platform"] {
  return platform === "darwin" || platform === "win32" ? platform : "linux";
}

/** The process's folder by the path that the user's shell shows, where that names the same folder. */
function processFolder(shown: string | undefined): string {
  let real: string;
  try {
    real = process.cwd();
  } catch (cause) {
    throw new SkilletError("environment", "The working folder no longer exists.", {
      hint: "Change to a folder that exists, or name one.",
      cause,
    });
  }
  const portable = toPortable(real);
  if (shown === undefined || !isAbsolute(shown) || normalize(shown) !== shown || shown === portable)
    return portable;
  const [one, other] = [look(shown), look(portable)];
  return one !== null && one.ino === other?.ino && one.dev === other.dev ? shown : portable;
}

function existingFolder(path: string): string {
  const stats = look(path);
  if (stats?.isDirectory() === true) return path;
  const what = stats === null ? "There is no folder" : "This is not a folder:";
  throw new SkilletError("environment", `${what} ${path}`, {
    hint: "Check the working folder that was given.",
  });
}

/** The home folder from its variable; row G08 lists what may be wrong with it. */
function homeFrom(value: string | undefined, name: string, diagnostics: Diagnostic[]): string {
  const problem = homeProblem(value);
  if (problem === null) return normalize(toPortable(value ?? ""));
  const account = accountHome();
  const instead = account === null ? "No home folder is used" : `${account} is used`;
  diagnostics.push(
    notice("environment/bad-home", `${name} ${problem}. ${instead}.`, `Set ${name} to your home folder.`),
  );
  return account ?? noHome;
}

function homeProblem(value: string | undefined): string | null {
  if (value === undefined) return "is not set";
  if (value === "") return "is empty";
  const path = toPortable(value);
  if (!isAbsolute(path)) return "is not an absolute path";
  if (normalize(path) === "/") return "is the root of the file system";
  const stats = look(path);
  return stats === null || stats.isDirectory() ? null : "is not a folder";
}

/** A home that was asked for by `--home` is taken as it is, and what is wrong with it is said. */
function usableHome(path: string, diagnostics: Diagnostic[]): string {
  const problem = homeProblem(path);
  if (problem !== null && path !== "/")
    diagnostics.push(
      notice("environment/bad-home", `The folder of --home, ${path}, ${problem}.`, "Check --home."),
    );
  return path;
}

/** Home of the account that runs the process; null when it has none (containers with a bare user number). */
function accountHome(): string | null {
  try {
    const { homedir } = userInfo();
    return homeProblem(homedir) === null ? normalize(toPortable(homedir)) : null;
  } catch {
    return null;
  }
}

function languageOf(
  given: string | null | undefined,
  variables: Readonly<Record<string, string>>,
  diagnostics: Diagnostic[],
): string {
  if (!isGiven(given)) return languageFrom(variables);
  const tag = languageTag(given);
  if (tag !== null) return tag;
  const message = `${JSON.stringify(given)} is no language tag, so English is used.`;
  diagnostics.push(notice("environment/bad-language", message, "Write a tag like zh-CN."));
  return "en";
}

function pairs(env: EnvironmentOptions["env"]): Readonly<Record<string, string>> {
  if (env === undefined || !isList(env)) return env ?? {};
  const record: Record<string, string> = Object.create(null);
  for (const pair of env) {
    const cut = pair.indexOf("=");
    if (cut < 1)
      throw new SkilletError("usage", `--env takes NAME=VALUE, but got ${JSON.stringify(pair)}.`, {
        hint: "Write --env NAME= for an empty value.",
      });
    record[pair.slice(0, cut)] = pair.slice(cut + 1);
  }
  return record;
}

function isList(env: readonly string[] | Readonly<Record<string, string>>): env is readonly string[] {
  return Array.isArray(env);
}

function look(path: string) {
  try {
    return statSync(toNative(path), { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

type EnvironmentCode = Extract<DiagnosticCode, `environment/${string}`>;

function notice(code: EnvironmentCode, message: string, hint: string): Diagnostic {
  return makeDiagnostic(code, { path: null, message, hint });
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
