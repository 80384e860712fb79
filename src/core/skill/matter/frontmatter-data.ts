import type { FrontmatterValue } from "../document.ts";
import { type YamlMap, YamlOpaque, type YamlValue } from "./yaml-value.ts";

/** Values kept of one file; the rest is dropped. An alias can make a small block endless. */
const most = 1_000;
const deepest = 32;

/** Plain data of the fields not in `known`, in file order, bounded; what is too deep or too much is left out. */
export function extraFields(
  map: YamlMap,
  known: ReadonlySet<string>,
): Readonly<Record<string, FrontmatterValue>> {
  let left = most;
  const convert = (value: YamlValue, depth: number): FrontmatterValue | undefined => {
    if (--left < 0 || depth > deepest) return undefined;
    if (value instanceof YamlOpaque) return value.text;
    if (Array.isArray(value)) return value.map((item) => convert(item, depth + 1) ?? null);
    if (value instanceof Map) return record([...value], depth + 1);
    return value;
  };
  const record = (pairs: readonly (readonly [string, YamlValue])[], depth: number) => {
    const fields: Record<string, FrontmatterValue> = Object.create(null);
    for (const [key, value] of pairs) {
      const data = key === "__proto__" ? undefined : convert(value, depth);
      if (data !== undefined) fields[key] = data;
    }
    return fields;
  };
  return record(
    [...map].filter(([key]) => !known.has(key)),
    0,
  );
}
