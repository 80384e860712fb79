import type { Damage, ListNode, MapEntry, ScalarNode, ValueNode } from "./frontmatter-node.ts";
import { blockText, rawText } from "./raw-text.ts";
import { repairedQuote } from "./repair-quote.ts";
import { type KeyShape, keyShapes, skillKey } from "./skill-keys.ts";
import { splitOutside } from "./split-outside.ts";

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

export interface Repair {
  readonly value: ValueNode;
  readonly damage: readonly Damage[];
}

/** Reads the lines of a mapping, given their text and the number of lines above them in the field. */
type ReadChildren = (
  text: string,
  line: number,
) => { readonly entries: readonly MapEntry[]; readonly damage: readonly Damage[] } | null;

interface Parts {
  readonly field: BrokenField;
  readonly shape: KeyShape | null;
  /** Text behind the colon, trimmed, and the lines below it. */
  readonly first: string;
  readonly below: readonly string[];
  /** Offsets of the whole value. */
  readonly start: number;
  readonly end: number;
}

/** The value a person meant, by the kind of the key, with the cause of the trouble. Never fails. */
export function repairedValue(field: BrokenField, children: ReadChildren | null): Repair {
  const { source, restAt } = field;
  const known = skillKey(field.key);
  const lineEnd = source.indexOf("\n", restAt);
  const first = source.slice(restAt, lineEnd).trim();
  const below = source
    .slice(lineEnd + 1)
    .trimEnd()
    .split("\n");
  let start = restAt;
  while (start < source.length && /\s/.test(source.charAt(start))) start++;
  const end = Math.max(start, source.trimEnd().length);
  const shape = known === null ? null : keyShapes[known];
  const parts: Parts = {
    field,
    shape,
    first,
    below: below.length === 1 && below[0] === "" ? [] : below,
    start,
    end,
  };
  if (/^[|>][0-9+-]{0,3}(\s+#.*)?$/.test(first)) return block(parts);
  const completed = shape === "list" || shape === "map" || shape === null ? closed(parts) : null;
  if (completed !== null) return completed;
  if (shape === "list") return list(parts);
  if (shape === "map" || shape === null) {
    const found = collection(parts, children);
    if (found !== null) return found;
  }
  return text(parts);
}

/** A list or mapping that only lacks its last brackets. */
function closed(parts: Parts): Repair | null {
  const { first, field } = parts;
  if (!first.startsWith("[") && !first.startsWith("{")) return null;
  const whole = field.source.slice(parts.start, parts.end);
  const missing = missingBrackets(whole);
  if (missing === "") return null;
  const value = field.reparse(whole + missing);
  if (value === null) return null;
  const message = `the bracket that ${field.key} begins with is never closed; ${missing} was added at its end`;
  const at = parts.start;
  return {
    value: { ...value, start: parts.start, end: parts.end },
    damage: [{ code: "frontmatter/unclosed-collection", message, at }],
  };
}

function scalar(parts: Parts, value: string): ScalarNode {
  return { kind: "scalar", style: "repaired", text: value, start: parts.start, end: parts.end };
}

function block(parts: Parts): Repair {
  const value = blockText(parts.below, parts.first.startsWith(">"));
  const message = `the block text of ${parts.field.key} is not indented evenly`;
  return {
    value: scalar(parts, value),
    damage: [{ code: "frontmatter/block-text", message, at: parts.start }],
  };
}

/** Lists of texts: bracketed, one item a line, or one text that is split later. */
function list(parts: Parts): Repair {
  const { first, field } = parts;
  if (first.startsWith("[")) {
    const whole = rawText(field.source.slice(parts.start, parts.end));
    const close = closingIndex(whole);
    const inner = whole.slice(1, close < 0 ? whole.length : close);
    const rest = close < 0 ? "" : whole.slice(close + 1).trim();
    const items = splitOutside(rest === "" || rest.startsWith("#") ? inner : `${inner},${rest}`, ",").map(
      unquote,
    );
    return {
      value: listOf(parts, items, true),
      damage: [
        close < 0
          ? {
              code: "frontmatter/unclosed-collection",
              message: `the list of ${field.key} is never closed`,
              at: parts.start,
            }
          : cause(parts, `the list of ${field.key} is not valid YAML; its items were read one by one`),
      ],
    };
  }
  const items = first === "" ? lineItems(parts.below) : null;
  if (items !== null) {
    const damage = cause(parts, `an item of ${field.key} is not valid YAML; the items were read as text`);
    return { value: listOf(parts, items.map(unquote), false), damage: [damage] };
  }
  return text(parts);
}

function listOf(parts: Parts, items: readonly string[], flow: boolean): ListNode {
  const nodes = items.filter((item) => item !== "").map((item) => scalar(parts, item));
  return { kind: "list", flow, items: nodes, start: parts.start, end: parts.end };
}

/** Texts behind `- `, continued lines joined; null when the lines are no list. */
function lineItems(lines: readonly string[]): readonly string[] | null {
  const items: string[] = [];
  for (const line of lines) {
    const content = line.trim();
    if (content === "" || content.startsWith("#")) continue;
    if (/^-(\s|$)/.test(content)) items.push(content.slice(1).trim());
    else if (items.length === 0) return null;
    else items.push(`${items.pop()} ${content}`);
  }
  return items.length === 0 ? null : items;
}

/** A mapping or a list below the key, or a mapping in braces; null when the value is a text. */
function collection(parts: Parts, children: ReadChildren | null): Repair | null {
  const { first, below, field } = parts;
  const anchored = first === "" || /^&\S+$/.test(first);
  if (anchored && below.length > 0 && children !== null) {
    const found = children(`${below.join("\n")}\n`, 1);
    if (found !== null) {
      const lineEnd = field.source.indexOf("\n") + 1;
      const damage = found.damage.map((one) => ({ ...one, at: lineEnd + one.at }));
      const own =
        field.aliases || damage.length === 0 ? [cause(parts, `${field.key} was read line by line`)] : [];
      const value = {
        kind: "map",
        flow: false,
        entries: found.entries,
        start: parts.start,
        end: parts.end,
      } as const;
      return { value, damage: [...own, ...damage] };
    }
    const items = lineItems(below);
    if (items !== null) {
      const message = `an item of ${field.key} is not valid YAML; the items were read as text`;
      return { value: listOf(parts, items.map(unquote), false), damage: [cause(parts, message)] };
    }
  }
  if (parts.shape === "map" && first.startsWith("{")) return braces(parts);
  if (parts.shape === null && first.startsWith("[")) {
    const whole = rawText(field.source.slice(parts.start, parts.end));
    if (closingIndex(whole) === whole.length - 1) {
      const items = splitOutside(whole.slice(1, -1), ",").map(unquote);
      return {
        value: listOf(parts, items, true),
        damage: [cause(parts, `the list of ${field.key} is not valid YAML`)],
      };
    }
  }
  return null;
}

function braces(parts: Parts): Repair {
  const { field } = parts;
  const whole = rawText(field.source.slice(parts.start, parts.end));
  const close = closingIndex(whole);
  const entries: MapEntry[] = [];
  for (const part of splitOutside(whole.slice(1, close < 0 ? whole.length : close), ",")) {
    const colon = part.indexOf(":");
    if (colon <= 0) continue;
    entries.push({
      key: unquote(part.slice(0, colon).trim()),
      value: scalar(parts, unquote(part.slice(colon + 1).trim())),
    });
  }
  const damage: Damage =
    close < 0
      ? {
          code: "frontmatter/unclosed-collection",
          message: `the mapping of ${field.key} is never closed`,
          at: parts.start,
        }
      : cause(parts, `the mapping of ${field.key} is not valid YAML; its fields were read one by one`);
  return {
    value: { kind: "map", flow: true, entries, start: parts.start, end: parts.end },
    damage: [damage],
  };
}

function cause(parts: Parts, message: string): Damage {
  const code =
    parts.field.aliases && !/[*&]/.test(parts.first.charAt(0)) && parts.shape === "map"
      ? "frontmatter/alias"
      : "frontmatter/collection";
  return {
    code: parts.field.aliases && parts.shape === null ? "frontmatter/alias" : code,
    message,
    at: parts.start,
  };
}

/** Closing brackets that a value lacks at its end; "" when it lacks none or they don't match. */
function missingBrackets(value: string): string {
  const open: string[] = [];
  let quote = "";
  for (let index = 0; index < value.length && open.length < 32; index++) {
    const character = value.charAt(index);
    if (quote !== "") {
      if (character === "\\" && quote === '"') index++;
      else if (character === quote) quote = "";
    } else if ((character === '"' || character === "'") && /[\s[{,:(]/.test(value.charAt(index - 1)))
      quote = character;
    else if (character === "[") open.push("]");
    else if (character === "{") open.push("}");
    else if ((character === "]" || character === "}") && open.pop() !== character) return "";
  }
  return quote === "" ? open.reverse().join("") : "";
}

/** Index of the bracket that closes the one at the start, else -1. Quoted parts count as text. */
export function closingIndex(value: string): number {
  let depth = 0;
  let quote = "";
  for (let index = 0; index < value.length; index++) {
    const character = value.charAt(index);
    if (quote !== "") {
      if (character === "\\" && quote === '"') index++;
      else if (character === quote) quote = "";
    } else if ((character === '"' || character === "'") && /[\s[{,:(]/.test(value.charAt(index - 1))) {
      if (value.indexOf(character, index + 1) > 0) quote = character;
    } else if (character === "[" || character === "{") depth++;
    else if (character === "]" || character === "}") {
      depth--;
      if (depth === 0) return index;
    }
  }
  return -1;
}

function unquote(item: string): string {
  const first = item.charAt(0);
  if (item.length < 2 || (first !== '"' && first !== "'") || !item.endsWith(first)) return item;
  const inner = item.slice(1, -1);
  return first === "'" ? inner.replaceAll("''", "'") : inner.replaceAll('\\"', '"').replaceAll("\\\\", "\\");
}

function text(parts: Parts): Repair {
  const { first, field, shape } = parts;
  const raw = field.source.slice(parts.start, parts.end);
  const at = parts.start;
  const begins = raw.charAt(0);
  if (first !== "" && (begins === '"' || begins === "'")) {
    const quote = repairedQuote(raw, field.key);
    return { value: scalar(parts, quote.text), damage: [{ code: quote.code, message: quote.message, at }] };
  }
  if (first !== "" && (begins === "[" || begins === "{") && closingIndex(raw) < 0)
    return torn(parts, rawText(raw));
  if ((begins === "|" || begins === ">") && first !== "" && parts.below.length > 0) {
    const joined = rawText(raw.replace(/^[|>][0-9+-]{0,3}/, ""));
    const message = `the text of ${field.key} begins on the line of its ${begins}`;
    return { value: scalar(parts, joined), damage: [{ code: "frontmatter/block-text", message, at }] };
  }
  const word = shape === "word" || shape === "flag" || shape === "list";
  const kept = word ? raw.replace(/[ \t]#[^\n]*/, "") : raw;
  return { value: scalar(parts, rawText(kept)), damage: [textCause(parts, raw)] };
}

/** A bracket that never closes: a sentence is kept as text, anything shorter is a torn list whose value is lost. */
function torn(parts: Parts, value: string): Repair {
  const { field, shape, start } = parts;
  const sentence = value.split(/\s+/).filter((word) => /\p{L}{2}/u.test(word)).length >= 3;
  const lost = shape === "word" || (shape === "prose" && !sentence);
  const message = `the bracket that ${field.key} begins with is never closed${lost ? "" : "; it was kept as text"}`;
  return {
    value: scalar(parts, value),
    damage: [{ code: "frontmatter/unclosed-collection", message, at: start, ...(lost ? { lost } : {}) }],
  };
}

function textCause(parts: Parts, raw: string): Damage {
  const { field, start } = parts;
  const first = raw.charAt(0);
  const second = raw.charAt(1);
  const indicator = (first === "-" || first === "?" || first === ":") && /\s/.test(second);
  if (indicator || "`@*&!%|>[]{},#\"'".includes(first)) {
    const message = `${field.key} starts with the reserved character ${first}`;
    return { code: "frontmatter/reserved-character", message, at: start };
  }
  const wrapped = raw.includes("\n");
  const colon = /:(?=\s|$)/.exec(raw);
  if (colon !== null) {
    const where = wrapped
      ? ` inside a wrapped ${field.key}; its lines were joined with single spaces`
      : ` in ${field.key}`;
    return { code: "frontmatter/unquoted-colon", message: `unquoted colon${where}`, at: start + colon.index };
  }
  const hash = /\s#/.exec(raw);
  if (hash !== null) {
    const message = `YAML takes the text behind # for a comment and cuts ${field.key}; it was kept`;
    return { code: "frontmatter/hash", message, at: start + hash.index + 1 };
  }
  return {
    code: "frontmatter/invalid-yaml",
    message: `${field.key} is not valid YAML; it was read as text`,
    at: start,
  };
}
