import { buildPostings } from "./build-postings.ts";
import { ByteArena } from "./byte-arena.ts";
import type { IndexData } from "./index-data.ts";
import { NameCollector, type NameSlots } from "./name-table.ts";
import { recordLength, recordWriter } from "./record-writer.ts";
import type { SearchDocument } from "./search-fields.ts";
import { grown } from "./term-table.ts";
import { TextList } from "./text-list.ts";
import { Vocabulary } from "./vocabulary.ts";

/** An index as it is kept: what search needs, without the documents' texts. */
export interface StoredIndex {
  readonly data: IndexData;
  readonly names: TextList;
  readonly locations: TextList;
  /** Names and aliases. */
  readonly nameSlots: NameSlots;
  /** Aliases by document number, for those that have any. */
  readonly aliases: ReadonlyMap<number, readonly string[]>;
  /** Numbers of the documents with Han in their description, ascending. */
  readonly han: Uint32Array;
  /** What each document was made of, as the caller named it; empty where nobody did. */
  readonly keys: readonly string[];
}

/** A document that is only made when its key is new. */
export interface KeyedDocument {
  /** Equal keys mean equal documents. */
  readonly key: string;
  document(): SearchDocument;
}

const han = /\p{Script=Han}/u;
/** All Han and much else; told first because that takes less time. */
const far = /[\u2e80-\uffff]/;

/** Reads all documents once; linear in their text. `terms` get numbers even if no document holds them. */
export function buildIndexData(
  documents: Iterable<SearchDocument>,
  terms: Iterable<string> = [],
): StoredIndex {
  const source = { keyOf: () => null, document: (document: SearchDocument) => document };
  return makeIndex(documents, source, null, terms);
}

/**
 * The index of `documents`, reading only those whose key the previous one doesn't have. Searches in it give the same as
 * in one that was built anew.
 */
export function updateIndexData(
  previous: StoredIndex | null,
  documents: Iterable<KeyedDocument>,
): StoredIndex {
  // Words of departed documents stay in the vocabulary; once they are the larger part, everything is read anew.
  const stale = previous !== null && previous.data.vocabulary.terms.size > 100_000 && mostlyStale(previous);
  return makeIndex(
    documents,
    { keyOf: ({ key }) => key, document: (document) => document.document() },
    stale ? null : previous,
  );
}

function mostlyStale({ data }: StoredIndex): boolean {
  let used = 0;
  for (const frequency of data.postings.frequency) if (frequency > 0) used++;
  return used * 2 < data.postings.frequency.length;
}

function makeIndex<T>(
  documents: Iterable<T>,
  source: { keyOf(document: T): string | null; document(document: T): SearchDocument },
  previous: StoredIndex | null,
  terms: Iterable<string> = [],
): StoredIndex {
  const vocabulary = previous?.data.vocabulary ?? new Vocabulary();
  for (const term of terms) vocabulary.terms.add(term);
  const arena = new ByteArena();
  const write = recordWriter(vocabulary, arena);
  const known = new Map<string, number>();
  for (const [number, key] of (previous?.keys ?? []).entries()) known.set(key, number);
  const names = new TextList();
  const locations = new TextList();
  const called = new NameCollector();
  const call = (number: number, name: string, list: readonly string[]): void => {
    names.push(name);
    called.add(name, number * 2);
    for (const alias of list) called.add(alias, number * 2 + 1);
    if (list.length > 0) aliases.set(number, list);
  };
  const keys: string[] = [];
  const aliases = new Map<number, readonly string[]>();
  const wasHan = new Set(previous?.han ?? []);
  const inHan: number[] = [];
  let offsets = new Uint32Array(1 << 8);
  for (const given of documents) {
    const number = names.size;
    if (number === offsets.length) offsets = grown(offsets);
    const key = source.keyOf(given);
    if (key !== null) keys.push(key);
    const old = key === null ? undefined : known.get(key);
    if (old !== undefined && previous !== null) {
      const start = previous.data.offsets[old] as number;
      const bytes = previous.data.arena.from(start);
      offsets[number] = arena.copy(bytes.subarray(0, recordLength(bytes)));
      call(number, previous.names.text(old), previous.aliases.get(old) ?? []);
      locations.push(previous.locations.text(old));
      if (wasHan.has(old)) inHan.push(number);
      continue;
    }
    const document = source.document(given);
    offsets[number] = write(document);
    if (far.test(document.description) && han.test(document.description)) inHan.push(number);
    call(number, document.name, [...document.aliases]);
    locations.push(document.location);
  }
  offsets = offsets.slice(0, names.size);
  const nameSlots = called.slots();
  const postings = buildPostings({ arena, offsets, terms: vocabulary.terms.size });
  return {
    data: { vocabulary, arena, offsets, postings, hanDescriptions: inHan.length > 0 },
    names,
    locations,
    nameSlots,
    aliases,
    han: Uint32Array.from(inHan),
    keys,
  };
}
