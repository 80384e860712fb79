import { fail, isFlowMark, isSpace, peek, type YamlCursor } from "./yaml-cursor.ts";
import { type YamlDialect, type YamlKind, YamlOpaque, type YamlValue } from "./yaml-value.ts";

const standard = "tag:yaml.org,2002:";
export const mergeTag = `${standard}merge`;

/** A value with the tag that it turned out to have. */
interface Resolved {
  readonly tag: string;
  readonly value: YamlValue;
}

const handlePattern = /^(?:!|!!|![a-z-]+!)$/i;
const tagPattern = /^(?:!|[^,[\]{}])(?:%[0-9a-f]{2}|[0-9a-z\-#;/?:@&=+$,_.!~*'()[\]])*$/i;

/** Declares a handle of a `%TAG` line. */
export function declareHandle(cursor: YamlCursor, parts: readonly string[]): void {
  const [handle, prefix] = parts;
  if (parts.length !== 2 || handle === undefined || prefix === undefined)
    fail(cursor, "%TAG needs a handle and a prefix");
  if (!handlePattern.test(handle)) fail(cursor, "%TAG has a malformed handle");
  if (cursor.handles.has(handle)) fail(cursor, "%TAG declares a handle twice");
  if (!tagPattern.test(prefix)) fail(cursor, "%TAG has a malformed prefix");
  cursor.handles.set(handle, prefix);
}

/** A tag such as `!!str` or `!<tag:…>` in full; null: none stands here. */
export function readTag(cursor: YamlCursor): string | null {
  if (peek(cursor) !== 0x21) return null;
  cursor.at++;
  if (peek(cursor) === 0x3c) return readVerbatimTag(cursor);
  let handle = "!";
  let named = false;
  if (peek(cursor) === 0x21) {
    handle = "!!";
    named = true;
    cursor.at++;
  }
  let start = cursor.at;
  for (let code = peek(cursor); code !== 0 && !isSpace(code); code = peek(cursor)) {
    if (code === 0x21) {
      if (named) fail(cursor, "a tag holds a `!` too many");
      handle = cursor.text.slice(start - 1, cursor.at + 1);
      if (!handlePattern.test(handle)) fail(cursor, "a tag's handle is malformed");
      named = true;
      start = cursor.at + 1;
    }
    cursor.at++;
  }
  const suffix = cursor.text.slice(start, cursor.at);
  for (let index = 0; index < suffix.length; index++)
    if (isFlowMark(suffix.charCodeAt(index))) fail(cursor, "a tag holds a bracket or comma");
  if (suffix !== "" && !tagPattern.test(suffix)) fail(cursor, "a tag is malformed");
  const prefix = cursor.handles.get(handle);
  if (prefix !== undefined) return prefix + suffix;
  if (handle === "!") return `!${suffix}`;
  if (handle === "!!") return standard + suffix;
  return fail(cursor, "a tag's handle was never declared");
}

function readVerbatimTag(cursor: YamlCursor): string {
  const start = cursor.at + 1;
  const end = cursor.text.indexOf(">", start + 1);
  if (end < 0) fail(cursor, "a `!<…>` tag is never closed");
  cursor.at = end + 1;
  const tag = cursor.text.slice(start, end);
  if (!tagPattern.test(tag)) fail(cursor, "a tag is malformed");
  return tag;
}

const integers = [
  /^[-+]?0b[01_]*[01]$/,
  /^[-+]?0x[0-9a-fA-F_]*[0-9a-fA-F]$/,
  /^[-+]?0(?:[0-7_]*[0-7])?$/,
  /^[-+]?[0-9](?:[0-9_]*[0-9])?(?::[0-5]?[0-9])*$/,
];

/** Base 2, 8 (a leading 0), 10, 16 and 60 with `_` anywhere inside: the integers of js-yaml 3. */
function readInteger(text: string): number | null {
  const index = integers.findIndex((pattern) => pattern.test(text));
  if (index < 0) return null;
  // A leading 0 means base 8, so `09` and `0:30` are no integers.
  if (index === 3 && /^[-+]?0/.test(text)) return null;
  const digits = text.replaceAll("_", "").replace(/^[-+]/, "");
  const sign = text.startsWith("-") ? -1 : 1;
  if (index === 0) return sign * Number.parseInt(digits.slice(2), 2);
  if (index === 1) return sign * Number.parseInt(digits, 16);
  if (index === 2) return digits === "0" ? 0 : sign * Number.parseInt(digits, 8);
  return sign * base60(digits);
}

function base60(digits: string): number {
  return digits.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}

const floats =
  /^(?:[-+]?(?:0|[1-9][0-9_]*)(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9_]+(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

function readFloat(text: string, pattern: RegExp): number | null {
  if (!pattern.test(text) || text.endsWith("_")) return null;
  const digits = text.replaceAll("_", "").toLowerCase().replace(/^[-+]/, "");
  const sign = text.startsWith("-") ? -1 : 1;
  if (digits === ".inf") return sign * Number.POSITIVE_INFINITY;
  if (digits === ".nan") return Number.NaN;
  return sign * (digits.includes(":") ? base60(digits) : Number.parseFloat(digits));
}

const laterIntegers: readonly (readonly [pattern: RegExp, base: number])[] = [
  [/^[-+]?0b[01_]*[01]$/, 2],
  [/^[-+]?0x[0-9a-fA-F_]*[0-9a-fA-F]$/, 16],
  [/^[-+]?0o[0-7_]*[0-7]$/, 8],
  [/^[-+]?(?!0_)[0-9](?:[0-9_]*[0-9])?$/, 10],
];

/** Base 2, 8 (`0o`), 10 and 16: the integers of js-yaml 4, where a leading 0 means nothing. */
function readLaterInteger(text: string): number | null {
  const base = laterIntegers.find(([pattern]) => pattern.test(text))?.[1];
  if (base === undefined) return null;
  const digits = text.replaceAll("_", "").replace(/^[-+]/, "");
  return (text.startsWith("-") ? -1 : 1) * Number.parseInt(base === 10 ? digits : digits.slice(2), base);
}

const laterFloats =
  /^(?:[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9_]+(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

const dates = [
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/,
  /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?$/,
];

/** Base64 whose length fits whole bytes; line breaks inside do not count. */
function isBase64(text: string): boolean {
  const digits = text.replace(/[\r\n]/g, "");
  return /^[A-Za-z0-9+/=]*$/.test(digits) && (digits.length * 6) % 8 === 0;
}

type ScalarReader = (text: string, dialect: YamlDialect) => { readonly value: YamlValue } | null;

function boxed(value: YamlValue): { readonly value: YamlValue } | null {
  return value === null ? null : { value };
}

const nullWords = new Set(["~", "null", "Null", "NULL"]);

/** In the order in which an untagged text is tried. */
const implicit: ReadonlyMap<string, ScalarReader> = new Map<string, ScalarReader>([
  ["null", (text) => (nullWords.has(text) ? { value: null } : null)],
  [
    "bool",
    (text) =>
      /^(?:true|True|TRUE)$/.test(text)
        ? { value: true }
        : /^(?:false|False|FALSE)$/.test(text)
          ? { value: false }
          : null,
  ],
  ["int", (text, { numbers }) => boxed(numbers === "1.1" ? readInteger(text) : readLaterInteger(text))],
  ["float", (text, { numbers }) => boxed(readFloat(text, numbers === "1.1" ? floats : laterFloats))],
  [
    "timestamp",
    (text) =>
      dates.some((pattern) => pattern.test(text)) ? { value: new YamlOpaque("timestamp", text) } : null,
  ],
  ["merge", (text) => (text === "<<" ? { value: text } : null)],
]);

/** First characters of everything that is not simply text. */
const typedStart = /^[~nNtTfF0-9+\-.<]/;

/** What unquoted text without a tag means; text that means nothing else stays text, with the tag `?`. */
export function resolvePlain(text: string, dialect: YamlDialect): Resolved {
  if (!typedStart.test(text)) return { tag: "?", value: text };
  for (const [name, read] of implicit) {
    const found = read(text, dialect);
    if (found !== null) return { tag: standard + name, value: found.value };
  }
  return { tag: "?", value: text };
}

const scalarReaders: ReadonlyMap<string, ScalarReader> = new Map<string, ScalarReader>([
  ...implicit,
  ["binary", (text) => (isBase64(text) ? { value: new YamlOpaque("binary", text) } : null)],
]);

const scalarTags = new Set(["str", ...scalarReaders.keys()]);
const sequenceTags = new Set(["seq", "omap", "pairs"]);
const mappingTags = new Set(["map", "set"]);

function kindOfTag(name: string): YamlKind | null {
  if (scalarTags.has(name)) return "scalar";
  if (sequenceTags.has(name)) return "sequence";
  return mappingTags.has(name) ? "mapping" : null;
}

/**
 * The value of a node that carries `tag`. A scalar that was already resolved (its tag stood on an earlier line) is
 * taken as it is by `!!str` and refused by the other tags: a quirk of the mirrored loader.
 */
export function resolveTagged(
  cursor: YamlCursor,
  node: { readonly tag: string; readonly kind: YamlKind | null; readonly value: YamlValue },
): YamlValue {
  const { tag, kind, value } = node;
  const name = tag.startsWith(standard) ? tag.slice(standard.length) : "";
  const wanted = kindOfTag(name);
  if (wanted === null || (kind !== null && kind !== wanted)) fail(cursor, `the tag ${tag} is not known here`);
  if (value !== null && kind !== wanted) fail(cursor, `the tag ${tag} does not fit its value`);
  const refuse = (): never => fail(cursor, `the value does not fit the tag ${tag}`);

  if (wanted === "scalar") {
    if (name === "str") return value ?? "";
    if (value === null) return name === "null" || name === "merge" ? null : refuse();
    if (typeof value !== "string") return refuse();
    const found = scalarReaders.get(name)?.(value, cursor.dialect) ?? null;
    return found === null ? refuse() : found.value;
  }
  if (wanted === "mapping") {
    if (value === null) return new Map();
    if (name === "set" && value instanceof Map && [...value.values()].some((item) => item !== null))
      return refuse();
    return value;
  }
  if (value === null) return [];
  if (name === "seq" || !Array.isArray(value)) return value;
  const single = value.map((item) => (item instanceof Map && item.size === 1 ? [...item][0] : undefined));
  const pairs = single.flatMap((pair) => (pair === undefined ? [] : [pair]));
  if (pairs.length < value.length) return refuse();
  if (name === "pairs") return pairs.map(([key, item]) => [key, item]);
  return new Set(pairs.map(([key]) => key)).size === pairs.length ? value : refuse();
}
