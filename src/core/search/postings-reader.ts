import { type Postings, runsOf } from "./postings.ts";
import { noDocument, RunReader } from "./run-reader.ts";

/** Reads the entries of a term from all its runs, document by document. */
export class PostingsReader {
  private readonly postings: Postings;
  /** One for each run of the term; they are used again for the next term. */
  private readonly readers: RunReader[] = [];
  private runs = 0;
  /** The one that stands at the least document. */
  private first: RunReader | undefined;

  constructor(postings: Postings) {
    this.postings = postings;
  }

  /** Stands before the first document of a term. */
  open(term: number): void {
    this.runs = 0;
    this.first = undefined;
    for (const run of runsOf(this.postings, term)) {
      const reader = this.readers[this.runs] ?? new RunReader(this.postings);
      this.readers[this.runs++] = reader;
      reader.open(run);
    }
  }

  /** The document whose entries are read; -1 before the first. */
  get document(): number {
    return this.first?.document ?? -1;
  }

  /** Goes on to the first document that is `least` or later, never back; false where there is none. */
  reach(least: number): boolean {
    this.first = undefined;
    for (let at = 0; at < this.runs; at++) {
      const reader = this.readers[at] as RunReader;
      reader.reach(least);
      if (this.first === undefined || reader.document < this.first.document) this.first = reader;
    }
    return this.first !== undefined && this.first.document !== noDocument;
  }

  /** The places (field number * 16 + occurrences) of the document, each told once. */
  places(tell: (place: number) => void): void {
    this.first?.places(tell);
  }
}
