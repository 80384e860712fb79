import type { SemanticSetting } from "../configuration.ts";
import { semanticWeight } from "../search/semantic.ts";
import { closestNames } from "../text/closest-names.ts";
import { printable } from "../text/printable.ts";
import type { LayeredSettings } from "./merge-permissions.ts";
import { mergedValue, type Origins } from "./merge-values.ts";
import { note, type Settings } from "./read-settings.ts";

const key = "search.semantic";
const path = ["search", "semantic"];
const names = ["url", "model", "key", "weight", "timeout"];
/** Milliseconds where none are named. */
const usualTimeout = 10_000;

/**
 * The setting `search.semantic`, which only the user and the administrator can make: it says where texts and a key go.
 * Null where there is none, or it cannot be used as it is written.
 */
export function mergeSemantic(layers: LayeredSettings, origin: Origins): SemanticSetting | null {
  const written = mergedValue(layers, key, origin);
  const from = [...layers.own, ...layers.managed].findLast((one) => one.values.get(key) === written);
  return from === undefined ? null : readSemantic(written as Readonly<Record<string, unknown>>, from);
}

/** The written setting, checked; what is wrong is noted. Null where it cannot be used. */
export function readSemantic(
  written: Readonly<Record<string, unknown>>,
  settings: Settings,
): SemanticSetting | null {
  if (Object.keys(written).length === 0) return null;
  const { url, model, key: variable = null } = written;
  let usable = true;
  const wrong = (name: string, wanted: string): void => {
    usable = false;
    note(settings, "config/wrong-type", {
      path: [...path, name],
      message: `"${key}.${name}" must be ${wanted}.`,
    });
  };
  if (!isPlainAddress(url)) wrong("url", "an http or https address without a password, `?` or `#`");
  if (typeof model !== "string" || model.trim() === "") wrong("model", "the name of a model");
  if (variable !== null && (typeof variable !== "string" || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(variable)))
    wrong("key", "the name of the variable that holds the key, never the key itself");
  const number = (name: string, range: readonly [least: number, most: number, usual: number]): number => {
    const [least, most, usual] = range;
    const value = written[name];
    if (value === undefined) return usual;
    if (typeof value !== "number" || Number.isNaN(value)) {
      wrong(name, `a number from ${least} to ${most}`);
      return usual;
    }
    const used = Math.min(Math.max(value, least), most);
    if (used !== value)
      note(settings, "config/out-of-range", {
        path: [...path, name],
        message: `"${key}.${name}" must be a number from ${least} to ${most}; ${used} is used instead of ${value}.`,
      });
    return used;
  };
  const weight = number("weight", [0, 1, semanticWeight]);
  const timeout = number("timeout", [1, 600_000, usualTimeout]);
  for (const name of Object.keys(written)) {
    if (names.includes(name)) continue;
    const near = closestNames(name, names, 1)[0];
    note(settings, "config/unknown-key", {
      path: [...path, name],
      key: true,
      message: `"${key}" has no "${printable(name.slice(0, 100))}".`,
      hint: near === undefined ? `Known: ${names.join(", ")}.` : `Did you mean "${near}"?`,
    });
  }
  if (!usable) return null;
  return { url: url as string, model: model as string, key: variable as string | null, weight, timeout };
}

function isPlainAddress(value: unknown): boolean {
  if (typeof value !== "string" || /[?#\s]/.test(value)) return false;
  try {
    const { protocol, username, password } = new URL(value);
    return (protocol === "http:" || protocol === "https:") && username === "" && password === "";
  } catch {
    return false;
  }
}
