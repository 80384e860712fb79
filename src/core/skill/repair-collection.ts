import { closingIndex, missingBrackets, unquote } from "./brackets.ts";
import { type Parts, type ReadChildren, type Repair, scalar } from "./broken-field.ts";
import type { Damage, ListNode, MapEntry } from "./frontmatter-node.ts";
import { rawText } from "./raw-text.ts";
import { splitOutside } from "./split-outside.ts";

/** A list or mapping that only lacks its last brackets. */
export function closed(parts: Parts): Repair | null {
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

/** A list of texts, bracketed or one item a line; null when it is one text that is split later. */
export function list(parts: Parts): Repair | null {
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
  return null;
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
export function collection(parts: Parts, children: ReadChildren | null): Repair | null {
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
