import type { ByteArena } from "./byte-arena.ts";
import type { Postings } from "./postings.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** What an index holds: documents as records, and the postings made of them. */
export interface IndexData {
  readonly vocabulary: Vocabulary;
  readonly arena: ByteArena;
  /** Where each document's record starts. */
  readonly offsets: Uint32Array;
  readonly postings: Postings;
  /** Some description is written in Han. */
  readonly hanDescriptions: boolean;
}
