import type { ByteArena } from "./byte-arena.ts";
import { fieldRules, type SearchDocument, textsOf } from "./search-fields.ts";
import { simplify } from "./simplify.ts";
import { grown } from "./term-table.ts";
import { type Scanned, type TokenSink, tokenize } from "./tokenize.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Kinds of an ordered field's entries; an entry is `term * 4 + kind`. */
export const wordEntry = 0;
/** A further reading at the place of the last word: a part, a compound in one piece, a single character. */
const sideEntry = 1;
/** The whole entry that parts neighbours. */
export const gapEntry = 2;

/** Occurrences beyond this are not counted. */
export const mostOccurrences = 15;

/** Entries of one field that count. */
const longestField = 20_000;

/** Collects the numbers of one document's record. */
class RecordCollector implements TokenSink {
  values = new Uint32Array(1 << 13);
  count = 0;
  wholes = false;
  private readonly vocabulary: Vocabulary;
  private amounts = new Uint8Array(1 << 12);
  private ordered = false;
  private start = 0;
  private words = 0;

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
  }

  open(ordered: boolean): void {
    this.ordered = ordered;
    // Compounds matter where names are written on purpose, not in running text.
    this.wholes = ordered;
    this.words = 0;
    this.push(0);
    if (!ordered) this.push(0);
    this.start = this.count;
  }

  close(): void {
    const { values, amounts, start, count } = this;
    values[start - 1] = count - start;
    if (this.ordered) return;
    values[start - 2] = this.words;
    for (let at = start; at < count; at++) {
      const term = values[at] as number;
      values[at] = term * 16 + (amounts[term] as number);
      amounts[term] = 0;
    }
  }

  word(scanned: Scanned, start: number, end: number): void {
    const { vocabulary } = this;
    const form = vocabulary.form(scanned, start, end);
    const from = vocabulary.expansionStarts[form] as number;
    const to = vocabulary.expansionStarts[form + 1] as number;
    if (from === to) return;
    this.words++;
    for (let at = from; at < to; at++)
      this.add(vocabulary.expansions[at] as number, at === from ? wordEntry : sideEntry);
  }

  whole(term: string): void {
    this.add(this.vocabulary.terms.add(term), sideEntry);
  }

  run(characters: string): void {
    const { terms } = this.vocabulary;
    const list = Array.from(simplify(characters));
    this.gap();
    for (const [index, character] of list.entries()) {
      const next = list[index + 1];
      if (next !== undefined) this.add(terms.add(character + next), wordEntry);
      this.add(terms.add(character), sideEntry);
    }
    this.words += list.length;
    this.gap();
  }

  gap(): void {
    if (this.ordered && this.count > this.start && this.values[this.count - 1] !== gapEntry)
      this.push(gapEntry);
  }

  private add(term: number, kind: number): void {
    if (this.count - this.start >= longestField) return;
    if (this.ordered) {
      this.push(term * 4 + kind);
      return;
    }
    if (term >= this.amounts.length) this.amounts = grown(this.amounts, term + 1);
    const amount = this.amounts[term] as number;
    if (amount === 0) this.push(term);
    if (amount < mostOccurrences) this.amounts[term] = amount + 1;
  }

  private push(value: number): void {
    if (this.count === this.values.length) this.values = grown(this.values);
    this.values[this.count++] = value;
  }
}

/**
 * Writes what an index keeps of a document and returns where. A record has for each ordered field the number of its
 * entries and the entries; for each other field its length in words, the number of its terms, and
 * `term * 16 + occurrences` for each.
 */
export function recordWriter(vocabulary: Vocabulary, arena: ByteArena): (document: SearchDocument) => number {
  const collector = new RecordCollector(vocabulary);
  return (document) => {
    const texts = textsOf(document);
    collector.count = 0;
    for (let field = 0; field < fieldRules.length; field++) {
      collector.open(fieldRules[field]?.ordered === true);
      for (const text of texts[field] ?? []) {
        if (text === "") continue;
        tokenize(text, collector);
        collector.gap();
      }
      collector.close();
    }
    const { values, count } = collector;
    const start = arena.open(5 * count);
    for (let at = 0; at < count; at++) arena.put(values[at] as number);
    arena.close();
    return start;
  };
}

/** Bytes of the record that `bytes` starts with. */
export function recordLength(bytes: Uint8Array): number {
  let at = 0;
  const next = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  for (const { ordered } of fieldRules) {
    if (!ordered) next();
    for (let left = next(); left > 0; left--) next();
  }
  return at;
}
