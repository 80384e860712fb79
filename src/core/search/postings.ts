import type { FieldLengths, LengthStatistics } from "./field-factors.ts";
import { readNumber } from "./short-numbers.ts";

/** Lists of more documents are cut into runs by how much the term says about them. */
export const shortList = 128;
/** Documents of a run after which a new block starts. */
export const blockDocuments = 128;
/** Steps in which `Runs.most` counts amounts. */
export const amountSteps = 256;
export const noBound = 65_535;

/**
 * Where every term occurs. The bytes of term `t` are `starts[t]` to `starts[t + 1]`, none where no document holds it:
 * the entries of all documents (one run); for lists longer than `shortList` a 0, which no entry starts with, the numbers of
 * its first run and of its runs, then the entries run by run.
 *
 * An entry is how much larger its document number is than the one before (-1 before the first; 0 = the same document),
 * and one byte of field number * 16 + occurrences (at most 15), left out where a run has the same for all. Numbers have
 * seven bits a byte, the lowest first.
 */
export interface Postings {
  /** Number of documents. */
  readonly size: number;
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  /** By term: documents that hold it, and those that hold it in metadata. */
  readonly frequency: Uint32Array;
  readonly metadataFrequency: Uint32Array;
  readonly runs: Runs;
  readonly blocks: Blocks;
  /** By field. */
  readonly lengths: readonly FieldLengths[];
  readonly statistics: readonly LengthStatistics[];
  /** The ranking rules by which `runs.most` was reckoned. */
  readonly bounds: BoundRules;
}

/** Runs of long lists, by term, then from strong to weak. A document is in one run of a list at most. */
export interface Runs {
  /** Where its entries start; a run ends where the next one of its term starts. */
  readonly starts: Uint32Array;
  readonly documents: Uint32Array;
  /** The place of all its entries, or 0 where each has its own. */
  readonly places: Uint8Array;
  /** At least the amount of the term in any of its documents under `bounds`, in 1/`amountSteps`; `noBound` = not known. */
  readonly most: Uint16Array;
  /** Blocks of run `r` after its first: `blocks[r]` to `blocks[r + 1]`. */
  readonly blocks: Uint32Array;
}

/** Places where a run can be entered. */
export interface Blocks {
  /** Its first document, and where its entry starts. */
  readonly documents: Uint32Array;
  readonly starts: Uint32Array;
}

export interface BoundRules {
  readonly fieldWeights: readonly number[];
  readonly lengthShares: readonly number[];
}

/** Entries that are read one after the other. */
export interface Run {
  /** Its bytes. */
  readonly start: number;
  readonly end: number;
  /** In a short list at most so many. */
  readonly documents: number;
  readonly place: number;
  /** At least the amount of the term in any of its documents; infinite where that is not known. */
  readonly most: number;
  readonly firstBlock: number;
  readonly lastBlock: number;
}

/** The runs of a term, strong ones first; none where no document holds it. */
export function runsOf(postings: Postings, term: number): readonly Run[] {
  const { bytes, starts, runs } = postings;
  const start = starts[term] as number;
  const end = starts[term + 1] as number;
  if (start === end) return [];
  if (bytes[start] !== 0) {
    const documents = (end - start) >>> 1;
    return [{ start, end, documents, place: 0, most: Number.POSITIVE_INFINITY, firstBlock: 0, lastBlock: 0 }];
  }
  const [first, second] = readNumber(bytes, start + 1);
  const [count] = readNumber(bytes, second);
  return Array.from({ length: count }, (_, place) => {
    const run = first + place;
    const most = runs.most[run] as number;
    return {
      start: runs.starts[run] as number,
      end: place === count - 1 ? end : (runs.starts[run + 1] as number),
      documents: runs.documents[run] as number,
      place: runs.places[run] as number,
      most: most === noBound ? Number.POSITIVE_INFINITY : most / amountSteps,
      firstBlock: runs.blocks[run] as number,
      lastBlock: runs.blocks[run + 1] as number,
    };
  });
}
