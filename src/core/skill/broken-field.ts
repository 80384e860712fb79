import type { Damage, MapEntry, ScalarNode, ValueNode } from "./frontmatter-node.ts";
import type { KeyShape } from "./skill-keys.ts";

/** One field that YAML refuses. `source` is `key: rest` and its further lines; `restAt` the index behind the colon. */
export interface BrokenField {
  readonly key: string;
  readonly source: string;
  readonly restAt: number;
  /** It was refused for an alias or an anchor. */
  readonly aliases: boolean;
  /** The value that YAML reads from a text behind the key; null when it can't. */
  readonly reparse: (value: string) => ValueNode | null;
}

/** The value that was meant, and what was wrong. */
export interface Repair {
  readonly value: ValueNode;
  readonly damage: readonly Damage[];
}

/** Reads the lines of a mapping, given their text and the number of lines above them in the field. */
export type ReadChildren = (
  text: string,
  line: number,
) => { readonly entries: readonly MapEntry[]; readonly damage: readonly Damage[] } | null;

/** A broken field cut into its parts. */
export interface Parts {
  readonly field: BrokenField;
  readonly shape: KeyShape | null;
  /** Text behind the colon, trimmed, and the lines below it. */
  readonly first: string;
  readonly below: readonly string[];
  /** Offsets of the whole value. */
  readonly start: number;
  readonly end: number;
}

/** A repaired single value. */
export function scalar(parts: Parts, value: string): ScalarNode {
  return { kind: "scalar", style: "repaired", text: value, start: parts.start, end: parts.end };
}
