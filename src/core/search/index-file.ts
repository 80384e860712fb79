import { ByteArena } from "./byte-arena.ts";
import { buildPostings } from "./postings.ts";
import type { StoredIndex } from "./stored-index.ts";
import { TermTable } from "./term-table.ts";
import { Vocabulary } from "./vocabulary.ts";

/** Changes with everything that changes what a stored index means. */
export const indexFormat = "skillet-index-1";

/**
 * An index as bytes, without postings: those are made again on reading, which takes a small part of the time that the
 * texts took. The same on every machine (little endian).
 */
export function encodeIndex({ data, names, locations, aliases, keys }: StoredIndex): Uint8Array {
  const { terms } = data.vocabulary;
  const units = terms.starts[terms.size] as number;
  const head = new TextEncoder().encode(
    JSON.stringify({
      format: indexFormat,
      terms: terms.size,
      units,
      documents: names.length,
      arena: data.arena.end,
      han: data.hanDescriptions,
      names,
      locations,
      aliases: [...aliases],
      keys,
    }),
  );
  const bytes = new Uint8Array(
    4 + head.length + units * 2 + (terms.size + 1 + names.length) * 4 + data.arena.end,
  );
  const view = new DataView(bytes.buffer);
  view.setUint32(0, head.length, true);
  bytes.set(head, 4);
  let at = 4 + head.length;
  for (let unit = 0; unit < units; unit++, at += 2) view.setUint16(at, terms.units[unit] as number, true);
  for (let term = 0; term <= terms.size; term++, at += 4)
    view.setUint32(at, terms.starts[term] as number, true);
  for (const offset of data.offsets) {
    view.setUint32(at, offset, true);
    at += 4;
  }
  for (const block of data.arena.blocks) {
    bytes.set(block.subarray(0, bytes.length - at), at);
    at += Math.min(block.length, bytes.length - at);
  }
  return bytes;
}

interface Head {
  readonly format: string;
  readonly terms: number;
  readonly units: number;
  readonly documents: number;
  readonly arena: number;
  readonly han: boolean;
  readonly names: readonly string[];
  readonly locations: readonly string[];
  readonly aliases: readonly (readonly [number, readonly string[]])[];
  readonly keys: readonly string[];
}

/** The index that `encodeIndex` wrote; null for another format or a size that does not fit. */
export function decodeIndex(bytes: Uint8Array): StoredIndex | null {
  if (bytes.length < 4) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const length = view.getUint32(0, true);
  const head = readHead(bytes.subarray(4, 4 + length));
  if (head === null) return null;
  let at = 4 + length;
  if (bytes.length !== at + head.units * 2 + (head.terms + 1 + head.documents) * 4 + head.arena) return null;
  const units = new Uint16Array(Math.max(1, head.units));
  for (let unit = 0; unit < head.units; unit++, at += 2) units[unit] = view.getUint16(at, true);
  const starts = new Uint32Array(head.terms + 2);
  for (let term = 0; term <= head.terms; term++, at += 4) starts[term] = view.getUint32(at, true);
  const offsets = new Uint32Array(head.documents);
  for (let document = 0; document < head.documents; document++, at += 4)
    offsets[document] = view.getUint32(at, true);
  const arena = ByteArena.of(bytes.subarray(at));
  const vocabulary = new Vocabulary(new TermTable(units, starts, head.terms));
  const postings = buildPostings(arena, offsets, head.terms);
  return {
    data: { vocabulary, arena, offsets, postings, hanDescriptions: head.han === true },
    names: head.names,
    locations: head.locations,
    aliases: new Map(head.aliases),
    keys: head.keys,
  };
}

function readHead(bytes: Uint8Array): Head | null {
  try {
    const head = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as Head;
    const whole = head.format === indexFormat && head.names.length === head.documents;
    return whole && head.locations.length === head.documents ? head : null;
  } catch {
    return null;
  }
}
