import type { ConfigLayer } from "../configuration.ts";
import type { Diagnostic, TextRange } from "../diagnostic.ts";
import { makeDiagnostic } from "../diagnostics/make.ts";
import type { DiagnosticCode } from "../diagnostics/table.ts";
import { closestNames } from "../text/closest-names.ts";
import { printable } from "../text/printable.ts";
import { type ConfigKind, configGroups, configKey, configKeys } from "./keys.ts";

/** One settings file, parsed. */
export interface SettingsFile {
  readonly layer: ConfigLayer;
  /** Folder that relative paths in it count from; null = there are none. */
  readonly folder: string | null;
  readonly value: unknown;
  /** Place of the value (`key`: of its name) at a path of keys and indexes. */
  locate(path: readonly (string | number)[], options?: { readonly key?: boolean }): TextRange | null;
}

/** What a file sets: dotted key → value of the kind that the table names. */
export interface Settings {
  readonly file: SettingsFile;
  readonly values: Map<string, unknown>;
  /** What was noticed; later stages add to it. */
  readonly diagnostics: Diagnostic[];
}

/** Findings listed of one file; a hostile one could have many thousands. */
const listed = 40;

/** Checks a parsed file against the table of settings. Wrong values are left out with a diagnostic (row H06). */
export function readSettings(file: SettingsFile): Settings {
  const values = new Map<string, unknown>();
  const settings: Settings = { file, values, diagnostics: [] };
  if (file.value === undefined) return settings;
  if (!isObject(file.value)) {
    note(settings, "config/wrong-type", { path: [], message: "A settings file holds one object." });
    return settings;
  }
  for (const [name, value] of Object.entries(file.value)) {
    if (!configGroups.has(name)) readKey(settings, [name], value);
    else if (isObject(value))
      for (const [inner, innerValue] of Object.entries(value)) readKey(settings, [name, inner], innerValue);
    else note(settings, "config/wrong-type", { path: [name], message: `"${name}" must be an object.` });
  }
  return settings;
}

function readKey(settings: Settings, path: readonly string[], value: unknown): void {
  const name = path.join(".");
  const entry = path.some((part) => part.includes(".")) ? null : configKey(name);
  if (entry === null) {
    unknownKey(settings, path);
    return;
  }
  const checked = valueOfKind(settings, path, entry.type, value);
  if (checked !== undefined) settings.values.set(name, checked);
}

function unknownKey(settings: Settings, path: readonly string[]): void {
  // Looking for what was meant costs more than the rest, and a hostile file may have thousands of such keys.
  if (settings.diagnostics.length > listed) return;
  const name = path.join(".");
  const near = path.length > 1 ? siblings(path[0] ?? "") : topLevel;
  const last = closestNames(path.at(-1) ?? "", near, 1)[0];
  const meant = last === undefined ? closestKeys(name, 1)[0] : [...path.slice(0, -1), last].join(".");
  note(settings, "config/unknown-key", {
    path,
    key: true,
    message: `There is no setting "${printable(name.slice(0, 100))}".`,
    hint: meant === undefined ? undefined : `Did you mean "${meant}"?`,
  });
}

/** Settings that a person may have meant by this dotted name, best first. */
export function closestKeys(name: string, max: number): readonly string[] {
  const whole = closestNames(name, allKeys, max);
  if (whole.length > 0) return whole;
  const last = name.slice(name.lastIndexOf(".") + 1);
  const found = closestNames(last, [...new Set(allKeys.map(lastPart))], max);
  return allKeys.filter((key) => found.includes(lastPart(key))).slice(0, max);
}

const allKeys: readonly string[] = configKeys.map(({ key }) => key);
const topLevel: readonly string[] = [...configGroups, ...allKeys.filter((key) => !key.includes("."))];

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf(".") + 1);
}

function siblings(group: string): readonly string[] {
  return allKeys.filter((key) => key.startsWith(`${group}.`)).map(lastPart);
}

/** The value as the table wants it, or undefined when it cannot be used; out-of-range numbers are moved inside. */
function valueOfKind(settings: Settings, path: readonly string[], type: ConfigKind, value: unknown): unknown {
  const name = path.join(".");
  const wrong = (wanted: string): undefined => {
    note(settings, "config/wrong-type", {
      path,
      message: `"${name}" must be ${wanted}, not ${described(value)}.`,
    });
    return undefined;
  };
  switch (type.kind) {
    case "text":
      return typeof value === "string" ? value : wrong("a text");
    case "boolean":
      return typeof value === "boolean" ? value : wrong("true or false");
    case "choice": {
      if (typeof value !== "string") return wrong(`one of ${type.choices.join(", ")}`);
      return type.choices.includes(value) ? value : unknownWord(settings, path, value, type.choices);
    }
    case "number": {
      if (value === null && type.nullable) return null;
      if (typeof value !== "number") return wrong(type.whole ? "a whole number" : "a number");
      return numberInside(settings, path, type, value);
    }
    case "list":
      if (!Array.isArray(value)) return wrong("a list of texts");
      return listOfTexts(settings, path, value, type.choices);
    case "object":
      if (value === null && type.nullable === true) return null;
      return isObject(value) ? value : wrong("an object");
    case "agents":
      return isObject(value) ? value : wrong("an object");
    case "permission":
      // Its own reader fails closed on everything that it cannot read.
      return value;
  }
}

function numberInside(
  settings: Settings,
  path: readonly string[],
  type: Extract<ConfigKind, { kind: "number" }>,
  value: number,
): number {
  const { minimum, maximum, whole } = type;
  const inside = Math.min(Math.max(Number.isNaN(value) ? minimum : value, minimum), maximum);
  const used = whole ? Math.floor(inside) : inside;
  if (used !== value)
    note(settings, "config/out-of-range", {
      path,
      message: `"${path.join(".")}" must be a ${whole ? "whole " : ""}number from ${minimum} to ${maximum}; ${used} is used instead of ${value}.`,
    });
  return used;
}

function listOfTexts(
  settings: Settings,
  path: readonly string[],
  value: readonly unknown[],
  choices: readonly string[] | undefined,
): readonly string[] {
  const kept = new Set<string>();
  for (const [index, item] of value.entries()) {
    if (typeof item !== "string" || item === "")
      note(settings, "config/wrong-type", {
        path: [...path, index],
        message: `"${path.join(".")}" holds texts only, not ${described(item)}; that entry is ignored.`,
      });
    else if (choices === undefined || choices.includes(item)) kept.add(item);
    else unknownWord(settings, [...path, index], item, choices);
  }
  return [...kept];
}

function unknownWord(
  settings: Settings,
  path: readonly (string | number)[],
  word: string,
  choices: readonly string[],
): undefined {
  const meant = closestNames(word, choices, 1)[0];
  const name = path.filter((part) => typeof part === "string").join(".");
  note(settings, "config/unknown-value", {
    path,
    message: `"${name}" knows no "${printable(word.slice(0, 100))}".`,
    hint: meant === undefined ? `Known: ${choices.join(", ")}.` : `Did you mean "${meant}"?`,
  });
  return undefined;
}

export interface Note {
  readonly path: readonly (string | number)[];
  /** Point at the name, not at the value. */
  readonly key?: boolean;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Adds a diagnostic about one place of the file; after forty a last one says that there are more. */
export function note(settings: Settings, code: DiagnosticCode, { path, key, message, hint }: Note): void {
  const { diagnostics, file } = settings;
  if (diagnostics.length > listed) return;
  if (diagnostics.length === listed) {
    const more = "There is more to mend in this file than is listed here.";
    diagnostics.push(makeDiagnostic("config/too-many", { path: file.layer.path, message: more }));
    return;
  }
  const range = file.locate(path, { key: key === true }) ?? undefined;
  diagnostics.push(makeDiagnostic(code, { path: file.layer.path, message, range, hint }));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function described(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  if (typeof value === "string") return `"${printable(value.slice(0, 60))}"`;
  return String(value);
}
