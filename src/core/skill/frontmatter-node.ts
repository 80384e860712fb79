import type { DiagnosticCode } from "../diagnostics/table.ts";

/**
 * How a text was written. Only a `plain` one may be a number, a boolean or null for other readers; `repaired` is the
 * source text of something YAML could not read.
 */
export type ScalarStyle = "plain" | "quoted" | "block" | "repaired";

/** A single value. `text` is what the source says: `007` stays "007"; an empty value is "" in style plain. */
export interface ScalarNode {
  readonly kind: "scalar";
  readonly style: ScalarStyle;
  readonly text: string;
  /** Offsets into the entry's `source`. */
  readonly start: number;
  readonly end: number;
}

export interface ListNode {
  readonly kind: "list";
  readonly flow: boolean;
  readonly items: readonly ValueNode[];
  readonly start: number;
  readonly end: number;
}

export interface MapNode {
  readonly kind: "map";
  readonly flow: boolean;
  readonly entries: readonly MapEntry[];
  readonly start: number;
  readonly end: number;
}

export type ValueNode = ScalarNode | ListNode | MapNode;

export interface MapEntry {
  readonly key: string;
  readonly value: ValueNode;
}

/** What was wrong with an entry that was read all the same. */
export interface Damage {
  readonly code: DiagnosticCode;
  readonly message: string;
  /** Offset into the entry's `source`. */
  readonly at: number;
  /** The value could not be saved; the field counts as missing. */
  readonly lost?: boolean;
}

/** One top-level field. Offsets of the entry and of its value count in `source`, of which `line` is the key's line. */
export interface Entry extends MapEntry {
  readonly source: string;
  readonly keyStart: number;
  /** End of the value, without the line break. */
  readonly end: number;
  /** Line of `keyStart` in the file, from 1. */
  readonly line: number;
  readonly damage: readonly Damage[];
}

export const noDamage: readonly Damage[] = Object.freeze([]);

/** Place of an offset of an entry's source in the file. */
export function entryPlace(entry: Entry, offset: number): { readonly line: number; readonly column: number } {
  let line = entry.line;
  let lineStart = entry.source.lastIndexOf("\n", entry.keyStart - 1) + 1;
  for (let index = entry.source.indexOf("\n", lineStart); index >= 0 && index < offset; ) {
    if (index >= entry.keyStart) {
      line++;
      lineStart = index + 1;
    }
    index = entry.source.indexOf("\n", index + 1);
  }
  return { line, column: Math.max(1, offset - lineStart + 1) };
}
