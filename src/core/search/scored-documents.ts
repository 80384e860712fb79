import { grown } from "./term-table.ts";

/** Scores of documents for one query; valid until the next one. */
export interface Scores {
  /** BM25F with coverage; 0 = no real term matched, or too few to be among the best. */
  scoreOf(document: number): number;
  /** Share of the query's weight that occurs in the document, 0 to 1. */
  coverageOf(document: number): number;
  /** Documents with a score above 0, in no particular order: the first `count`. */
  readonly touched: Uint32Array;
  readonly count: number;
  /** What a document would get that is about nothing but the query; at least every raw score. */
  readonly ideal: number;
  /** Entries of lists that were read or looked up: what the query cost. */
  readonly reads: number;
}

/** Collects documents with a score above 0. Keeps its arrays. */
export class ScoredDocuments {
  private documents = new Uint32Array(1 << 8);
  private count = 0;
  private values = new Float64Array(1 << 8);
  private coverage = new Float64Array(1 << 8);
  /** By document: its place + 1; 0 = it is not there. */
  private readonly places: Uint32Array;

  /** `size` is the number of documents of the index. */
  constructor(size: number) {
    this.places = new Uint32Array(size);
  }

  clear(): void {
    for (let at = 0; at < this.count; at++) this.places[this.documents[at] as number] = 0;
    this.count = 0;
  }

  /** Adds a document that is not there. */
  add(document: number, value: number, coverage: number): void {
    if (this.count === this.documents.length) {
      this.documents = grown(this.documents);
      this.values = grown(this.values);
      this.coverage = grown(this.coverage);
    }
    this.documents[this.count] = document;
    this.values[this.count] = value;
    this.coverage[this.count++] = coverage;
    this.places[document] = this.count;
  }

  has(document: number): boolean {
    return this.places[document] !== 0;
  }

  /** Drops documents below a score. */
  keepFrom(least: number): void {
    const { documents, values, coverage, places, count } = this;
    let left = 0;
    for (let at = 0; at < count; at++) {
      const document = documents[at] as number;
      places[document] = 0;
      if ((values[at] as number) < least) continue;
      documents[left] = document;
      values[left] = values[at] as number;
      coverage[left++] = coverage[at] as number;
      places[document] = left;
    }
    this.count = left;
  }

  scores({ ideal, reads }: { readonly ideal: number; readonly reads: number }): Scores {
    const { documents, values, coverage, places, count } = this;
    return {
      scoreOf: (document) => values[(places[document] as number) - 1] ?? 0,
      coverageOf: (document) => coverage[(places[document] as number) - 1] ?? 0,
      touched: documents,
      count,
      ideal,
      reads,
    };
  }
}
