import type { ByteArena } from "./byte-arena.ts";
import { type FieldLengths, fieldFactors, lengthStatistics } from "./field-factors.ts";
import { layOutPostings } from "./lay-out-postings.ts";
import { LongLists } from "./long-lists.ts";
import type { Postings } from "./postings.ts";
import { rankingRules } from "./ranking-rules.ts";
import { RecordTerms } from "./record-terms.ts";
import { measureRuns } from "./run-sizes.ts";
import { fieldRules, metadataFields } from "./search-fields.ts";
import { numberLength } from "./short-numbers.ts";
import { writePostings } from "./write-postings.ts";

/** The records that postings are made of. */
export interface Records {
  readonly arena: ByteArena;
  /** Where each document's record starts. */
  readonly offsets: Uint32Array;
  /** Size of the vocabulary. */
  readonly terms: number;
}

/** What is known of every list before it is written. */
export interface TermCounts {
  /** Documents that hold the term, and those that hold it in metadata. */
  readonly frequency: Uint32Array;
  readonly metadata: Uint32Array;
  /** Bytes of its entries as one run. */
  readonly bytes: Uint32Array;
}

/** Turns records round: counts, decides where everything goes, writes. Linear. */
export function buildPostings(records: Records): Postings {
  const { offsets, terms } = records;
  const record = new RecordTerms(terms);
  const counts: TermCounts = {
    frequency: new Uint32Array(terms),
    metadata: new Uint32Array(terms),
    bytes: new Uint32Array(terms),
  };
  const lengths = countTerms(records, record, counts);
  const statistics = lengthStatistics(lengths);
  const long = new LongLists(counts.frequency);
  const layout = layOutPostings(counts, long, measureRuns(records, { record, long }));
  const factors = fieldFactors({ postings: { lengths, statistics } }, rankingRules);
  writePostings(records, layout, { record, long, factors });
  const { bytes, starts, runs, blocks } = layout;
  const { fieldWeights, lengthShares } = rankingRules;
  return {
    size: offsets.length,
    bytes,
    starts,
    frequency: counts.frequency,
    metadataFrequency: counts.metadata,
    runs,
    blocks,
    lengths,
    statistics,
    bounds: { fieldWeights, lengthShares },
  };
}

/** Fills `counts`; returns the lengths of fields. */
function countTerms(
  { arena, offsets, terms }: Records,
  record: RecordTerms,
  { frequency, metadata, bytes }: TermCounts,
): readonly FieldLengths[] {
  const size = offsets.length;
  const lengths: (Uint16Array | null)[] = fieldRules.map(() => null);
  /** By term: its last document + 1. */
  const last = new Uint32Array(terms);
  for (let document = 0; document < size; document++) {
    record.read(arena, offsets[document] as number);
    for (let field = 0; field < lengths.length; field++) {
      const words = record.words[field] as number;
      if (words === 0) continue;
      let list = lengths[field] ?? null;
      if (list === null) {
        list = new Uint16Array(size);
        lengths[field] = list;
      }
      list[document] = Math.min(words, 65_535);
    }
    for (let at = 0; at < record.count; at++) {
      const term = record.terms[at] as number;
      const gap = document + 1 - (last[term] as number);
      bytes[term] = (bytes[term] as number) + 1 + numberLength(gap);
      if (gap === 0) continue;
      last[term] = document + 1;
      frequency[term] = (frequency[term] as number) + 1;
      // Metadata comes first, so a document's first entry tells whether it has any.
      if ((record.places[at] as number) >>> 4 < metadataFields)
        metadata[term] = (metadata[term] as number) + 1;
    }
  }
  return lengths.map((list) => (list?.every((length) => length < 256) ? Uint8Array.from(list) : list));
}
