import { ByteReader } from "./byte-arena.ts";
import type { IndexData } from "./index-data.ts";
import { rarity } from "./rarity.ts";
import { gapEntry } from "./record-writer.ts";
import { exclusionField, metadataFields } from "./search-fields.ts";
import type { TermTable } from "./term-table.ts";

/** Groups of four letters, as numbers below this; two groups may share one. */
const gramRange = 1 << 16;
const blank = 32;
/** Documents that are looked at to learn how common a group is. */
const sampled = 20_000;

/** Tells every group of four letters of a term, with a blank at both ends. */
function eachGram(terms: TermTable, id: number, tell: (gram: number) => void): void {
  const start = terms.starts[id] as number;
  const end = terms.starts[id + 1] as number;
  if (end - start < 2) return;
  const { units } = terms;
  for (let at = start - 1; at + 3 <= end; at++) {
    let hash = 0x811c9dc5;
    for (let step = 0; step < 4; step++) {
      const place = at + step;
      const unit = place < start || place >= end ? blank : (units[place] as number);
      hash = Math.imul(hash ^ unit, 0x01000193);
    }
    tell(((hash ^ (hash >>> 15)) >>> 0) & (gramRange - 1));
  }
}

/** How alike the letters of a query and of a document's name and descriptions are. */
export interface Spelling {
  /** Notes a query's words; `terms` are their texts, stemmed. */
  open(terms: TermTable): void;
  /** Share of the query's groups of letters, rare ones counting more, that a document holds: 0 to 1. */
  share(document: number): number;
}

/**
 * Compares by groups of four letters, so that words of one family ("transcribe", "transcription") and compounds speak
 * for a skill a little. Costs one look at the names and descriptions of at most 20,000 documents when made.
 */
export function createSpelling(data: IndexData): Spelling {
  const { terms } = data.vocabulary;
  const reader = new ByteReader();
  const frequency = new Uint32Array(gramRange);
  const stamps = new Uint32Array(gramRange);
  let stamp = 0;

  const eachDocumentGram = (document: number, tell: (gram: number) => void): void => {
    reader.open(data.arena, data.offsets[document] as number);
    for (let field = 0; field < metadataFields; field++) {
      const entries = reader.next();
      for (let at = 0; at < entries; at++) {
        const entry = reader.next();
        if (entry !== gapEntry && field !== exclusionField) eachGram(terms, entry >>> 2, tell);
      }
    }
  };

  const { size } = data.postings;
  const step = Math.max(1, Math.ceil(size / sampled));
  let seen = 0;
  for (let document = 0; document < size; document += step) {
    stamp++;
    seen++;
    eachDocumentGram(document, (gram) => {
      if (stamps[gram] === stamp) return;
      stamps[gram] = stamp;
      frequency[gram] = (frequency[gram] as number) + 1;
    });
  }
  stamps.fill(0);
  stamp = 0;

  const wanted = new Float64Array(gramRange);
  let query: number[] = [];
  let total = 0;
  return {
    open: (own) => {
      for (const gram of query) wanted[gram] = 0;
      query = [];
      total = 0;
      for (let id = 0; id < own.size; id++)
        eachGram(own, id, (gram) => {
          if (wanted[gram] !== 0) return;
          wanted[gram] = rarity(seen, frequency[gram] as number);
          total += wanted[gram] as number;
          query.push(gram);
        });
    },
    share: (document) => {
      if (total === 0) return 0;
      stamp++;
      let sum = 0;
      eachDocumentGram(document, (gram) => {
        const weight = wanted[gram] as number;
        if (weight === 0 || stamps[gram] === stamp) return;
        stamps[gram] = stamp;
        sum += weight;
      });
      return sum / total;
    },
  };
}
