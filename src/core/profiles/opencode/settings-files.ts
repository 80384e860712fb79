import type { Diagnostic } from "../../diagnostic.ts";
import { makeDiagnostic } from "../../diagnostics/make.ts";
import type { Environment } from "../../environment.ts";
import { join } from "../../path.ts";
import type { PrepareContext } from "../../profile.ts";
import { type Fields, isFields } from "./merge-settings.ts";

/** One settings file or text, weakest first in every list. */
export interface SettingsDocument {
  /** Null for one that came by a variable. */
  readonly path: string | null;
  readonly fields: Fields;
}

/** Both names in one folder, the stronger last. */
export const settingsNames: readonly string[] = ["opencode.json", "opencode.jsonc"];

/** The files that exist and can be read; what cannot is a diagnostic and the rest still counts. */
export function readDocuments(
  { environment, fileSystem }: PrepareContext,
  paths: readonly string[],
  diagnostics: Diagnostic[],
): readonly SettingsDocument[] {
  return paths.flatMap((path) => {
    const read = fileSystem.readJson(path);
    diagnostics.push(...read.diagnostics);
    return read.kind === "value" && read.value !== undefined
      ? documentOf(read.value, path, environment, diagnostics)
      : [];
  });
}

/** Settings given as a text in a variable, such as `OPENCODE_CONFIG_CONTENT`. */
export function readVariableDocument(
  environment: Environment,
  name: string,
  diagnostics: Diagnostic[],
): readonly SettingsDocument[] {
  const text = environment.variables[name];
  if (text === undefined || text === "") return [];
  try {
    return documentOf(JSON.parse(text), null, environment, diagnostics);
  } catch {
    const message = `${name} is not valid JSON, so it is ignored.`;
    diagnostics.push(makeDiagnostic("config/invalid-json", { path: null, message, hint: `Correct ${name}` }));
    return [];
  }
}

function documentOf(
  value: unknown,
  path: string | null,
  environment: Environment,
  diagnostics: Diagnostic[],
): readonly SettingsDocument[] {
  const fields = substitute(value, environment);
  if (isFields(fields)) return [{ path, fields }];
  const message = "An object was expected here. OpenCode does not start with this file; it is ignored here.";
  diagnostics.push(makeDiagnostic("config/wrong-type", { path, message, hint: "Write { … }" }));
  return [];
}

/** `{env:NAME}` in any text; a variable that is not set leaves nothing. Keys stay as they are. */
function substitute(value: unknown, environment: Environment): unknown {
  if (typeof value === "string")
    return value.replace(/\{env:([^}]+)\}/g, (_, name: string) => environment.variables[name] ?? "");
  if (Array.isArray(value)) return value.map((item) => substitute(item, environment));
  if (!isFields(value)) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(value)) copy[key] = substitute(item, environment);
  return copy;
}

export function filesIn(folder: string): readonly string[] {
  return settingsNames.map((name) => join(folder, name));
}
