import type { SemanticAddress, SemanticFolder, SemanticSetting } from "../configuration.ts";
import { semanticWeight } from "../search/semantic.ts";
import { closestNames } from "../text/closest-names.ts";
import { printable } from "../text/printable.ts";
import { configuredFolder } from "./configured-folders.ts";
import type { LayeredSettings } from "./merge-permissions.ts";
import { mergedValue, type Origins } from "./merge-values.ts";
import { note, type Settings } from "./read-settings.ts";

const key = "search.semantic";
const path = ["search", "semantic"];
const addressNames = ["url", "model", "key"];
const folderNames = ["folder", "file"];
const sharedNames = ["requestPrefix", "documentPrefix", "weight", "timeout"];
/** Milliseconds where none are named. */
const usualTimeout = 10_000;
/** UTF-16 units of a prefix. */
const longestPrefix = 1_000;

type Written = Readonly<Record<string, unknown>>;
/** Notes that `name` must be something else. */
type Wrong = (name: string, wanted: string) => void;

/**
 * The setting `search.semantic`, which only the user and the administrator can make: it says where texts and a key go, and
 * which file is run as a model. Null where there is none, or it cannot be used as it is written.
 */
export function mergeSemantic(
  layers: LayeredSettings,
  { home, origin }: { readonly home: string; readonly origin: Origins },
): SemanticSetting | null {
  const written = mergedValue(layers, key, origin);
  const from = [...layers.own, ...layers.managed].findLast((one) => one.values.get(key) === written);
  return from === undefined || written === null ? null : readSemantic(written as Written, from, home);
}

/** The written setting, checked; what is wrong is noted. Null where it cannot be used. */
export function readSemantic(written: Written, settings: Settings, home: string): SemanticSetting | null {
  if (Object.keys(written).length === 0) return null;
  if (written.url === undefined && written.folder === undefined) {
    noteNoPlace(written, settings);
    return null;
  }
  let usable = true;
  const wrong: Wrong = (name, wanted) => {
    usable = false;
    note(settings, "config/wrong-type", {
      path: written[name] === undefined ? path : [...path, name],
      message: `"${key}.${name}" must be ${wanted}.`,
    });
  };
  const local = written.folder !== undefined;
  const place = local
    ? readFolder(written, wrong, { home, folder: settings.file.folder })
    : readAddress(written, wrong);
  const prefix = (name: string): string | null => {
    const value = written[name] ?? null;
    if (value === null || (typeof value === "string" && value.length <= longestPrefix)) return value;
    wrong(name, `a text of at most ${longestPrefix} characters`);
    return null;
  };
  const number = (name: string, range: readonly [least: number, most: number, usual: number]): number =>
    numberInside(written[name], { name, range, settings, wrong });
  const shared = {
    requestPrefix: prefix("requestPrefix"),
    documentPrefix: prefix("documentPrefix"),
    weight: number("weight", [0, 1, semanticWeight]),
    timeout: number("timeout", [1, 600_000, usualTimeout]),
  };
  noteOthers(written, settings, local);
  return usable ? { ...place, ...shared } : null;
}

/** Without a place nothing else matters, so nothing else is told. */
function noteNoPlace(written: Written, settings: Settings): void {
  const [slip, meant] =
    Object.keys(written)
      .slice(0, 40)
      .flatMap((name) => closestNames(name, ["url", "folder"], 1).map((near) => [name, near] as const))[0] ??
    [];
  note(settings, "config/wrong-type", {
    path: slip === undefined ? path : [...path, slip],
    key: slip !== undefined,
    message: `"${key}" must name "url" or "folder": where a model is.`,
    hint: meant === undefined ? undefined : `Did you mean "${meant}"?`,
  });
}

function readAddress({ url, model, key: variable = null }: Written, wrong: Wrong): SemanticAddress {
  if (!isPlainAddress(url)) wrong("url", "an http or https address without a password, `?` or `#`");
  if (typeof model !== "string" || model.trim() === "") wrong("model", "the name of a model");
  if (variable !== null && (typeof variable !== "string" || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(variable)))
    wrong("key", "the name of the variable that holds the key, never the key itself");
  return { url: url as string, model: model as string, key: variable as string | null };
}

function readFolder(
  { folder, file = null, url }: Written,
  wrong: Wrong,
  from: { readonly home: string; readonly folder: string | null },
): SemanticFolder {
  const written = typeof folder === "string" && folder.trim() !== "" ? folder : null;
  if (written === null) wrong("folder", "the path of a folder with a model");
  if (url !== undefined)
    wrong("url", "left out where there is a `folder`: a model is at an address or in a folder");
  if (file !== null && (typeof file !== "string" || file.trim() === ""))
    wrong("file", "the name of an .onnx file in the folder");
  const absolute = written === null ? null : configuredFolder(written, from);
  return { folder: absolute ?? written ?? "", file: file as string | null };
}

function numberInside(
  value: unknown,
  rule: {
    readonly name: string;
    readonly range: readonly [least: number, most: number, usual: number];
    readonly settings: Settings;
    readonly wrong: Wrong;
  },
): number {
  const { name, range, settings, wrong } = rule;
  const [least, most, usual] = range;
  if (value === undefined) return usual;
  if (typeof value !== "number" || Number.isNaN(value)) {
    wrong(name, `a number from ${least} to ${most}`);
    return usual;
  }
  // No time at all is no wish to hurry.
  const used = name === "timeout" && value < least ? usual : Math.min(Math.max(value, least), most);
  if (used !== value)
    note(settings, "config/out-of-range", {
      path: [...path, name],
      message: `"${key}.${name}" must be a number from ${least} to ${most}; ${used} is used instead of ${value}.`,
    });
  return used;
}

/** Names that mean nothing, and those that belong to the other kind of place. */
function noteOthers(written: Written, settings: Settings, local: boolean): void {
  const [own, foreign] = local ? [folderNames, addressNames] : [addressNames, folderNames];
  const known = [...own, ...sharedNames];
  for (const name of Object.keys(written)) {
    if (known.includes(name) || (local && name === "url")) continue;
    const near = closestNames(name, known, 1)[0];
    note(settings, "config/unknown-key", {
      path: [...path, name],
      key: true,
      message: foreign.includes(name)
        ? `"${key}" has no "${name}" beside ${local ? '"folder"' : '"url"'}.`
        : `"${key}" has no "${printable(name.slice(0, 100))}".`,
      hint:
        near === undefined || foreign.includes(name)
          ? `Known: ${known.join(", ")}.`
          : `Did you mean "${near}"?`,
    });
  }
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
