import {
  COLON,
  DASH,
  fail,
  hasLeadingTab,
  isSpace,
  peek,
  QUESTION,
  skipBlanks,
  skipSpace,
  type YamlCursor,
} from "./yaml-cursor.ts";
import { type Entries, emptyEntries, store } from "./yaml-entries.ts";
import type { YamlNode, YamlValue } from "./yaml-value.ts";

/** Where a node stands: inside brackets, as a key of a block mapping, as an item, as a value (or the document). */
export type Place = "flow" | "key" | "item" | "value";

export interface NodeRequest {
  readonly parentIndent: number;
  readonly place: Place;
  /** The node may begin on a later line. */
  readonly seek: boolean;
  /** A block collection may begin on this line (`- - a`, `? a: b`). */
  readonly compact: boolean;
}

/** What a collection needs of its surroundings. */
export interface CollectionContext {
  /** The anchor in front of it. */
  readonly anchor: string | null;
  /** Reads any node inside it. */
  readonly readNode: (cursor: YamlCursor, request: NodeRequest) => YamlNode;
}

/** A list or mapping in brackets. Null: none starts here. */
export function readFlow(cursor: YamlCursor, indent: number, context: CollectionContext): YamlNode | null {
  const { anchor, readNode } = context;
  const open = cursor.text[cursor.at];
  if (open !== "[" && open !== "{") return null;
  const opened = cursor.at;
  const close = open === "[" ? 0x5d : 0x7d;
  const list: YamlValue[] = [];
  const entries = emptyEntries();
  const value = open === "[" ? list : entries.map;
  if (anchor !== null) cursor.anchors.set(anchor, value);
  const within: NodeRequest = { parentIndent: indent, place: "flow", seek: false, compact: true };
  // Shared by the single pairs of a list, as in the mirrored loader; only merged keys ever show it.
  let separated = true;
  cursor.at++;
  while (peek(cursor) !== 0) {
    skipSpace(cursor, { comments: true });
    if (peek(cursor) === close) {
      cursor.at++;
      return { present: true, tag: null, kind: open === "[" ? "sequence" : "mapping", value };
    }
    if (!separated) fail(cursor, "a comma is missing between brackets");
    if (peek(cursor) === 0x2c && cursor.dialect.emptyItem === "failure")
      fail(cursor, "nothing stands between two commas");
    const explicit = peek(cursor) === QUESTION && isSpace(peek(cursor, 1));
    if (explicit) {
      cursor.at++;
      skipSpace(cursor, { comments: true });
    }
    const line = cursor.line;
    const key = readNode(cursor, within);
    skipSpace(cursor, { comments: true });
    let paired = explicit;
    let item: YamlValue = null;
    if ((explicit || cursor.line === line) && peek(cursor) === COLON) {
      paired = true;
      cursor.at++;
      skipSpace(cursor, { comments: true });
      item = readNode(cursor, within).value;
    }
    if (open === "{") store(cursor, entries, { tag: key.tag, key: key.value, value: item });
    else if (paired) {
      const single: Entries = { map: new Map(), merged: entries.merged };
      store(cursor, single, { tag: key.tag, key: key.value, value: item });
      list.push(single.map);
    } else list.push(key.value);
    skipSpace(cursor, { comments: true });
    separated = peek(cursor) === 0x2c;
    if (separated) cursor.at++;
  }
  return fail(cursor, "a bracket is never closed", opened);
}

/** A list of `- ` items indented by `indent`. Null: none starts here. */
export function readSequence(
  cursor: YamlCursor,
  indent: number,
  context: CollectionContext,
): YamlNode | null {
  if (hasLeadingTab(cursor)) return null;
  const { anchor, readNode } = context;
  const list: YamlValue[] = [];
  if (anchor !== null) cursor.anchors.set(anchor, list);
  let found = false;
  while (peek(cursor) === DASH && isSpace(peek(cursor, 1))) {
    if (hasLeadingTab(cursor)) fail(cursor, "a tab stands in front of a list item", cursor.firstTab);
    found = true;
    cursor.at++;
    if (skipSpace(cursor, { comments: true }) > 0 && cursor.indent <= indent) {
      list.push(null);
      continue;
    }
    const line = cursor.line;
    list.push(readNode(cursor, { parentIndent: indent, place: "item", seek: false, compact: true }).value);
    skipSpace(cursor, { comments: true });
    if ((cursor.line === line || cursor.indent > indent) && peek(cursor) !== 0)
      fail(cursor, "a list item is indented wrongly");
    if (cursor.indent < indent) break;
  }
  return found ? { present: true, tag: null, kind: "sequence", value: list } : null;
}

/**
 * A block mapping; or, when no `:` follows, the single node that stands in place of its first key (the
 * anchor then stays with the empty mapping: a quirk of the mirrored loader). `flowIndent` is what text and brackets in
 * place of a key have to be indented by. Null: neither starts here.
 */
export function readMapping(
  cursor: YamlCursor,
  indent: number,
  context: CollectionContext & { readonly flowIndent: number },
): YamlNode | null {
  if (hasLeadingTab(cursor)) return null;
  const { anchor, readNode } = context;
  const entries = emptyEntries();
  if (anchor !== null) cursor.anchors.set(anchor, entries.map);
  const keyRequest: NodeRequest = {
    parentIndent: context.flowIndent,
    place: "key",
    seek: false,
    compact: true,
  };
  let found = false;
  let explicit = false;
  let keyTag: string | null = null;
  let key: YamlValue = null;
  const storeLonely = (): void => {
    if (explicit) store(cursor, entries, { tag: keyTag, key, value: null });
    keyTag = null;
    key = null;
  };

  for (let code = peek(cursor); code !== 0; code = peek(cursor)) {
    if (!explicit && hasLeadingTab(cursor)) fail(cursor, "a tab stands in front of a key", cursor.firstTab);
    const line = cursor.line;
    const at = cursor.at;
    let compact = true;
    if ((code === QUESTION || code === COLON) && isSpace(peek(cursor, 1))) {
      if (code === QUESTION) {
        storeLonely();
        found = true;
        explicit = true;
      } else if (explicit) explicit = false;
      else fail(cursor, "a colon inside text that has no quotes");
      cursor.at++;
    } else {
      const node = readNode(cursor, keyRequest);
      if (!node.present) break;
      if (cursor.line === line) skipBlanks(cursor);
      if (cursor.line !== line || peek(cursor) !== COLON) {
        if (!found) return node;
        fail(
          cursor,
          cursor.line === line
            ? "a key is not followed by a colon"
            : "text that is neither a key nor indented",
          at,
        );
      }
      cursor.at++;
      if (!isSpace(peek(cursor))) fail(cursor, "a space is missing after a colon");
      storeLonely();
      found = true;
      explicit = false;
      compact = false;
      keyTag = node.tag;
      key = node.value;
    }

    const value = readNode(cursor, { parentIndent: indent, place: "value", seek: true, compact });
    if (explicit) {
      if (value.present) key = value.value;
    } else {
      store(cursor, entries, { tag: keyTag, key, value: value.value, at });
      keyTag = null;
      key = null;
    }
    skipSpace(cursor, { comments: true });
    const sameLine = cursor.line === line && cursor.dialect.restOfLine === "failure";
    if ((cursor.indent > indent || sameLine) && peek(cursor) !== 0)
      fail(cursor, sameLine ? "text behind a complete value" : "a key is indented wrongly");
    if (cursor.indent < indent) break;
  }
  storeLonely();
  return found ? { present: true, tag: null, kind: "mapping", value: entries.map } : null;
}
