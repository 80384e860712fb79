import { fail, spend, type YamlCursor } from "./yaml-cursor.ts";
import { mergeTag } from "./yaml-tags.ts";
import { type YamlMap, YamlOpaque, type YamlValue } from "./yaml-value.ts";

/** A key as the text that an object of the mirrored loader would have for it. */
function keyText(cursor: YamlCursor, key: YamlValue): string {
  if (key instanceof Map) return "[object Object]";
  if (key instanceof YamlOpaque) return key.text;
  if (!Array.isArray(key)) return String(key);
  return key
    .map((item) => {
      if (Array.isArray(item)) return fail(cursor, "a list inside a list cannot be a key");
      return item === null ? "" : keyText(cursor, item);
    })
    .join(",");
}

/** A mapping while it is filled. Keys that came by a merge give way to written ones. */
export interface Entries {
  readonly map: YamlMap;
  readonly merged: Set<string>;
}

/** Adds one pair, or with the tag of `<<` what a merge brings. A key written twice is a failure. */
export function store(
  cursor: YamlCursor,
  entries: Entries,
  entry: {
    readonly tag: string | null;
    readonly key: YamlValue;
    readonly value: YamlValue;
    readonly at?: number;
  },
): void {
  const key = keyText(cursor, entry.key);
  if (entry.tag === mergeTag) {
    for (const source of Array.isArray(entry.value) ? entry.value : [entry.value])
      merge(cursor, entries, source);
    return;
  }
  spend(cursor, "keys");
  if (entries.map.has(key) && !entries.merged.has(key))
    fail(cursor, `the key ${JSON.stringify(key)} occurs twice`, entry.at ?? cursor.at);
  entries.map.set(key, entry.value);
  entries.merged.delete(key);
}

function merge(cursor: YamlCursor, entries: Entries, source: YamlValue): void {
  const pairs: Iterable<readonly [string, YamlValue]> | null =
    source instanceof Map
      ? source
      : Array.isArray(source)
        ? source.map((item, index) => [String(index), item] as const)
        : source instanceof YamlOpaque
          ? []
          : null;
  if (pairs === null) fail(cursor, "`<<` needs a mapping to merge");
  for (const [key, value] of pairs) {
    spend(cursor, "keys");
    if (entries.map.has(key)) continue;
    entries.map.set(key, value);
    entries.merged.add(key);
  }
}

export function emptyEntries(): Entries {
  return { map: new Map(), merged: new Set() };
}
