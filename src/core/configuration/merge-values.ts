import type { ConfigLayer } from "../configuration.ts";
import { type ConfigKey, configKey } from "./keys.ts";
import type { LayeredSettings } from "./merge-permissions.ts";
import { note, type Settings } from "./read-settings.ts";

/** Which layer each set key came from; filled while values are merged. */
export type Origins = Record<string, ConfigLayer>;

/** The value of one setting over all layers, by the rules of the table (row H07). */
export function mergedValue(layers: LayeredSettings, key: string, origins: Origins): unknown {
  const entry = knownKey(key);
  if (entry.merge === "append") return mergedTexts(layers, entry, origins);
  return entry.project === "lower" ? smallest(layers, entry, origins) : strongest(layers, entry, origins);
}

/** The value that the user and the administrator set, the latter winning; undefined when neither did. */
export function trustedValue(layers: LayeredSettings, key: string, origins: Origins): unknown {
  const found = last(layers.managed, key) ?? last(layers.own, key);
  if (found === undefined) return undefined;
  origins[key] = found.file.layer;
  return found.values.get(key);
}

/** The table's entry of a key that the code itself names. */
export function knownKey(key: string): ConfigKey {
  const entry = configKey(key);
  if (entry === null) throw new Error(`There is no setting ${key}.`);
  return entry;
}

/** Says that a project's value of this key does not count. */
export function refuse(settings: Settings, key: string, why: string): void {
  note(settings, "config/not-for-project", { path: key.split("."), message: why });
}

function strongest(layers: LayeredSettings, entry: ConfigKey, origins: Origins): unknown {
  const { key } = entry;
  const trusted = trustedValue(layers, key, origins);
  const fixed = last(layers.managed, key) !== undefined;
  let value = trusted === undefined ? entry.default : trusted;
  for (const settings of layers.project) {
    if (!settings.values.has(key)) continue;
    const wanted = settings.values.get(key);
    if (entry.project === "any" || (entry.project === "off" && wanted === false)) {
      if (fixed) continue;
      value = wanted;
      origins[key] = settings.file.layer;
    } else if (entry.project === "never" || wanted !== value)
      refuse(settings, key, `A project cannot ${entry.project === "off" ? "switch on" : "set"} "${key}".`);
  }
  return value;
}

/** A number that everyone may make smaller: the administrator's is the most, a project's never more than the user's. */
function smallest(layers: LayeredSettings, entry: ConfigKey, origins: Origins): number {
  const { key } = entry;
  const most = last(layers.managed, key);
  const own = last(layers.own, key);
  let value = Number(entry.default);
  for (const settings of [most, own]) {
    if (settings === undefined) continue;
    const wanted = Number(settings.values.get(key));
    if (settings === own && most !== undefined && wanted > value) continue;
    value = wanted;
    origins[key] = settings.file.layer;
  }
  for (const settings of layers.project) {
    if (!settings.values.has(key)) continue;
    const wanted = Number(settings.values.get(key));
    if (wanted < value) {
      value = wanted;
      origins[key] = settings.file.layer;
    } else if (wanted > value)
      refuse(settings, key, `A project can only lower "${key}"; ${value} holds instead of ${wanted}.`);
  }
  return value;
}

function mergedTexts(layers: LayeredSettings, entry: ConfigKey, origins: Origins): readonly string[] {
  const texts = new Set<string>();
  for (const settings of [...layers.own, ...layers.project, ...layers.managed]) {
    const list = settings.values.get(entry.key);
    if (!Array.isArray(list)) continue;
    if (layers.project.includes(settings) && entry.project !== "any") {
      refuse(settings, entry.key, `A project cannot set "${entry.key}".`);
      continue;
    }
    for (const text of list) texts.add(String(text));
    origins[entry.key] = settings.file.layer;
  }
  return [...texts];
}

function last(list: readonly Settings[], key: string): Settings | undefined {
  return list.findLast((settings) => settings.values.has(key));
}
