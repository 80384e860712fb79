import type { Diagnostic } from "../../diagnostic.ts";
import { makeDiagnostic } from "../../diagnostics/make.ts";
import { type Environment, variable } from "../../environment.ts";
import { join, resolve } from "../../path.ts";
import type { PrepareContext } from "../../profile.ts";
import { loadYaml } from "../../skill/matter/yaml.ts";
import { jsYaml4, type YamlValue } from "../../skill/matter/yaml-value.ts";
import { printable } from "../../text/printable.ts";
import type { Source } from "./kinds.ts";
import { minimaxYamlLimits } from "./reader.ts";

/** Sources that the settings can switch off and weigh. */
export type ExternalSource = Extract<Source, `workspace-${string}` | `user-${string}`>;

/** What `config.yaml` says of skills (feature X6). */
export interface MinimaxSettings {
  readonly enabled: boolean;
  readonly walkUp: boolean;
  /** Read by MiniMax Code and used nowhere. */
  readonly duplicateWarn: boolean;
  readonly sources: Readonly<
    Record<ExternalSource, { readonly enabled: boolean; readonly priority: number }>
  >;
  /** Flags as written; only `true` switches something on. */
  readonly beta: Readonly<Record<string, boolean>>;
  readonly builtinSkillsDir: string | null;
}

/** Weights that hold unless the settings say otherwise. */
const priorities: Readonly<Record<ExternalSource, number>> = {
  "workspace-minimax": 65,
  "workspace-cc": 60,
  "workspace-agents": 55,
  "user-cc": 40,
  "user-codex": 35,
  "user-agents": 30,
};

export const externalSources = Object.keys(priorities) as readonly ExternalSource[];

/** Earlier names, which count only where the new one is not written at all. */
const earlierNames: Partial<Readonly<Record<ExternalSource, string>>> = {
  "user-cc": "user-claude",
  "workspace-cc": "workspace-claude",
};

const fileBytes = 1_000_000;

/** MiniMax Code's data folder (feature X19): `--data`, `MINIMAX_DATA_DIR`, `MAVIS_DATA_DIR`, `~/.minimax-code`. */
export function minimaxDataFolder(environment: Environment): string {
  return resolve(environment.cwd, dataFolderText(environment).replaceAll("\\", "/"));
}

/** The data folder as `{{DATA_DIR}}` shows it: a variable's value as it is written. */
export function dataFolderText(environment: Environment): string {
  return (
    environment.data ??
    variable(environment, "MINIMAX_DATA_DIR") ??
    variable(environment, "MAVIS_DATA_DIR") ??
    join(environment.home, ".minimax-code")
  );
}

/**
 * Reads `config.yaml` of the data folder. Lenient at every level: a value of the wrong type is the default, unknown keys
 * mean nothing (spec minimax 1.6). A file that is no YAML is a diagnostic, and the defaults hold.
 */
export function readMinimaxSettings(
  { fileSystem, codec }: Pick<PrepareContext, "fileSystem" | "codec">,
  dataFolder: string,
  diagnostics: Diagnostic[],
): MinimaxSettings {
  const path = join(dataFolder, "config.yaml");
  const read = fileSystem.readFile(path, { limit: fileBytes, follow: true });
  if (read.kind !== "file") {
    if (read.kind !== "absent")
      diagnostics.push(
        makeDiagnostic("config/unreadable", {
          path,
          message: "These settings cannot be read; the defaults hold.",
        }),
      );
    return settingsFrom(undefined);
  }
  const loaded = loadYaml(codec.decode(read.bytes, 0, read.bytes.length), minimaxYamlLimits, jsYaml4);
  if (loaded.ok) return settingsFrom(loaded.value);
  const message = `Not valid YAML (${printable(loaded.message)}); the defaults hold.`;
  diagnostics.push(makeDiagnostic("config/invalid-yaml", { path, message }));
  return settingsFrom(undefined);
}

function settingsFrom(file: YamlValue | undefined): MinimaxSettings {
  const external = at(at(file, "skills"), "external");
  const sources = at(external, "sources");
  const source = (name: ExternalSource): { readonly enabled: boolean; readonly priority: number } => {
    const earlier = earlierNames[name];
    const written = sources instanceof Map && !sources.has(name) && earlier !== undefined ? earlier : name;
    const value = at(sources, written);
    const priority = at(value, "priority");
    return {
      enabled: flag(at(value, "enabled")),
      priority: typeof priority === "number" && Number.isFinite(priority) ? priority : priorities[name],
    };
  };
  const beta: Record<string, boolean> = Object.create(null);
  const flags = at(file, "beta");
  if (flags instanceof Map) for (const [name, value] of flags) beta[name] = value === true;
  const folder = at(file, "builtinSkillsDir");
  return {
    enabled: flag(at(external, "enabled")),
    walkUp: flag(at(external, "walkUp")),
    duplicateWarn: flag(at(external, "duplicateWarn")),
    sources: Object.fromEntries(
      externalSources.map((name) => [name, source(name)]),
    ) as MinimaxSettings["sources"],
    beta,
    builtinSkillsDir: typeof folder === "string" && folder.trim() !== "" ? folder.trim() : null,
  };
}

function at(value: YamlValue | undefined, key: string): YamlValue | undefined {
  return value instanceof Map ? value.get(key) : undefined;
}

function flag(value: YamlValue | undefined): boolean {
  return typeof value === "boolean" ? value : true;
}
