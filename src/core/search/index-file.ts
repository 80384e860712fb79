import { ByteArena } from "./byte-arena.ts";
import type { FieldLengths, LengthStatistics } from "./field-factors.ts";
import { littleEndian, type Numbers, numbersOf } from "./number-bytes.ts";
import type { BoundRules, Postings } from "./postings.ts";
import type { StoredIndex } from "./stored-index.ts";
import { TermTable } from "./term-table.ts";
import { TextList } from "./text-list.ts";
import { Vocabulary } from "./vocabulary.ts";

/** Changes with everything that changes what a stored index means. */
export const indexFormat = "skillet-index-7";

interface Head {
  readonly format: string;
  readonly terms: number;
  readonly names: number;
  readonly locations: number;
  readonly aliases: readonly (readonly [number, readonly string[]])[];
  readonly keys: readonly string[];
  readonly statistics: readonly LengthStatistics[];
  readonly bounds: BoundRules;
  /** Bits and length of each array in order; null = there is none. */
  readonly parts: readonly (readonly [number, number] | null)[];
}

/** Parts start at multiples of this. */
const alignment = 4;
const aligned = (at: number): number => Math.ceil(at / alignment) * alignment;

/** An index as bytes, the same on every machine. */
export function encodeIndex(stored: StoredIndex): Uint8Array {
  const { data, names, locations, nameSlots, aliases, han, keys } = stored;
  const { postings, vocabulary } = data;
  const { terms } = vocabulary;
  const parts: readonly (Numbers | null)[] = [
    terms.units.subarray(0, terms.starts[terms.size]),
    terms.starts.subarray(0, terms.size + 1),
    terms.slots,
    data.offsets,
    data.arena.whole(),
    names.offsets.subarray(0, names.size),
    names.arena.whole(),
    locations.offsets.subarray(0, locations.size),
    locations.arena.whole(),
    nameSlots.starts,
    nameSlots.entries,
    han,
    postings.bytes,
    postings.starts,
    postings.frequency,
    postings.metadataFrequency,
    postings.runs.starts,
    postings.runs.documents,
    postings.runs.places,
    postings.runs.most,
    postings.runs.blocks,
    postings.blocks.documents,
    postings.blocks.starts,
    ...postings.lengths,
  ];
  const head: Head = {
    format: indexFormat,
    terms: terms.size,
    names: names.size,
    locations: locations.size,
    aliases: [...aliases],
    keys,
    statistics: postings.statistics,
    bounds: postings.bounds,
    parts: parts.map((part) => (part === null ? null : [part.BYTES_PER_ELEMENT * 8, part.length])),
  };
  const text = new TextEncoder().encode(JSON.stringify(head));
  let end = aligned(4 + text.length);
  for (const part of parts) end = aligned(end + (part?.byteLength ?? 0));
  const bytes = new Uint8Array(end);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  let at = aligned(4 + text.length);
  for (const part of parts) {
    if (part !== null) bytes.set(littleEndian(part), at);
    at = aligned(at + (part?.byteLength ?? 0));
  }
  return bytes;
}

/**
 * The index that `encodeIndex` wrote; null for another format or a size that does not fit. It goes on using `bytes`, which
 * must not change any more.
 */
export function decodeIndex(bytes: Uint8Array): StoredIndex | null {
  if (bytes.length < 4) return null;
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(0, true);
  const head = readHead(bytes.subarray(4, 4 + length));
  if (head === null) return null;
  let at = aligned(4 + length);
  const parts: (Numbers | null)[] = [];
  for (const part of head.parts) {
    const size = part === null ? 0 : (part[0] / 8) * part[1];
    if (at + size > bytes.length) return null;
    parts.push(part === null ? null : numbersOf(bytes.subarray(at, at + size), part[0]));
    at = aligned(at + size);
  }
  if (at !== bytes.length) return null;
  let next = 0;
  const bytesNext = (): Uint8Array => (parts[next++] ?? new Uint8Array(0)) as Uint8Array;
  const halvesNext = (): Uint16Array<ArrayBuffer> => parts[next++] as Uint16Array<ArrayBuffer>;
  const wordsNext = (): Uint32Array<ArrayBuffer> => parts[next++] as Uint32Array<ArrayBuffer>;
  const terms = new TermTable(halvesNext(), wordsNext(), head.terms, wordsNext());
  const offsets = wordsNext();
  const arena = ByteArena.of(bytesNext());
  const texts = (size: number): TextList => {
    const places = wordsNext();
    return new TextList(ByteArena.of(bytesNext()), places, size);
  };
  const names = texts(head.names);
  const locations = texts(head.locations);
  const nameSlots = { starts: wordsNext(), entries: wordsNext() };
  const han = wordsNext();
  const postings: Postings = {
    size: offsets.length,
    bytes: bytesNext(),
    starts: wordsNext(),
    frequency: wordsNext(),
    metadataFrequency: wordsNext(),
    runs: {
      starts: wordsNext(),
      documents: wordsNext(),
      places: bytesNext(),
      most: halvesNext(),
      blocks: wordsNext(),
    },
    blocks: { documents: wordsNext(), starts: wordsNext() },
    lengths: parts.slice(next) as readonly FieldLengths[],
    statistics: head.statistics,
    bounds: head.bounds,
  };
  return {
    data: { vocabulary: new Vocabulary(terms), arena, offsets, postings, hanDescriptions: han.length > 0 },
    names,
    locations,
    nameSlots,
    aliases: new Map(head.aliases),
    han,
    keys: head.keys,
  };
}

function readHead(bytes: Uint8Array): Head | null {
  try {
    const head = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as Head;
    return head.format === indexFormat ? head : null;
  } catch {
    return null;
  }
}
