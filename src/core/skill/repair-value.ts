import { closingIndex } from "./brackets.ts";
import { type BrokenField, type Parts, type ReadChildren, type Repair, scalar } from "./broken-field.ts";
import type { Damage } from "./frontmatter-node.ts";
import { blockText, rawText } from "./raw-text.ts";
import { closed, collection, list } from "./repair-collection.ts";
import { repairedQuote } from "./repair-quote.ts";
import { keyShapes, skillKey } from "./skill-keys.ts";

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
  if (shape === "list") return list(parts) ?? text(parts);
  if (shape === "map" || shape === null) {
    const found = collection(parts, children);
    if (found !== null) return found;
  }
  return text(parts);
}

function block(parts: Parts): Repair {
  const value = blockText(parts.below, parts.first.startsWith(">"));
  const message = `the block text of ${parts.field.key} is not indented evenly`;
  return {
    value: scalar(parts, value),
    damage: [{ code: "frontmatter/block-text", message, at: parts.start }],
  };
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
