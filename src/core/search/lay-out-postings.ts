import type { TermCounts } from "./build-postings.ts";
import { type LongLists, runsOfList } from "./long-lists.ts";
import { type Blocks, blockDocuments, type Runs } from "./postings.ts";
import type { RunSizes } from "./run-sizes.ts";
import { numberLength, putNumber } from "./short-numbers.ts";

/** Postings with their places decided and the heads of lists written. */
export interface Layout {
  readonly starts: Uint32Array;
  readonly bytes: Uint8Array;
  readonly runs: Runs;
  readonly blocks: Blocks;
  /** By slot of `LongLists`: its run. */
  readonly runOf: Uint32Array;
  /** By term, then by run: where its entries start. */
  readonly entries: Uint32Array;
}

export function layOutPostings(counts: TermCounts, long: LongLists, sizes: RunSizes): Layout {
  const terms = counts.frequency.length;
  const { runOf, first, runs } = layOutRuns(long, sizes);
  const headOf = (term: number): readonly number[] => {
    const list = (long.numbers[term] as number) - 1;
    return list < 0 ? [] : [0, first[list] as number, (first[list + 1] as number) - (first[list] as number)];
  };
  const starts = new Uint32Array(terms + 1);
  const entries = new Uint32Array(terms + runs.starts.length);
  let end = 0;
  for (let term = 0; term < terms; term++) {
    starts[term] = end;
    for (const number of headOf(term)) end += numberLength(number);
    entries[term] = end;
    const list = (long.numbers[term] as number) - 1;
    if (list < 0) end += counts.bytes[term] as number;
    else
      for (let slot = list * runsOfList; slot < (list + 1) * runsOfList; slot++) {
        if (sizes.documents[slot] === 0) continue;
        runs.starts[runOf[slot] as number] = end;
        end += sizes.bytes[slot] as number;
      }
  }
  starts[terms] = end;
  entries.set(runs.starts, terms);
  const bytes = new Uint8Array(end);
  for (let term = 0; term < terms; term++) {
    let at = starts[term] as number;
    for (const number of headOf(term)) at = putNumber(bytes, at, number);
  }
  const blocks = runs.blocks[runs.starts.length] as number;
  return {
    starts,
    bytes,
    runs,
    blocks: { documents: new Uint32Array(blocks), starts: new Uint32Array(blocks) },
    runOf,
    entries,
  };
}

/** Numbers the runs that have documents. */
function layOutRuns(
  long: LongLists,
  { documents, places }: RunSizes,
): { readonly runOf: Uint32Array; readonly first: Uint32Array; readonly runs: Runs } {
  const runOf = new Uint32Array(documents.length);
  /** By list: its first run. */
  const first = new Uint32Array(long.count + 1);
  let count = 0;
  for (let slot = 0; slot < documents.length; slot++) {
    if (slot % runsOfList === 0) first[slot / runsOfList] = count;
    if ((documents[slot] as number) > 0) runOf[slot] = count++;
  }
  first[long.count] = count;
  const runs = {
    starts: new Uint32Array(count),
    documents: new Uint32Array(count),
    places: new Uint8Array(count),
    most: new Uint16Array(count),
    blocks: new Uint32Array(count + 1),
  };
  for (let slot = 0; slot < documents.length; slot++) {
    const size = documents[slot] as number;
    if (size === 0) continue;
    const run = runOf[slot] as number;
    runs.documents[run] = size;
    runs.places[run] = places[slot] as number;
    runs.blocks[run + 1] = (runs.blocks[run] as number) + Math.floor((size - 1) / blockDocuments);
  }
  return { runOf, first, runs };
}
