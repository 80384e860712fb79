import { ByteReader } from "./byte-arena.ts";
import type { IndexData } from "./index-data.ts";
import { countGrams, gramRange, LetterGrams, writeGrams } from "./letter-grams.ts";
import { rarity } from "./rarity.ts";
import { gapEntry } from "./record-writer.ts";
import { exclusionField, metadataFields } from "./search-fields.ts";
import type { TermTable } from "./term-table.ts";

/** Documents that are looked at to learn how common a group is. */
const sampled = 20_000;

/** How alike the letters of a query and of a document's name and descriptions are. */
export interface Spelling {
  /** Notes a query's words; `terms` are their texts, stemmed. */
  open(terms: TermTable): void;
  /** Share of the query's groups of letters, rare ones counting more, that a document holds: 0 to 1. */
  share(document: number): number;
  /** By group: how many of `seen` documents hold it. */
  readonly frequency: Uint32Array;
  readonly seen: number;
}

/**
 * Compares by groups of four letters, so that words of one family ("transcribe", "transcription") and compounds speak
 * for a skill a little. Costs one look at the names and descriptions of at most 20,000 documents when made.
 */
export function createSpelling(data: IndexData): Spelling {
  const { terms } = data.vocabulary;
  const { size } = data.postings;
  const reader = new ByteReader();
  const frequency = data.whole?.grams ?? new Uint32Array(gramRange);
  const stamps = new Uint32Array(gramRange);
  let stamp = 0;
  const letters = new LetterGrams(terms);
  const wanted = new Float64Array(gramRange);
  /** Goes over every group of a document once; counts it, or sums up what is wanted of them. */
  const pass = (document: number, counts: boolean): number => {
    stamp++;
    let sum = 0;
    reader.open(data.arena, data.offsets[document] as number);
    for (let field = 0; field < metadataFields; field++) {
      const entries = reader.next();
      for (let at = 0; at < entries; at++) {
        const entry = reader.next();
        if (entry === gapEntry || field === exclusionField) continue;
        const start = letters.find(entry >>> 2);
        const end = start + countGrams(terms, entry >>> 2);
        const { grams } = letters;
        for (let place = start; place < end; place++) {
          const gram = grams[place] as number;
          const weight = wanted[gram] as number;
          if ((!counts && weight === 0) || stamps[gram] === stamp) continue;
          stamps[gram] = stamp;
          if (counts) frequency[gram] = (frequency[gram] as number) + 1;
          else sum += weight;
        }
      }
    }
    return sum;
  };

  const step = Math.max(1, Math.ceil(size / sampled));
  let seen = data.whole?.sampled ?? 0;
  if (data.whole === undefined)
    for (let document = 0; document < size; document += step) {
      seen++;
      pass(document, true);
    }

  let query: number[] = [];
  let total = 0;
  return {
    frequency,
    seen,
    open: (own) => {
      for (const gram of query) wanted[gram] = 0;
      query = [];
      total = 0;
      for (let id = 0; id < own.size; id++) {
        const found = new Uint16Array(countGrams(own, id));
        writeGrams(own, id, found);
        for (const gram of found) {
          if (wanted[gram] !== 0) continue;
          wanted[gram] = rarity(seen, frequency[gram] as number);
          total += wanted[gram] as number;
          query.push(gram);
        }
      }
    },
    share: (document) => (total === 0 ? 0 : pass(document, false) / total),
  };
}
