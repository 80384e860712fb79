import type { Postings } from "./postings.ts";

/** Reads a term's entries, document by document. */
export class PostingsReader {
  /** The document whose entries are read; -1 before the first. */
  document = -1;
  private readonly postings: Postings;
  private at = 0;
  private end = 0;
  private block = 0;
  private lastBlock = 0;

  constructor(postings: Postings) {
    this.postings = postings;
  }

  open(term: number): void {
    const { starts, blockStarts } = this.postings;
    this.at = starts[term] as number;
    this.end = starts[term + 1] as number;
    this.block = blockStarts[term] as number;
    this.lastBlock = blockStarts[term + 1] as number;
    this.document = -1;
  }

  /** Goes on to the first document that is `least` or later, never back; false where there is none. */
  reach(least: number): boolean {
    const { blockDocuments, blockBytes } = this.postings;
    if (this.block < this.lastBlock && (blockDocuments[this.block] as number) <= least) {
      let low = this.block;
      let high = this.lastBlock - 1;
      while (low < high) {
        const middle = (low + high + 1) >>> 1;
        if ((blockDocuments[middle] as number) <= least) low = middle;
        else high = middle - 1;
      }
      if ((blockDocuments[low] as number) > this.document) {
        this.at = blockBytes[low] as number;
        this.gap();
        this.document = blockDocuments[low] as number;
      }
      this.block = low + 1;
    }
    while (this.document < least) {
      if (this.document >= 0) this.skip();
      if (this.at >= this.end) return false;
      this.document += this.gap();
    }
    return true;
  }

  /** The places (field number * 16 + occurrences) of the document, each told once. */
  places(tell: (place: number) => void): void {
    const { bytes } = this.postings;
    let at = this.at;
    tell(bytes[at++] as number);
    while (at < this.end && bytes[at] === 0) {
      tell(bytes[at + 1] as number);
      at += 2;
    }
  }

  private gap(): number {
    const { bytes } = this.postings;
    let byte = bytes[this.at++] as number;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[this.at++] as number;
      value |= (byte & 127) << shift;
    }
    return value;
  }

  /** Over the places of the document. */
  private skip(): void {
    const { bytes } = this.postings;
    this.at++;
    while (this.at < this.end && bytes[this.at] === 0) this.at += 2;
  }
}
