import type { Candidates } from "./candidates.ts";
import type { BestWindow, DocumentWindow } from "./document-window.ts";
import type { Run } from "./postings.ts";
import type { QueryPart } from "./query-parts.ts";
import { noDocument } from "./run-reader.ts";
import { fieldRules, metadataFields } from "./search-fields.ts";
import { type Counting, type PartReader, type ReaderOptions, WordReader } from "./word-reader.ts";

export interface PartOptions extends ReaderOptions {
  /** An empty window; readers leave it empty. */
  readonly best: BestWindow;
}

/** Makes readers of parts. They are kept, and used again after `clear`. */
export class PartReaders {
  private readonly options: PartOptions;
  private readonly words: WordReader[] = [];
  private used = 0;

  constructor(options: PartOptions) {
    this.options = options;
  }

  clear(): void {
    this.used = 0;
  }

  /** A reader that stands before the part. */
  open({ term, runs }: QueryPart): PartReader {
    const [first] = runs;
    if (term.gloss || first === undefined)
      return new TranslationReader(
        runs.map(({ run, weight }) => this.word(run, { weight, cover: weight, fields: metadataFields })),
        { extra: term.extra, best: this.options.best },
      );
    const { run, weight } = first;
    return this.word(run, { weight, cover: term.extra ? 0 : weight, fields: fieldRules.length });
  }

  private word(run: Run, counting: Counting): WordReader {
    const reader = this.words[this.used] ?? new WordReader(this.options);
    this.words[this.used++] = reader;
    reader.start(run, counting);
    return reader;
  }
}

/** A translated word: its best reading in a document's names and descriptions. */
class TranslationReader implements PartReader {
  private value = 0;
  private cover = 0;
  private readonly readings: readonly WordReader[];
  private readonly extra: boolean;
  private readonly best: BestWindow;

  constructor(
    readings: readonly WordReader[],
    { extra, best }: { readonly extra: boolean; readonly best: BestWindow },
  ) {
    this.readings = readings;
    this.extra = extra;
    this.best = best;
  }

  get document(): number {
    let least = noDocument;
    for (const { document } of this.readings) if (document < least) least = document;
    return least;
  }

  get reads(): number {
    return this.readings.reduce((sum, { reads }) => sum + reads, 0);
  }

  fill(window: DocumentWindow): void {
    const { best, extra } = this;
    best.openLike(window);
    for (const reading of this.readings) reading.fill(best);
    best.eachMet((at) => {
      // Where the word itself was found its translation must not count as a second one.
      const cover = extra && (window.matched[at] as number) > 0 ? 0 : (best.matched[at] as number);
      window.add(window.start + at, best.sums[at] as number, cover);
      best.sums[at] = 0;
    });
  }

  lift({ documents, sums, matched, count }: Candidates): void {
    for (let at = 0; at < count; at++) {
      const before = matched[at] as number;
      if (!this.look(documents[at] as number, before)) continue;
      sums[at] = (sums[at] as number) + this.value;
      matched[at] = before + this.cover;
    }
  }

  private look(document: number, matched: number): boolean {
    this.value = 0;
    for (const reading of this.readings)
      if (reading.look(document) && reading.value > this.value) {
        this.value = reading.value;
        this.cover = reading.cover;
      }
    if (this.extra && matched > 0) this.cover = 0;
    return this.value > 0;
  }
}
