import {
  type HiddenCharacter,
  hiddenCharacters,
  isPlainText,
  withoutHidden,
} from "../text/hidden-characters.ts";
import type { FrontmatterValue } from "./document.ts";
import type { ValueNode } from "./frontmatter-node.ts";

/** Would change the prototype of an object that it is copied to by assignment; never kept. */
export const forbiddenKey = "__proto__";

/** A record that inherits nothing, so that no key can collide with a member of `Object.prototype`. */
export function emptyRecord<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

/**
 * A value as data. `typed` makes numbers, booleans and null of plain texts, but only where the source text is exactly
 * what the type would print (`007` and `2.10` stay texts); else every single value is its source text, as the
 * published standard wants it for metadata. An empty value is null. Hidden characters are removed and put into `hidden`.
 */
export function frontmatterValue(
  node: ValueNode,
  typed: boolean,
  hidden: HiddenCharacter[] = [],
): FrontmatterValue {
  if (node.kind === "list") return node.items.map((item) => frontmatterValue(item, typed, hidden));
  if (node.kind === "map") {
    const record = emptyRecord<FrontmatterValue>();
    for (const { key, value } of node.entries) {
      if (key === forbiddenKey || Object.hasOwn(record, key)) continue;
      record[key] = frontmatterValue(value, typed, hidden);
    }
    return record;
  }
  if (node.style === "plain") {
    if (node.text === "") return null;
    return typed ? typedScalar(node.text, hidden) : visible(node.text, hidden);
  }
  return visible(node.style === "block" ? node.text.trimEnd() : node.text, hidden);
}

function visible(text: string, hidden: HiddenCharacter[]): string {
  if (isPlainText(text)) return text;
  const found = hiddenCharacters(text);
  hidden.push(...found);
  return withoutHidden(text, found);
}

/** A plain text as the data it stands for; see `frontmatterValue`. */
export function typedScalar(text: string, hidden: HiddenCharacter[]): FrontmatterValue {
  switch (text) {
    case "~":
    case "null":
    case "Null":
    case "NULL":
      return null;
    case "true":
    case "True":
    case "TRUE":
      return true;
    case "false":
    case "False":
    case "FALSE":
      return false;
    default:
  }
  if (text.length <= 17 && /^-?[0-9]/.test(text)) {
    const number = Number(text);
    if (String(number) === text) return number;
  }
  return visible(text, hidden);
}

/** Whether YAML reads nothing at all there: `~` or `null` without quotes. */
export function isNull(node: ValueNode): boolean {
  return node.kind === "scalar" && node.style === "plain" && plainType(node.text.trim()) === "null";
}

/** What YAML makes of a plain text that is no text for it, as a word for messages; null for texts. */
export function plainType(text: string): string | null {
  if (/^(?:true|True|TRUE|false|False|FALSE)$/.test(text)) return "a boolean";
  if (/^(?:~|null|Null|NULL)$/.test(text)) return "null";
  if (/^(?:yes|no|on|off|y|n)$/i.test(text)) return "a boolean in older versions";
  if (text.length > 40 || !/^[-+.0-9]/.test(text)) return null;
  if (/^[-+]?(?:[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/.test(text)) return "a number";
  if (/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(text)) return "a number";
  if (/^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$/.test(text)) return "a number";
  if (/^\d{4}-\d{1,2}-\d{1,2}(?:[Tt ][0-9:.Z+-]*)?$/.test(text)) return "a date";
  return null;
}
