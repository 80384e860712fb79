import type { Records } from "./build-postings.ts";
import { type LongLists, runsOfList } from "./long-lists.ts";
import type { RecordTerms } from "./record-terms.ts";
import { numberLength } from "./short-numbers.ts";

/** What the runs of long lists will hold, by slot of `LongLists`. */
export interface RunSizes {
  readonly documents: Uint32Array;
  readonly bytes: Uint32Array;
  /** The place of all entries; 0 = they differ. */
  readonly places: Uint8Array;
}

/** Reads all records once. */
export function measureRuns(
  { arena, offsets }: Records,
  { record, long }: { readonly record: RecordTerms; readonly long: LongLists },
): RunSizes {
  const slots = long.count * runsOfList;
  const documents = new Uint32Array(slots);
  const bytes = new Uint32Array(slots);
  const places = new Uint8Array(slots);
  /** Bytes of places where they differ. */
  const placeBytes = new Uint32Array(slots);
  const mixed = new Uint8Array(slots);
  const last = new Uint32Array(slots);
  for (let document = 0; document < offsets.length; document++) {
    record.read(arena, offsets[document] as number);
    long.open(record);
    for (let at = 0; at < record.count; at++) {
      const slot = long.slot(record.terms[at] as number);
      if (slot < 0) continue;
      const place = record.places[at] as number;
      const gap = document + 1 - (last[slot] as number);
      placeBytes[slot] = (placeBytes[slot] as number) + 1;
      bytes[slot] = (bytes[slot] as number) + numberLength(gap);
      if (gap === 0 || ((documents[slot] as number) > 0 && places[slot] !== place)) mixed[slot] = 1;
      places[slot] = place;
      if (gap === 0) continue;
      last[slot] = document + 1;
      documents[slot] = (documents[slot] as number) + 1;
    }
    long.close(record);
  }
  for (let slot = 0; slot < slots; slot++)
    if (mixed[slot] === 1) {
      places[slot] = 0;
      bytes[slot] = (bytes[slot] as number) + (placeBytes[slot] as number);
    }
  return { documents, bytes, places };
}
