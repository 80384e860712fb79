import { type ByteArena, ByteReader } from "./byte-arena.ts";
import { gapEntry, mostOccurrences, wordEntry } from "./record-writer.ts";
import { fieldRules, metadataFields } from "./search-fields.ts";

const fieldCount = fieldRules.length;

/**
 * Where every term occurs: entries of term `t` are `starts[t]` to `starts[t + 1]`, by document, then field.
 */
export interface Postings {
  /** Number of documents. */
  readonly size: number;
  readonly starts: Uint32Array;
  readonly documents: Uint32Array;
  /** Field number * 16 + occurrences (at most 15). */
  readonly places: Uint8Array;
  /** How many documents hold the term, in any field and in metadata. */
  readonly frequency: Uint32Array;
  readonly metadataFrequency: Uint32Array;
  /** By field: words of each document's field; null where no document has any. */
  readonly lengths: readonly (Uint16Array | null)[];
}

/** Walks over one document's record and tells every term of a field once, with its occurrences. */
class RecordTerms {
  readonly met: Uint32Array;
  count = 0;
  words = 0;
  private readonly reader = new ByteReader();
  private readonly amounts: Uint8Array;

  constructor(terms: number) {
    this.amounts = new Uint8Array(terms);
    this.met = new Uint32Array(terms);
  }

  open(arena: ByteArena, offset: number): void {
    this.reader.open(arena, offset);
  }

  /** Reads the next field: `met[0]` to `met[count - 1]` are its terms; `take` gives their occurrences. */
  field(ordered: boolean): void {
    const { reader, amounts, met } = this;
    this.count = 0;
    if (!ordered) {
      this.words = reader.next();
      this.count = reader.next();
      for (let at = 0; at < this.count; at++) {
        const packed = reader.next();
        met[at] = packed >>> 4;
        amounts[packed >>> 4] = packed & 15;
      }
      return;
    }
    const entries = reader.next();
    let words = 0;
    let count = 0;
    for (let at = 0; at < entries; at++) {
      const entry = reader.next();
      if (entry === gapEntry) continue;
      const term = entry >>> 2;
      if ((entry & 3) === wordEntry) words++;
      const amount = amounts[term] as number;
      if (amount === 0) met[count++] = term;
      if (amount < mostOccurrences) amounts[term] = amount + 1;
    }
    this.words = words;
    this.count = count;
  }

  take(term: number): number {
    const amount = this.amounts[term] as number;
    this.amounts[term] = 0;
    return amount;
  }
}

/** Turns records round. Linear; `terms` is the size of the vocabulary. */
export function buildPostings(arena: ByteArena, offsets: Uint32Array, terms: number): Postings {
  const size = offsets.length;
  const record = new RecordTerms(terms);
  const starts = new Uint32Array(terms + 1);
  const frequency = new Uint32Array(terms);
  const metadataFrequency = new Uint32Array(terms);
  const seen = new Uint32Array(terms);
  const lengths: (Uint16Array | null)[] = fieldRules.map(() => null);

  for (let document = 0; document < size; document++) {
    record.open(arena, offsets[document] as number);
    for (let field = 0; field < fieldCount; field++) {
      record.field(field < metadataFields);
      if (record.words > 0) {
        let list = lengths[field];
        if (list === null || list === undefined) {
          list = new Uint16Array(size);
          lengths[field] = list;
        }
        list[document] = Math.min(record.words, 65_535);
      }
      for (let at = 0; at < record.count; at++) {
        const term = record.met[at] as number;
        record.take(term);
        starts[term + 1] = (starts[term + 1] as number) + 1;
        if (seen[term] === document + 1) continue;
        seen[term] = document + 1;
        frequency[term] = (frequency[term] as number) + 1;
        if (field < metadataFields) metadataFrequency[term] = (metadataFrequency[term] as number) + 1;
      }
    }
  }
  for (let term = 0; term < terms; term++)
    starts[term + 1] = (starts[term + 1] as number) + (starts[term] as number);

  const next = starts.slice(0, terms);
  const entries = starts[terms] as number;
  const documents = new Uint32Array(entries);
  const places = new Uint8Array(entries);
  for (let document = 0; document < size; document++) {
    record.open(arena, offsets[document] as number);
    for (let field = 0; field < fieldCount; field++) {
      record.field(field < metadataFields);
      for (let at = 0; at < record.count; at++) {
        const term = record.met[at] as number;
        const place = next[term] as number;
        next[term] = place + 1;
        documents[place] = document;
        places[place] = field * 16 + record.take(term);
      }
    }
  }
  return { size, starts, documents, places, frequency, metadataFrequency, lengths };
}
