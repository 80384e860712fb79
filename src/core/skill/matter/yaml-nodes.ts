import { readBlockScalar } from "./yaml-block-scalar.ts";
import {
  type CollectionContext,
  type NodeRequest,
  type Place,
  readFlow,
  readMapping,
  readSequence,
} from "./yaml-collections.ts";
import { fail, isFlowMark, isSpace, peek, skipSpace, spend, type YamlCursor } from "./yaml-cursor.ts";
import { readPlain, readQuoted } from "./yaml-scalars.ts";
import { readTag, resolvePlain, resolveTagged } from "./yaml-tags.ts";
import { absentNode, type YamlNode, YamlProblem, type YamlValue } from "./yaml-value.ts";

/** The name of an anchor or alias, behind its mark. */
function readName(cursor: YamlCursor, what: string): string {
  const start = ++cursor.at;
  for (let code = peek(cursor); code !== 0 && !isSpace(code) && !isFlowMark(code); code = peek(cursor))
    cursor.at++;
  if (cursor.at === start) fail(cursor, `${what} has no name`);
  return cursor.text.slice(start, cursor.at);
}

function readAlias(cursor: YamlCursor): { readonly value: YamlValue } | null {
  if (peek(cursor) !== 0x2a) return null;
  const name = readName(cursor, "an alias");
  const value = cursor.anchors.get(name);
  if (value === undefined) fail(cursor, `the alias *${name} has no anchor`);
  spend(cursor, "aliases");
  skipSpace(cursor, { comments: true });
  return { value };
}

/** Text, quoted or not, or an alias. */
function readLeaf(cursor: YamlCursor, place: Place, indent: number): YamlNode | null {
  const block = place === "item" || place === "value" ? readBlockScalar(cursor, indent) : null;
  const text = block ?? readQuoted(cursor);
  if (text !== null) return { present: true, tag: null, kind: "scalar", value: text };
  const alias = readAlias(cursor);
  if (alias !== null) return { present: true, tag: null, kind: null, value: alias.value };
  const plain = readPlain(cursor, indent, place === "flow");
  return plain === null ? null : { present: true, tag: "?", kind: "scalar", value: plain };
}

interface Properties {
  tag: string | null;
  anchor: string | null;
  /** Indentation against the parent's: deeper, the same, or less. */
  side: number;
  newLine: boolean;
  /** Whether block collections may follow the properties. */
  collections: boolean;
}

function readProperties(cursor: YamlCursor, request: NodeRequest): Properties {
  const isBlock = request.place === "item" || request.place === "value";
  const side = (): number => Math.sign(cursor.indent - request.parentIndent);
  const properties: Properties = { tag: null, anchor: null, side: 1, newLine: false, collections: isBlock };
  if (request.seek && skipSpace(cursor, { comments: true }) > 0) {
    properties.newLine = true;
    properties.side = side();
  }
  // The side is asked only once: a tag or anchor at the start of the next line still counts for this node.
  if (properties.side !== 1) return properties;
  for (;;) {
    const code = peek(cursor);
    if (code === 0x21) {
      if (properties.tag !== null) fail(cursor, "a node has two tags");
      properties.tag = readTag(cursor);
    } else if (code === 0x26) {
      if (properties.anchor !== null) fail(cursor, "a node has two anchors");
      properties.anchor = readName(cursor, "an anchor");
    } else return properties;
    if (skipSpace(cursor, { comments: true }) > 0) {
      properties.newLine = true;
      properties.collections = isBlock;
      properties.side = side();
    } else properties.collections = false;
  }
}

function readContent(
  cursor: YamlCursor,
  request: NodeRequest,
  properties: Properties,
): { readonly node: YamlNode | null; readonly leaf: boolean } {
  const collections = properties.collections && (properties.newLine || request.compact);
  const context: CollectionContext = { anchor: properties.anchor, readNode };
  const blockIndent = cursor.at - cursor.lineStart;
  if (properties.side === 0 && request.place === "value")
    return { node: collections ? readSequence(cursor, blockIndent, context) : null, leaf: false };
  if (properties.side !== 1) return { node: null, leaf: false };
  const flowIndent =
    request.place === "flow" || request.place === "key" ? request.parentIndent : request.parentIndent + 1;
  if (collections) {
    const block =
      readSequence(cursor, blockIndent, context) ??
      readMapping(cursor, blockIndent, { ...context, flowIndent });
    if (block !== null) return { node: block, leaf: false };
  }
  const flow = readFlow(cursor, flowIndent, context);
  if (flow !== null) return { node: flow, leaf: false };
  return { node: readLeaf(cursor, request.place, flowIndent), leaf: true };
}

/** Reads one node of any kind, or finds that there is none. */
export function readNode(cursor: YamlCursor, request: NodeRequest): YamlNode {
  if (++cursor.depth > cursor.limits.depth)
    throw new YamlProblem(`more than ${cursor.limits.depth} levels`, cursor.at, "depth");
  const properties = readProperties(cursor, request);
  const { node, leaf } = readContent(cursor, request, properties);
  cursor.depth--;

  const kind = node?.kind ?? null;
  let value = node?.value ?? null;
  if (leaf && node !== null && kind === null && (properties.tag !== null || properties.anchor !== null))
    fail(cursor, "an alias cannot have a tag or an anchor");
  if (leaf && properties.anchor !== null) cursor.anchors.set(properties.anchor, value);

  let tag = properties.tag ?? (leaf ? (node?.tag ?? null) : null);
  if (tag === "?") {
    if (value !== null && kind !== "scalar") fail(cursor, "the tag ? is for text only");
    const resolved = typeof value === "string" ? resolvePlain(value, cursor.dialect) : { tag, value };
    tag = resolved.tag;
    value = resolved.value;
  } else if (tag !== null && tag !== "!") value = resolveTagged(cursor, { tag, kind, value });
  // The anchor of a node that stood where a first key might have been keeps pointing at the mapping it is not.
  if (properties.anchor !== null && tag !== null && tag !== "!" && tag !== "?")
    cursor.anchors.set(properties.anchor, value);
  if (node === null && tag === null && properties.anchor === null) return absentNode;
  return { present: true, tag, kind, value };
}
