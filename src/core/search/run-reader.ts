import type { Postings, Run } from "./postings.ts";

/** Comes after every document. */
export const noDocument = 0x7fff_ffff;

/** Reads the entries of one run, document by document. */
export class RunReader {
  /** The document whose entries are read; `noDocument` after the last. */
  document = noDocument;
  protected readonly postings: Postings;
  protected at = 0;
  protected end = 0;
  /** The place of all entries; 0 = each has its own. */
  protected place = 0;
  private block = 0;
  private lastBlock = 0;

  constructor(postings: Postings) {
    this.postings = postings;
  }

  /** Stands at the first document of a run. */
  open({ start, end, place, firstBlock, lastBlock }: Run): void {
    this.at = start;
    this.end = end;
    this.place = place;
    this.block = firstBlock;
    this.lastBlock = lastBlock;
    this.document = -1;
    this.advance();
  }

  /** Goes on to the first document that is `least` or later, never back. */
  reach(least: number): void {
    if (this.document >= least) return;
    this.enter(least);
    while (this.document < least) this.next();
  }

  /** Goes on to the next document. */
  next(): void {
    if (this.place === 0) {
      const { bytes } = this.postings;
      this.at++;
      while (this.at < this.end && bytes[this.at] === 0) this.at += 2;
    }
    this.advance();
  }

  /** The places (field number * 16 + occurrences) of the document, each told once. */
  places(tell: (place: number) => void): void {
    if (this.place !== 0) {
      tell(this.place);
      return;
    }
    const { bytes } = this.postings;
    let { at } = this;
    tell(bytes[at++] as number);
    while (at < this.end && bytes[at] === 0) {
      tell(bytes[at + 1] as number);
      at += 2;
    }
  }

  /** Reads how far the next document is. */
  private advance(): void {
    if (this.at >= this.end) {
      this.document = noDocument;
      return;
    }
    const { bytes } = this.postings;
    let byte = bytes[this.at++] as number;
    let gap = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[this.at++] as number;
      gap |= (byte & 127) << shift;
    }
    this.document += gap;
  }

  /** Goes to the start of the last block that starts at `least` or before, if that is further on. */
  private enter(least: number): void {
    const { documents, starts } = this.postings.blocks;
    let { block } = this;
    if (block >= this.lastBlock || (documents[block] as number) > least) return;
    let step = 1;
    while (block + step < this.lastBlock && (documents[block + step] as number) <= least) {
      block += step;
      step *= 2;
    }
    for (; step > 0; step >>>= 1)
      if (block + step < this.lastBlock && (documents[block + step] as number) <= least) block += step;
    this.block = block + 1;
    if ((documents[block] as number) <= this.document) return;
    this.at = starts[block] as number;
    this.advance();
    this.document = documents[block] as number;
  }
}
