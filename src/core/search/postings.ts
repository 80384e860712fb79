import { type ByteArena, ByteReader } from "./byte-arena.ts";
import { gapEntry, mostOccurrences, wordEntry } from "./record-writer.ts";
import { fieldRules, metadataFields } from "./search-fields.ts";

const fieldCount = fieldRules.length;

/** Entries of a term after which a new block starts, at the next document. */
const blockEntries = 128;

/**
 * Where every term occurs: for each term a run of bytes, by document, then field. An entry is how much larger its document
 * number is than the one before (-1 before the first; 0 = the same document), seven bits a byte, and one byte of field
 * number * 16 + occurrences (at most 15). Long runs can be entered at the start of each block.
 */
export interface Postings {
  /** Number of documents. */
  readonly size: number;
  readonly bytes: Uint8Array;
  /** The bytes of term `t`: `starts[t]` to `starts[t + 1]`. */
  readonly starts: Uint32Array;
  /** Blocks of term `t` after its first: `blockStarts[t]` to `blockStarts[t + 1]`. */
  readonly blockStarts: Uint32Array;
  /** By block: its first document, and where its bytes start. */
  readonly blockDocuments: Uint32Array;
  readonly blockBytes: Uint32Array;
  /** How many documents hold the term, in any field and in metadata. */
  readonly frequency: Uint32Array;
  readonly metadataFrequency: Uint32Array;
  /** By field: words of each document's field; null where no document has any. */
  readonly lengths: readonly (Uint8Array | Uint16Array | null)[];
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
  const blockStarts = new Uint32Array(terms + 1);
  const frequency = new Uint32Array(terms);
  const metadataFrequency = new Uint32Array(terms);
  const lengths: (Uint16Array | null)[] = fieldRules.map(() => null);
  /** By term: the last document + 1, and its entries in the current block. */
  const last = new Uint32Array(terms);
  const filled = new Uint8Array(terms);

  /** Tells every entry in order; `blocks` tells whether it is the first of a further block. */
  const walk = (
    tell: (term: number, entry: { gap: number; field: number; amount: number; block: boolean }) => void,
    started: (document: number, field: number) => void,
  ): void => {
    last.fill(0);
    filled.fill(0);
    const entry = { gap: 0, field: 0, amount: 0, block: false };
    for (let document = 0; document < size; document++) {
      record.open(arena, offsets[document] as number);
      for (let field = 0; field < fieldCount; field++) {
        record.field(field < metadataFields);
        started(document, field);
        entry.field = field;
        for (let at = 0; at < record.count; at++) {
          const term = record.met[at] as number;
          entry.amount = record.take(term);
          entry.gap = document + 1 - (last[term] as number);
          entry.block = entry.gap > 0 && (filled[term] as number) >= blockEntries;
          filled[term] = entry.block ? 1 : Math.min(255, (filled[term] as number) + 1);
          last[term] = document + 1;
          tell(term, entry);
        }
      }
    }
  };

  walk(
    (term, { gap, field, block }) => {
      starts[term + 1] = (starts[term + 1] as number) + 1 + bytesOf(gap);
      if (block) blockStarts[term + 1] = (blockStarts[term + 1] as number) + 1;
      if (gap === 0) return;
      frequency[term] = (frequency[term] as number) + 1;
      // Metadata comes first, so a document's first entry tells whether it has any.
      if (field < metadataFields) metadataFrequency[term] = (metadataFrequency[term] as number) + 1;
    },
    (document, field) => {
      if (record.words === 0) return;
      let list = lengths[field] ?? null;
      if (list === null) {
        list = new Uint16Array(size);
        lengths[field] = list;
      }
      list[document] = Math.min(record.words, 65_535);
    },
  );
  for (let term = 0; term < terms; term++) {
    starts[term + 1] = (starts[term + 1] as number) + (starts[term] as number);
    blockStarts[term + 1] = (blockStarts[term + 1] as number) + (blockStarts[term] as number);
  }

  const next = starts.slice(0, terms);
  const nextBlock = blockStarts.slice(0, terms);
  const bytes = new Uint8Array(starts[terms] as number);
  const blockDocuments = new Uint32Array(blockStarts[terms] as number);
  const blockBytes = new Uint32Array(blockStarts[terms] as number);
  walk(
    (term, { gap, field, amount, block }) => {
      let at = next[term] as number;
      if (block) {
        const place = nextBlock[term] as number;
        nextBlock[term] = place + 1;
        blockDocuments[place] = (last[term] as number) - 1;
        blockBytes[place] = at;
      }
      let rest = gap;
      while (rest > 127) {
        bytes[at++] = (rest & 127) | 128;
        rest >>>= 7;
      }
      bytes[at++] = rest;
      bytes[at++] = field * 16 + amount;
      next[term] = at;
    },
    () => undefined,
  );
  return {
    size,
    bytes,
    starts,
    blockStarts,
    blockDocuments,
    blockBytes,
    frequency,
    metadataFrequency,
    lengths: lengths.map((list) => (list?.every((length) => length < 256) ? Uint8Array.from(list) : list)),
  };
}

function bytesOf(value: number): number {
  if (value < 1 << 7) return 1;
  if (value < 1 << 14) return 2;
  if (value < 1 << 21) return 3;
  return value < 1 << 28 ? 4 : 5;
}
