import type { Candidates } from "./candidates.ts";
import type { DocumentWindow } from "./document-window.ts";
import { amountAt, contribution, type FieldFactors } from "./field-factors.ts";
import type { Postings, Run } from "./postings.ts";
import { noDocument, RunReader } from "./run-reader.ts";

/** Reads one part of a query, documents ascending. */
export interface PartReader {
  /** The first document that was not read yet. */
  readonly document: number;
  /** Documents that were read or looked up. */
  readonly reads: number;
  /** Adds what the part holds of a window. */
  fill(window: DocumentWindow): void;
  /** Adds what the part holds of some documents. */
  lift(candidates: Candidates): void;
}

/** What a reader needs to know of an index and the rules. */
export interface ReaderOptions {
  readonly postings: Postings;
  readonly factors: FieldFactors;
  readonly saturation: number;
}

/** How a run counts. */
export interface Counting {
  readonly weight: number;
  /** What is matched of the query where the term is found. */
  readonly cover: number;
  /** Only places in so many first fields count. */
  readonly fields: number;
}

/** A run, as a part by itself or as one of several readings. */
export class WordReader extends RunReader implements PartReader {
  reads = 0;
  /** What the document that was looked up last adds to its sum, and to its matched weight. */
  value = 0;
  cover = 0;
  private weight = 0;
  private fields = 0;
  private readonly factors: FieldFactors;
  private readonly saturation: number;
  /** What a document adds by the length of its field, where all hold the term alike and there are many. */
  private byLength: Float64Array | null = null;

  constructor({ postings, factors, saturation }: ReaderOptions) {
    super(postings);
    this.factors = factors;
    this.saturation = saturation;
  }

  start(run: Run, { weight, cover, fields }: Counting): void {
    this.open(run);
    this.reads = 0;
    this.weight = weight;
    this.cover = cover;
    this.fields = fields;
    const field = run.place >>> 4;
    const factors = this.factors.byLength[field] ?? [];
    this.byLength =
      run.place === 0 || field >= fields || factors.length * 4 > run.documents
        ? null
        : this.contributions(factors, run.place & 15);
  }

  fill(window: DocumentWindow): void {
    this.reach(window.start);
    if (this.byLength !== null) {
      this.fillAlike(window, this.byLength);
      return;
    }
    this.fillUnlike(window);
  }

  lift({ documents, sums, matched, count }: Candidates): void {
    for (let at = 0; at < count && this.document !== noDocument; at++) {
      if (!this.look(documents[at] as number)) continue;
      sums[at] = (sums[at] as number) + this.value;
      matched[at] = (matched[at] as number) + this.cover;
    }
  }

  /** Whether the run holds a document, and what that adds to its sum. */
  look(document: number): boolean {
    this.reads++;
    this.reach(document);
    if (this.document !== document) return false;
    const amount = this.amount();
    this.value = amount === 0 ? 0 : contribution(this.weight, amount, this.saturation);
    return amount > 0;
  }

  private contributions(factors: ArrayLike<number>, occurrences: number): Float64Array {
    const values = new Float64Array(factors.length);
    for (let length = 0; length < values.length; length++)
      values[length] = contribution(this.weight, (factors[length] as number) * occurrences, this.saturation);
    return values;
  }

  private fillAlike(window: DocumentWindow, values: Float64Array): void {
    const lengths = this.factors.lengths[this.place >>> 4] as Uint8Array;
    for (; this.document < window.end; this.next()) {
      window.add(this.document, values[lengths[this.document] as number] as number, this.cover);
      this.reads++;
    }
  }

  private fillUnlike(window: DocumentWindow): void {
    for (; this.document < window.end; this.next()) {
      const amount = this.amount();
      this.reads++;
      if (amount > 0)
        window.add(this.document, contribution(this.weight, amount, this.saturation), this.cover);
    }
  }

  /** The amount of the term in the document it stands at. */
  private amount(): number {
    const { factors, document, fields } = this;
    if (this.place !== 0) return this.place >>> 4 < fields ? amountAt(factors, this.place, document) : 0;
    const { bytes } = this.postings;
    let { at } = this;
    let place = bytes[at++] as number;
    let amount = place >>> 4 < fields ? amountAt(factors, place, document) : 0;
    for (; at < this.end && bytes[at] === 0; at += 2) {
      place = bytes[at + 1] as number;
      if (place >>> 4 < fields) amount += amountAt(factors, place, document);
    }
    return amount;
  }
}
