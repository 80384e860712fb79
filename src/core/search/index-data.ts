import type { ByteArena } from "./byte-arena.ts";
import type { Postings } from "./postings.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** What is known of a whole corpus, for an index of some of its documents. */
export interface WholeCorpus {
  /** Number of documents. */
  readonly size: number;
  /** By field number: words that a document's field has on average, where it has any. */
  readonly averages: readonly number[];
  /** How many of `sampled` documents hold a group of four letters, by group (`createSpelling`). */
  readonly grams: Uint32Array;
  readonly sampled: number;
}

/** What an index holds: documents as records, and the postings made of them. */
export interface IndexData {
  readonly vocabulary: Vocabulary;
  readonly arena: ByteArena;
  /** Where each document's record starts. */
  readonly offsets: Uint32Array;
  readonly postings: Postings;
  /** Some description is written in Han. */
  readonly hanDescriptions: boolean;
  /** Where the documents are a part of a corpus: what the whole one is like. Frequencies in `postings` are its, too. */
  readonly whole?: WholeCorpus;
}
