import type { Diagnostic } from "../../diagnostic.ts";
import { makeDiagnostic } from "../../diagnostics/make.ts";
import type { Environment } from "../../environment.ts";
import { join } from "../../path.ts";
import type { PrepareContext } from "../../profile.ts";
import type { Family } from "./family.ts";
import { type Fields, isFields } from "./merge-settings.ts";

interface Target {
  /** The program whose settings these are, for messages. */
  readonly program: string;
  readonly diagnostics: Diagnostic[];
}

/** One settings file or text, weakest first in every list. */
export interface SettingsDocument {
  /** Null for one that came by a variable. */
  readonly path: string | null;
  readonly fields: Fields;
}

/** The files that exist and can be read; what cannot is a diagnostic and the rest still counts. */
export function readDocuments(
  { environment, fileSystem }: PrepareContext,
  paths: readonly string[],
  { program, diagnostics }: Target,
): readonly SettingsDocument[] {
  return paths.flatMap((path) => {
    const read = fileSystem.readJson(path);
    diagnostics.push(...read.diagnostics);
    return read.kind === "value" && read.value !== undefined
      ? documentOf(read.value, path, { environment, program, diagnostics })
      : [];
  });
}

/** Settings given as a text in a variable, such as `OPENCODE_CONFIG_CONTENT`. */
export function readVariableDocument(
  environment: Environment,
  name: string,
  { program, diagnostics }: Target,
): readonly SettingsDocument[] {
  const text = environment.variables[name];
  if (text === undefined || text === "") return [];
  try {
    return documentOf(JSON.parse(text), null, { environment, program, diagnostics });
  } catch {
    const message = `${name} is not valid JSON, so it is ignored.`;
    diagnostics.push(makeDiagnostic("config/invalid-json", { path: null, message, hint: `Correct ${name}` }));
    return [];
  }
}

function documentOf(
  value: unknown,
  path: string | null,
  { environment, program, diagnostics }: Target & { readonly environment: Environment },
): readonly SettingsDocument[] {
  const fields = substitute(value, environment);
  if (isFields(fields)) return [{ path, fields }];
  const message = `An object was expected here. ${program} does not start with this file; it is ignored here.`;
  diagnostics.push(makeDiagnostic("config/wrong-type", { path, message, hint: "Write { … }" }));
  return [];
}

/** `{env:NAME}` in any text; a variable that is not set leaves nothing. Keys stay as they are. */
function substitute(value: unknown, environment: Environment): unknown {
  if (typeof value === "string") return withVariables(value, environment);
  if (Array.isArray(value)) return value.map((item) => substitute(item, environment));
  if (!isFields(value)) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(value)) copy[key] = substitute(item, environment);
  return copy;
}

/** Both settings files of a folder, the stronger last. */
export function filesIn(folder: string, { name }: Pick<Family, "name">): readonly string[] {
  return [`${name}.json`, `${name}.jsonc`].map((file) => join(folder, file));
}

/** By hand: a pattern looks for the end anew from every `{env:`, and a file of those alone would take minutes. */
function withVariables(text: string, { variables }: Environment): string {
  const mark = "{env:";
  let result = "";
  let from = 0;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, from)) {
    const end = text.indexOf("}", at);
    if (end < 0) break;
    const name = text.slice(at + mark.length, end);
    result += text.slice(from, at) + (name === "" ? `${mark}}` : (variables[name] ?? ""));
    from = end + 1;
  }
  return result + text.slice(from);
}
