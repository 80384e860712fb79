import { expandWord, termOf } from "./expand-word.ts";
import { fieldRules, fieldTexts, type SearchDocument } from "./search-fields.ts";
import { type TokenSink, tokenize } from "./tokenize.ts";

/** What a single character of an unspaced script counts against a word. */
export const glyphWeight = 0.3;

/**
 * Every term with the places where it occurs, as typed arrays: entries of term `t` are `start[t]` to `start[t + 1]`,
 * ordered by document, then field.
 */
export interface TermIndex {
  /** Number of documents. */
  readonly size: number;
  readonly ids: ReadonlyMap<string, number>;
  /** Pairs of neighbouring words, see `pairKey`. */
  readonly pairs: ReadonlyMap<number, number>;
  readonly start: Uint32Array;
  readonly documents: Uint32Array;
  readonly fields: Uint8Array;
  /** Occurrences weighted by field and the field's length. */
  readonly weights: Float32Array;
  /** How many documents hold the term. */
  readonly frequency: Uint32Array;
}

/** Two term ids as one number; safe up to 2^26 terms. */
export function pairKey(first: number, second: number): number {
  return first * 0x400_0000 + second;
}

/** The same numbers in an array twice as long. */
function grown<T extends Uint32Array | Float32Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(array.length * 2);
  larger.set(array);
  return larger;
}

/** Gives numbers to terms and counts them for the field that is being read. */
class Vocabulary implements TokenSink {
  readonly ids = new Map<string, number>();
  readonly pairIds = new Map<number, number>();
  size = 0;
  /** Terms of the current field, each once: `met[0]` to `met[count - 1]`. */
  met = new Uint32Array(1 << 12);
  count = 0;
  /** Per term: occurrences in the current field, valid where its stamp is the field's. */
  amounts = new Float32Array(1 << 16);
  stamps = new Uint32Array(1 << 16);
  /** Words of the current field. */
  words = 0;
  /** Written word → its terms; words repeat, and this spares case folding and stemming. */
  readonly expansions = new Map<string, readonly number[]>();
  private stamp = 0;
  private previous = -1;
  private pairs = false;

  open(pairs: boolean): void {
    this.stamp++;
    this.previous = -1;
    this.pairs = pairs;
    this.count = 0;
    this.words = 0;
  }

  gap(): void {
    this.previous = -1;
  }

  word(text: string, start: number, end: number): void {
    const written = text.slice(start, end);
    let terms = this.expansions.get(written);
    if (terms === undefined) {
      terms = expandWord(written).map((word) => this.id(termOf(word)));
      this.expansions.set(written, terms);
    }
    if (terms.length === 0) return;
    for (let index = 0; index < terms.length; index++) this.add(terms[index] as number, 1);
    this.words++;
    if (this.pairs) this.pair(terms[0] as number);
  }

  whole(term: string): void {
    // Compounds matter where names are written on purpose, not in running text.
    if (this.pairs) this.add(this.id(term), 1);
  }

  run(characters: string): void {
    const list = Array.from(characters);
    for (const [index, character] of list.entries()) {
      this.add(this.id(character), glyphWeight);
      const next = list[index + 1];
      if (next !== undefined) this.add(this.id(character + next), 1);
      this.words++;
    }
    this.gap();
  }

  private pair(id: number): void {
    const previous = this.previous;
    this.previous = id;
    if (previous < 0) return;
    const key = pairKey(previous, id);
    let pair = this.pairIds.get(key);
    if (pair === undefined) {
      pair = this.next();
      this.pairIds.set(key, pair);
    }
    this.add(pair, 1);
  }

  private id(term: string): number {
    const known = this.ids.get(term);
    if (known !== undefined) return known;
    const id = this.next();
    // A long piece of a text would keep the whole text in memory; a copy does not.
    this.ids.set(term.length < 13 ? term : Array.from(term).join(""), id);
    return id;
  }

  private next(): number {
    if (this.size === this.stamps.length) {
      this.amounts = grown(this.amounts);
      this.stamps = grown(this.stamps);
    }
    return this.size++;
  }

  private add(id: number, amount: number): void {
    if (this.stamps[id] === this.stamp) {
      this.amounts[id] = (this.amounts[id] as number) + amount;
      return;
    }
    this.stamps[id] = this.stamp;
    this.amounts[id] = amount;
    if (this.count === this.met.length) this.met = grown(this.met);
    this.met[this.count++] = id;
  }
}

/** Reads all documents once; linear in their text. */
export function buildTermIndex(documents: readonly SearchDocument[]): TermIndex {
  const vocabulary = new Vocabulary();
  // One entry per term, document and field, in order of reading.
  let terms = new Uint32Array(1 << 16);
  let places = new Uint32Array(1 << 16);
  let amounts = new Float32Array(1 << 16);
  let entries = 0;
  const lengths = fieldRules.map(() => new Float32Array(documents.length));

  for (const [number, document] of documents.entries())
    for (const [field, rule] of fieldRules.entries()) {
      vocabulary.open(rule.pairs);
      for (const text of fieldTexts(document, rule.field)) {
        tokenize(text, vocabulary);
        vocabulary.gap();
      }
      (lengths[field] as Float32Array)[number] = vocabulary.words;
      while (entries + vocabulary.count > terms.length) {
        terms = grown(terms);
        places = grown(places);
        amounts = grown(amounts);
      }
      for (let index = 0; index < vocabulary.count; index++) {
        const id = vocabulary.met[index] as number;
        terms[entries] = id;
        places[entries] = number * 8 + field;
        amounts[entries++] = vocabulary.amounts[id] as number;
      }
    }

  const size = vocabulary.size;
  const start = new Uint32Array(size + 1);
  for (let entry = 0; entry < entries; entry++) {
    const after = (terms[entry] as number) + 1;
    start[after] = (start[after] as number) + 1;
  }
  for (let id = 0; id < size; id++) start[id + 1] = (start[id + 1] as number) + (start[id] as number);

  const next = start.slice();
  const placed = new Uint32Array(entries);
  const fields = new Uint8Array(entries);
  const weights = new Float32Array(entries);
  const frequency = new Uint32Array(size);
  const held = fieldRules.map((rule, field) => heldBack(lengths[field] as Float32Array, rule.lengthShare));
  for (let entry = 0; entry < entries; entry++) {
    const id = terms[entry] as number;
    const field = (places[entry] as number) % 8;
    const document = ((places[entry] as number) - field) / 8;
    const at = next[id] as number;
    next[id] = at + 1;
    if (at === start[id] || placed[at - 1] !== document) frequency[id] = (frequency[id] as number) + 1;
    placed[at] = document;
    fields[at] = field;
    const factor = (held[field] as Float32Array)[document] as number;
    weights[at] = ((fieldRules[field]?.weight ?? 0) * (amounts[entry] as number)) / factor;
  }
  return {
    size: documents.length,
    ids: vocabulary.ids,
    pairs: vocabulary.pairIds,
    start,
    documents: placed,
    fields,
    weights,
    frequency,
  };
}

/** The divisor of BM25F for each document's field: 1 for a field of average length. */
function heldBack(lengths: Float32Array, share: number): Float32Array {
  let sum = 0;
  let filled = 0;
  for (const length of lengths)
    if (length > 0) {
      sum += length;
      filled++;
    }
  const average = filled === 0 ? 1 : sum / filled;
  return lengths.map((length) => 1 - share + (share * length) / average);
}
