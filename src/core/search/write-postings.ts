import type { Records } from "./build-postings.ts";
import { amountAt, type FieldFactors } from "./field-factors.ts";
import type { Layout } from "./lay-out-postings.ts";
import type { LongLists } from "./long-lists.ts";
import { amountSteps, blockDocuments, noBound } from "./postings.ts";
import type { RecordTerms } from "./record-terms.ts";
import { putNumber } from "./short-numbers.ts";

/** Writes the entries of all lists to their places, the blocks, and what runs hold at most. Reads all records once. */
export function writePostings(
  { arena, offsets }: Records,
  { bytes, runs, blocks, runOf, entries: next }: Layout,
  options: {
    readonly record: RecordTerms;
    readonly long: LongLists;
    readonly factors: FieldFactors;
  },
): void {
  const { record, long, factors } = options;
  const terms = long.numbers.length;
  /** By term, then by run: its last document + 1. */
  const last = new Uint32Array(next.length);
  /** By run: documents so far, and the amount in the document that is read. */
  const written = new Uint32Array(runs.starts.length);
  const amounts = new Float64Array(runs.starts.length);
  const largest = new Float64Array(runs.starts.length);

  const enter = (run: number, document: number, to: number): void => {
    const before = written[run] as number;
    written[run] = before + 1;
    amounts[run] = 0;
    if (before === 0 || before % blockDocuments !== 0) return;
    const block = (runs.blocks[run] as number) + before / blockDocuments - 1;
    blocks.documents[block] = document;
    blocks.starts[block] = to;
  };

  for (let document = 0; document < offsets.length; document++) {
    record.read(arena, offsets[document] as number);
    long.open(record);
    /** The field of the last place, and what one occurrence in it counts. */
    let field = -1;
    let once = 0;
    for (let at = 0; at < record.count; at++) {
      const term = record.terms[at] as number;
      const place = record.places[at] as number;
      const slot = long.slot(term);
      const run = slot < 0 ? -1 : (runOf[slot] as number);
      const list = slot < 0 ? term : terms + run;
      const gap = document + 1 - (last[list] as number);
      last[list] = document + 1;
      let to = next[list] as number;
      if (slot >= 0) {
        if (gap > 0) enter(run, document, to);
        if (place >>> 4 !== field) {
          field = place >>> 4;
          once = amountAt(factors, field * 16 + 1, document);
        }
        const amount = (amounts[run] as number) + once * (place & 15);
        amounts[run] = amount;
        if (amount > (largest[run] as number)) largest[run] = amount;
      }
      to = putNumber(bytes, to, gap);
      if (slot < 0 || runs.places[run] === 0) bytes[to++] = place;
      next[list] = to;
    }
    long.close(record);
  }
  for (let run = 0; run < largest.length; run++)
    runs.most[run] = Math.min(noBound, Math.ceil((largest[run] as number) * amountSteps));
}
