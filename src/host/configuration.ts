import { recoverDenials } from "../core/configuration/merge-permissions.ts";
import { mergeSettings } from "../core/configuration/merge-settings.ts";
import { readSettings, type Settings } from "../core/configuration/read-settings.ts";
import type { ConfigLayer, ConfigLayerName, Configuration } from "../core/configuration.ts";
import type { Diagnostic, Result } from "../core/diagnostic.ts";
import { makeDiagnostic } from "../core/diagnostics/make.ts";
import { findRepository, projectFolders } from "../core/discovery/repository.ts";
import type { Environment } from "../core/environment.ts";
import { SkilletError } from "../core/error.ts";
import type { FileSystem } from "../core/file-system.ts";
import { contains, dirname, isAbsolute, join, resolve } from "../core/path.ts";
import { configFolder, managedFolder } from "../core/places.ts";
import type { PermissionRule } from "../core/visibility/permission.ts";
import { type LocatedJson, readJsonFile } from "./json.ts";

export interface LoadConfigurationOptions {
  readonly environment: Environment;
  readonly fileSystem: FileSystem;
  /** `--config`: takes the place of the user's file. A relative path counts from the working folder. */
  readonly config?: string | null | undefined;
  /** The workspace is trusted (state or `--trust`): addresses that its file names count. Default false. */
  readonly trusted?: boolean;
}

/** Names of a settings file, the first that exists is read. */
const fileNames = ["skillet.jsonc", "skillet.json"] as const;

/** What was read so far; grows file by file. */
interface Reading {
  readonly fileSystem: FileSystem;
  readonly diagnostics: Diagnostic[];
  readonly recovered: PermissionRule[];
  readonly home: string;
}

/**
 * All settings merged: defaults, the user's file (or the one of `--config`), the project's files from the repository's
 * top down to the working folder, the administrator's file. A broken file is a diagnostic and the others stay in
 * force; a broken file of the administrator denies everything (rows H01 to H07, H10). Throws `SkilletError` "config"
 * only when the file of `--config` does not exist.
 */
export function loadConfiguration(options: LoadConfigurationOptions): Result<Configuration> {
  const { environment, fileSystem } = options;
  const { home } = environment;
  const reading: Reading = { fileSystem, diagnostics: [], recovered: [], home };

  const own = ownSettings(reading, options);
  const repository = findRepository(fileSystem, environment.cwd);
  const ownPaths = new Set(own.map((settings) => settings.file.layer.path));
  const project = projectFolders(environment, repository)
    .toReversed()
    .flatMap((folder) => projectSettings(reading, folder, repository?.root ?? folder))
    .filter((settings) => !ownPaths.has(settings.file.layer.path));
  const managed = managedSettings(reading, environment);

  const merged = mergeSettings(
    { own, project, managed: managed ?? [] },
    {
      home,
      repositoryRoot: repository?.root ?? null,
      workspaceTrusted: options.trusted === true,
      recovered: reading.recovered,
      managedUnusable: managed === null,
      realPath: (path) => realPath(fileSystem, path),
    },
  );
  return { value: merged.value, diagnostics: [...reading.diagnostics, ...merged.diagnostics] };
}

/** Path of the user's settings file: the one that is there, else the one to create. */
export function userConfigFile(environment: Environment, fileSystem: FileSystem): string {
  const paths = fileNames.map((name) => join(configFolder(environment), name));
  const found = paths.find((path) => fileSystem.status(path, { follow: true }).kind !== "absent");
  return found ?? join(configFolder(environment), fileNames[0]);
}

function ownSettings(reading: Reading, options: LoadConfigurationOptions): readonly Settings[] {
  const { config, environment } = options;
  if (config === undefined || config === null || config === "")
    return settingsIn(reading, configFolder(environment), "user");
  const path = isAbsolute(config) ? config : resolve(environment.cwd, config);
  const json = readJsonFile(reading.fileSystem, path);
  if (json.kind === "absent")
    throw new SkilletError("config", `There is no settings file ${path}`, {
      hint: "Check the value of --config.",
    });
  return used(reading, { name: "flag", path }, json);
}

function projectSettings(reading: Reading, folder: string, boundary: string): readonly Settings[] {
  const path = existing(reading, folder);
  if (path === null) return [];
  // A link in a project could make any file of the user show up in messages.
  if (!contains(realPath(reading.fileSystem, boundary), realPath(reading.fileSystem, path))) {
    const message = "This settings file is a link that leads out of the project; it is ignored.";
    reading.diagnostics.push(makeDiagnostic("config/path-outside", { path, message }));
    return [];
  }
  return used(reading, { name: "project", path }, readJsonFile(reading.fileSystem, path));
}

/** Null: there is such a file and it cannot be used. */
function managedSettings(reading: Reading, environment: Environment): readonly Settings[] | null {
  const folder = managedFolder(environment);
  if (folder === null) return [];
  for (const name of fileNames) {
    const path = join(folder, name);
    const json = readJsonFile(reading.fileSystem, path);
    // A link to nothing is not the same as no file: somebody meant to put rules here.
    const dangling =
      json.kind === "absent" && reading.fileSystem.status(path, { follow: false }).kind === "link";
    if (json.kind === "absent" && !dangling) continue;
    const usable = json.kind === "value" && (json.value === undefined || isObject(json.value));
    if (usable) return used(reading, { name: "managed", path }, json);
    const cause =
      json.diagnostics[0]?.message ?? (dangling ? "It is a link to nothing." : "It holds no object.");
    reading.diagnostics.push(
      makeDiagnostic("config/managed-unusable", {
        path,
        message: `Every skill is denied, because the administrator's settings cannot be used. ${cause}`,
        range: json.diagnostics[0]?.range,
      }),
    );
    return null;
  }
  return [];
}

function settingsIn(reading: Reading, folder: string, name: ConfigLayerName): readonly Settings[] {
  const path = existing(reading, folder);
  return path === null ? [] : used(reading, { name, path }, readJsonFile(reading.fileSystem, path));
}

/** The settings file of a folder; a second one beside it is said to be ignored. */
function existing(reading: Reading, folder: string): string | null {
  const [first, second] = fileNames
    .map((name) => join(folder, name))
    .filter((path) => reading.fileSystem.status(path, { follow: false }).kind !== "absent");
  if (first === undefined) return null;
  if (second !== undefined) {
    const message = "There is also a skillet.jsonc in this folder, so this file is ignored.";
    reading.diagnostics.push(makeDiagnostic("config/two-files", { path: second, message }));
  }
  return first;
}

function used(reading: Reading, layer: ConfigLayer, json: LocatedJson): readonly Settings[] {
  reading.diagnostics.push(...json.diagnostics);
  if (json.kind !== "value") {
    reading.recovered.push(...recoverDenials(json.recovered, reading.home));
    return [];
  }
  const folder = layer.path === null ? null : dirname(layer.path);
  return [readSettings({ layer, folder, value: json.value, locate: json.locate })];
}

function realPath(fileSystem: FileSystem, path: string): string {
  const real = fileSystem.realPath(path);
  return real.kind === "path" ? real.path : path;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
