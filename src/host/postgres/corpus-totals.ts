import { gramRange } from "../../core/search/letter-grams.ts";
import { fieldRules } from "../../core/search/search-fields.ts";
import type { SearchDocument } from "../../core/search/search-index.ts";
import { createSpelling } from "../../core/search/spelling.ts";
import { buildIndexData } from "../../core/search/stored-index.ts";
import type { SearchVector } from "./search-vector.ts";

/** Documents whose groups of letters are counted. */
const sampled = 20_000;

/** What a whole corpus is like, as it is kept beside it. */
export interface CorpusTotals {
  readonly size: number;
  readonly averages: readonly number[];
  readonly grams: Uint32Array;
  readonly sampled: number;
  readonly hanDescriptions: boolean;
}

/** Sums up a corpus, batch by batch. */
export class CorpusCounter {
  private size = 0;
  private counted = 0;
  private han = false;
  private readonly grams = new Uint32Array(gramRange);
  private readonly words: number[] = fieldRules.map(() => 0);
  private readonly filled: number[] = fieldRules.map(() => 0);

  add(documents: readonly SearchDocument[], vectors: readonly SearchVector[]): void {
    this.size += documents.length;
    for (const { lengths } of vectors)
      for (const [field, length] of lengths.entries()) {
        if (length === 0) continue;
        this.words[field] = (this.words[field] as number) + length;
        this.filled[field] = (this.filled[field] as number) + 1;
      }
    this.han ||= documents.some(({ description }) => /\p{Script=Han}/u.test(description));
    if (this.counted >= sampled) return;
    const { frequency, seen } = createSpelling(buildIndexData(documents).data);
    this.counted += seen;
    for (let gram = 0; gram < gramRange; gram++)
      this.grams[gram] = (this.grams[gram] as number) + (frequency[gram] as number);
  }

  totals(): CorpusTotals {
    return {
      size: this.size,
      averages: this.words.map((words, field) => words / Math.max(1, this.filled[field] as number)),
      grams: this.grams,
      sampled: this.counted,
      hanDescriptions: this.han,
    };
  }
}
