/** What YAML calls a timestamp or binary: not text to a loader, and nothing else that a skill could use. */
export class YamlOpaque {
  readonly kind: "timestamp" | "binary";
  readonly text: string;

  constructor(kind: "timestamp" | "binary", text: string) {
    this.kind = kind;
    this.text = text;
  }
}

/** A `Map`, so that a key such as `__proto__` is an ordinary key. */
export type YamlMap = Map<string, YamlValue>;

/** A loaded value. Aliases share one object, also with itself: walk with a limit. */
export type YamlValue = string | number | boolean | null | YamlOpaque | YamlValue[] | YamlMap;

export type YamlKind = "scalar" | "sequence" | "mapping";

/** One node as read: `present` is false where the text has no node at all. */
export interface YamlNode {
  readonly present: boolean;
  readonly tag: string | null;
  readonly kind: YamlKind | null;
  readonly value: YamlValue;
}

export const absentNode: YamlNode = { present: false, tag: null, kind: null, value: null };

/** Bounds that keep a hostile block cheap; a real one never meets them. */
export interface YamlLimits {
  /** Nodes inside each other. */
  readonly depth: number;
  /** Keys stored, merged ones counted again. */
  readonly keys: number;
  /** Alias uses. */
  readonly aliases: number;
}

/** In what versions of the mirrored loader differ. */
export interface YamlDialect {
  /** YAML 1.1 has base 60 and octal numbers with a leading 0, YAML 1.2 octal numbers with `0o`. */
  readonly numbers: "1.1" | "1.2";
  /** A tab in front of a key or a list item: like a blank, or a failure. */
  readonly leadingTab: "blank" | "failure";
  /** What follows a complete value in its line: the next key, or a failure. */
  readonly restOfLine: "key" | "failure";
  /** Nothing between two commas in brackets: null, or a failure. */
  readonly emptyItem: "null" | "failure";
}

export const jsYaml3: YamlDialect = {
  numbers: "1.1",
  leadingTab: "blank",
  restOfLine: "key",
  emptyItem: "null",
};

export const jsYaml4: YamlDialect = {
  numbers: "1.2",
  leadingTab: "failure",
  restOfLine: "failure",
  emptyItem: "failure",
};

/** Why a block could not be read. Thrown inside this folder only; `loadYaml` turns it into data. */
export class YamlProblem extends Error {
  /** UTF-16 offset in the text that was loaded. */
  readonly offset: number;
  /** The bound of ours that was met, where it is no rule of the language. */
  readonly limit: keyof YamlLimits | null;

  constructor(message: string, offset: number, limit: keyof YamlLimits | null = null) {
    super(message);
    this.name = "YamlProblem";
    this.offset = offset;
    this.limit = limit;
  }
}
