import { type ByteArena, ByteReader } from "./byte-arena.ts";
import { gapEntry, mostOccurrences, wordEntry } from "./record-writer.ts";
import { fieldRules } from "./search-fields.ts";
import { grown } from "./term-table.ts";

/**
 * Reads the record of one document as its terms, field by field. Keeps its arrays between documents.
 *
 * `terms[at]` stands at `places[at]` (field number * 16 + occurrences, 1 to 15) for `at` from 0 to `count - 1`: each term
 * once in a field, fields ascending.
 */
export class RecordTerms {
  terms = new Uint32Array(1 << 8);
  places = new Uint8Array(1 << 8);
  count = 0;
  /** Words by field. */
  readonly words = new Uint32Array(fieldRules.length);
  private readonly reader = new ByteReader();
  /** By term: its occurrences in the field that is read. */
  private readonly amounts: Uint8Array;

  /** `terms` is the size of the vocabulary. */
  constructor(terms: number) {
    this.amounts = new Uint8Array(terms);
  }

  read(arena: ByteArena, offset: number): void {
    this.reader.open(arena, offset);
    this.count = 0;
    for (let field = 0; field < fieldRules.length; field++)
      if (fieldRules[field]?.ordered === true) this.ordered(field);
      else this.counted(field);
  }

  private ordered(field: number): void {
    const { reader, amounts } = this;
    const entries = reader.next();
    this.reserve(entries);
    const { terms, places } = this;
    const from = this.count;
    let count = from;
    let words = 0;
    for (let at = 0; at < entries; at++) {
      const entry = reader.next();
      if (entry === gapEntry) continue;
      const term = entry >>> 2;
      if ((entry & 3) === wordEntry) words++;
      const amount = amounts[term] as number;
      if (amount === 0) terms[count++] = term;
      if (amount < mostOccurrences) amounts[term] = amount + 1;
    }
    for (let at = from; at < count; at++) {
      const term = terms[at] as number;
      places[at] = field * 16 + (amounts[term] as number);
      amounts[term] = 0;
    }
    this.words[field] = words;
    this.count = count;
  }

  private counted(field: number): void {
    const { reader } = this;
    this.words[field] = reader.next();
    const entries = reader.next();
    this.reserve(entries);
    for (let at = 0; at < entries; at++) {
      const packed = reader.next();
      this.terms[this.count] = packed >>> 4;
      this.places[this.count++] = field * 16 + (packed & 15);
    }
  }

  private reserve(entries: number): void {
    const least = this.count + entries;
    if (least <= this.terms.length) return;
    this.terms = grown(this.terms, least);
    this.places = grown(this.places, least);
  }
}
