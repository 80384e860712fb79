import { configKey } from "../core/configuration/keys.ts";
import { readSemantic } from "../core/configuration/merge-semantic.ts";
import { closestKeys, readSettings } from "../core/configuration/read-settings.ts";
import type { Diagnostic } from "../core/diagnostic.ts";
import { SkilletError } from "../core/error.ts";
import type { FileSystem } from "../core/file-system.ts";
import { rulesFromConfig } from "../core/visibility/permission-config.ts";
import { writeFileAtomic } from "./atomic-write.ts";
import { jsonParser, parseJson, readJsonFile } from "./json.ts";
import { createFileSystem } from "./node-file-system.ts";

/**
 * Sets one key of a settings file, or removes it with `undefined`; comments and layout of the rest stay. `key` is a
 * dotted name of the table, or one below `permission` or `agent` (`permission.skill.pdf`, where the rest after the
 * second dot is the pattern). Written whole or not at all, through a link. Throws `SkilletError`: "usage" for an
 * unknown key or a wrong value, "config" when the file is broken, "environment"/"failed" when it cannot be written.
 */
export function setConfigValue(
  file: string,
  key: string,
  value: unknown,
  fileSystem: Pick<FileSystem, "readFile"> = createFileSystem(),
): void {
  const path = pathOf(key);
  if (value !== undefined) checkValue(path, value);
  const json = readJsonFile(fileSystem, file);
  if (json.kind === "invalid" || (json.value !== undefined && !isObject(json.value)))
    throw new SkilletError(
      "config",
      `Cannot change ${file}: ${json.diagnostics[0]?.message ?? "It holds no object."}`,
      {
        hint: "Mend the file first.",
      },
    );
  if (value === undefined && json.locate(path) === null) return;
  const text = json.text.trim() === "" ? "{}\n" : json.text;
  const { modify, applyEdits } = jsonParser();
  const edits = modify(text, [...path], value, {
    formattingOptions: {
      insertSpaces: true,
      tabSize: indentOf(text),
      eol: text.includes("\r\n") ? "\r\n" : "\n",
    },
  });
  writeFileAtomic(file, applyEdits(text, edits), {
    action: "change the settings",
    mode: 0o644,
    followLink: true,
  });
}

/** A value from a command line: JSON where it is JSON (`5`, `["a"]`, `null`), else the text itself. */
export function configValueFromText(text: string): unknown {
  const json = parseJson(text, null);
  return json.kind === "value" && json.value !== undefined ? json.value : text;
}

/** Keys on the way to the value; patterns and agents' names may hold dots themselves. */
function pathOf(key: string): readonly string[] {
  const parts = key.split(".");
  if (configKey(key) !== null) return parts;
  const [first, second, third] = parts;
  if (first === "permission") return [first, ...(second === undefined ? [] : [second]), ...rest(parts, 2)];
  if (first === "agent" && second !== undefined && second !== "") {
    const at = parts.indexOf("permission", 2);
    const name = parts.slice(1, at).join(".");
    if (at > 0) return [first, name, "permission", ...parts.slice(at + 1, at + 2), ...rest(parts, at + 2)];
  }
  if ((first === "sources" || first === "policy") && third === undefined && second !== undefined)
    return [first, second];
  const meant = closestKeys(key, 1)[0];
  throw new SkilletError("usage", `There is no setting "${key}".`, {
    hint: meant === undefined ? "`skillet config list` shows all." : `Did you mean "${meant}"?`,
  });
}

function rest(parts: readonly string[], from: number): readonly string[] {
  return parts.length > from ? [parts.slice(from).join(".")] : [];
}

/** Refuses what reading the file would complain about. */
function checkValue(path: readonly string[], value: unknown): void {
  const nested = path.reduceRight<unknown>((inner, part) => ({ [part]: inner }), value);
  const settings = readSettings({
    layer: { name: "user", path: null },
    folder: null,
    value: nested,
    locate: () => null,
  });
  const semantic = settings.values.get("search.semantic");
  if (isObject(semantic)) readSemantic(semantic, settings, "/");
  const permission = path.indexOf("permission");
  const rules =
    permission === 0 || permission === 2
      ? rulesFromConfig(
          path.slice(permission + 1).reduceRight<unknown>((inner, part) => ({ [part]: inner }), value),
          { home: null, path: null },
        ).diagnostics
      : [];
  const problem: Diagnostic | undefined = [...settings.diagnostics, ...rules][0];
  if (problem !== undefined)
    throw new SkilletError("usage", problem.message, problem.hint === null ? {} : { hint: problem.hint });
}

function indentOf(text: string): number {
  return /^( +)\S/m.exec(text)?.[1]?.length ?? 2;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
