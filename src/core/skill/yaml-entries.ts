import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, parseDocument, type Scalar } from "yaml";
import type { DiagnosticCode } from "../diagnostics/table.ts";
import { printable } from "../text/printable.ts";
import type { ReadLimits } from "./document.ts";
import {
  type Damage,
  type Entry,
  type MapEntry,
  noDamage,
  type ScalarNode,
  type ScalarStyle,
  type ValueNode,
} from "./frontmatter-node.ts";
import { rawText } from "./raw-text.ts";
import { keyShapes, skillKey } from "./skill-keys.ts";
import { guardYaml } from "./yaml-guard.ts";

export type YamlEntries =
  | { readonly kind: "entries"; readonly entries: readonly Entry[] }
  /** Not YAML as it stands; `aliases` when it is refused for aliases or anchors. */
  | { readonly kind: "broken"; readonly aliases: boolean }
  /** Something else than a mapping: a plain text or a list. */
  | { readonly kind: "other" }
  | { readonly kind: "refused"; readonly code: DiagnosticCode; readonly message: string };

export interface YamlOptions {
  readonly limits: ReadLimits;
  /** Line in the file of the first line of the text. */
  readonly line: number;
}

const broken: YamlEntries = { kind: "broken", aliases: false };

/**
 * Frontmatter by the YAML library: every scalar keeps its source text, nothing is expanded, merged, tagged or logged.
 * The guard runs first, on every text. Tags are reported as damage of their entry (case p-special-first-char "bang").
 */
export function yamlEntries(text: string, options: YamlOptions): YamlEntries {
  const verdict = guardYaml(text, options.limits);
  if (verdict.kind === "refused") return verdict;
  if (verdict.aliases) return { kind: "broken", aliases: true };
  const document = parsed(text);
  if (document.errors.length > 0) return broken;
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.source === "" && contents.type === "PLAIN")) {
    return { kind: "entries", entries: [] };
  }
  if (!isMap(contents)) return { kind: "other" };
  const lines = lineCounter(text, options.line);
  const entries: Entry[] = [];
  for (const pair of contents.items as Pair<Node, Node | null>[]) {
    const entry = entryOf(pair, text, lines);
    if (wideColon(entry.key)) return broken;
    entries.push(entry);
  }
  return { kind: "entries", entries };
}

function parsed(text: string): ReturnType<typeof parseDocument> {
  // The library makes one Error for each fault of a text, up to tens of thousands; their stack traces would take seconds.
  const depth = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return parseDocument(text, {
      schema: "failsafe",
      version: "1.2",
      merge: false,
      resolveKnownTags: false,
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: "error",
      strict: true,
    });
  } finally {
    Error.stackTraceLimit = depth;
  }
}

/** `description：如何: 用` is one valid key for YAML; a person meant the first colon. */
function wideColon(key: string): boolean {
  const colon = key.indexOf("：");
  return colon > 0 && skillKey(key.slice(0, colon).trimEnd()) !== null;
}

/** Line of offsets that are asked for in ascending order. */
function lineCounter(text: string, first: number): (offset: number) => number {
  let line = first;
  let from = 0;
  return (offset) => {
    for (
      let index = text.indexOf("\n", from);
      index >= 0 && index < offset;
      index = text.indexOf("\n", from)
    ) {
      line++;
      from = index + 1;
    }
    return line;
  };
}

function entryOf(pair: Pair<Node, Node | null>, text: string, lineOf: (offset: number) => number): Entry {
  const keyNode = pair.key;
  const keyStart = keyNode.range?.[0] ?? 0;
  const keyEnd = keyNode.range?.[1] ?? keyStart;
  const line = lineOf(keyStart);
  const damage: Damage[] = [];
  const key = isScalar(keyNode) ? String(keyNode.value) : "";
  if (!isScalar(keyNode) || keyNode.tag !== undefined) {
    damage.push({ code: "frontmatter/key", message: "a key is not a plain word", at: keyStart, lost: true });
  }
  let colon = keyEnd;
  while (text.charCodeAt(colon) === 0x20 || text.charCodeAt(colon) === 0x09) colon++;
  const after = text.charCodeAt(colon) === 0x3a ? colon + 1 : keyEnd;
  const value = nodeOf(pair.value, after, { text, damage, key, prose: isProse(key) });
  return {
    key,
    value,
    source: text,
    keyStart,
    end: Math.max(value.end, after),
    line,
    damage: damage.length === 0 ? noDamage : damage,
  };
}

interface Conversion {
  readonly text: string;
  readonly damage: Damage[];
  readonly key: string;
  /** A ` #` belongs to the text. */
  readonly prose: boolean;
}

function isProse(key: string): boolean {
  const known = skillKey(key);
  return (
    known !== null && (keyShapes[known] === "prose" || known === "displayNames" || known === "descriptions")
  );
}

function nodeOf(node: Node | null, after: number, context: Conversion): ValueNode {
  if (node === null) return emptyAt(after, context);
  const start = node.range?.[0] ?? after;
  const end = node.range?.[1] ?? start;
  if (isScalar(node)) return scalarOf(node, { start, end, after }, context);
  if (isMap(node)) {
    if (node.tag !== undefined && !coreTag(node.tag)) noteTag(node.tag, after, context);
    const entries: MapEntry[] = [];
    for (const pair of node.items as Pair<Node, Node | null>[]) {
      if (!isScalar(pair.key)) {
        const at = pair.key?.range?.[0] ?? start;
        context.damage.push({ code: "frontmatter/key", message: "a key is not a plain word; left out", at });
        continue;
      }
      const behind = pair.key.range?.[1] ?? start;
      entries.push({ key: String(pair.key.value), value: nodeOf(pair.value, behind, context) });
    }
    return { kind: "map", flow: node.flow === true, entries, start, end };
  }
  if (isSeq(node)) {
    if (node.tag !== undefined && !coreTag(node.tag)) noteTag(node.tag, after, context);
    const items = (node.items as (Node | null)[]).map((item) => nodeOf(item, start, context));
    return { kind: "list", flow: node.flow === true, items, start, end };
  }
  // The guard keeps aliases out; the source text stands for anything unforeseen.
  const text = isAlias(node) ? `*${node.source}` : context.text.slice(start, end);
  return { kind: "scalar", style: "repaired", text, start, end };
}

function emptyAt(after: number, context: Conversion): ScalarNode {
  let from = after;
  while (context.text.charCodeAt(from) === 0x20 || context.text.charCodeAt(from) === 0x09) from++;
  // `description: #1 tool` is empty for YAML.
  const hashed = context.prose && from > after && context.text.charCodeAt(from) === 0x23;
  const empty: ScalarNode = { kind: "scalar", style: "plain", text: "", start: after, end: after };
  return hashed ? (behindHash(from, from, context) ?? empty) : empty;
}

/**
 * In free text a ` #` is nearly always meant (`fix issue #12`), so the rest of the line is kept; in one-word values,
 * lists and mappings it starts a comment as in YAML. Null when no `#` follows the value.
 */
function behindHash(start: number, end: number, context: Conversion): ScalarNode | null {
  if (!context.prose) return null;
  const { text } = context;
  let from = end;
  while (text.charCodeAt(from) === 0x20 || text.charCodeAt(from) === 0x09) from++;
  if (text.charCodeAt(from) !== 0x23) return null;
  const lineEnd = text.indexOf("\n", from);
  const last = lineEnd < 0 ? text.length : lineEnd;
  context.damage.push({
    code: "frontmatter/hash",
    message: `YAML takes the text behind # for a comment and cuts ${context.key}; it was kept`,
    at: from,
  });
  const kept = rawText(text.slice(start, last));
  return {
    kind: "scalar",
    style: "repaired",
    text: kept,
    start,
    end: start + text.slice(start, last).trimEnd().length,
  };
}

const styles: Readonly<Record<string, ScalarStyle>> = {
  PLAIN: "plain",
  QUOTE_SINGLE: "quoted",
  QUOTE_DOUBLE: "quoted",
  BLOCK_FOLDED: "block",
  BLOCK_LITERAL: "block",
};

function scalarOf(
  node: Scalar,
  place: { readonly start: number; readonly end: number; readonly after: number },
  context: Conversion,
): ScalarNode {
  const { start, end } = place;
  const style = styles[node.type ?? "PLAIN"] ?? "plain";
  const text = node.tag === undefined ? String(node.value ?? "") : (node.source ?? String(node.value ?? ""));
  if (node.tag === undefined) {
    // Where the library puts an empty value differs with comments around it; here it stands behind its key.
    if (style !== "plain") return { kind: "scalar", style, text, start, end };
    if (text === "") return emptyAt(place.after, context);
    return behindHash(start, end, context) ?? { kind: "scalar", style, text, start, end };
  }
  if (coreTag(node.tag)) {
    noteTag(node.tag, place.after, context);
    return { kind: "scalar", style: "repaired", text, start, end };
  }
  // `!important planner` is prose that happens to begin with a mark; a name never means one.
  let from = place.after;
  while (from < start && /\s/.test(context.text.charAt(from))) from++;
  if (keyShape(context.key) === "word" || style === "block") {
    noteTag(node.tag, from, context);
    return { kind: "scalar", style: "repaired", text, start, end };
  }
  const what = context.text.startsWith("!!", from) || context.text.startsWith("!<", from) ? "tag" : "mark";
  if (what === "tag") noteTag(node.tag, from, context);
  else {
    context.damage.push({
      code: "frontmatter/reserved-character",
      message: `${context.key} starts with the reserved character !, so YAML drops its first word`,
      at: from,
    });
  }
  return {
    kind: "scalar",
    style: "repaired",
    text: rawText(context.text.slice(from, end)),
    start: from,
    end,
  };
}

function keyShape(key: string): string | null {
  const known = skillKey(key);
  return known === null ? null : keyShapes[known];
}

/** Types that YAML itself defines; the text behind them is the value. */
function coreTag(tag: string): boolean {
  return /^tag:yaml\.org,2002:(str|int|float|bool|null|binary|timestamp|seq|map|omap|pairs|set|merge|value|yaml)$/.test(
    tag,
  );
}

function noteTag(tag: string, at: number, context: Conversion): void {
  const shown = printable(tag.replace("tag:yaml.org,2002:", "!!")).slice(0, 60);
  context.damage.push({
    code: "frontmatter/tag",
    message: `the YAML tag ${shown} of ${context.key} is ignored`,
    at,
  });
}
