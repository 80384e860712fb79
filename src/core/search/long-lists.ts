import { shortList } from "./postings.ts";
import { rankingRules } from "./ranking-rules.ts";
import type { RecordTerms } from "./record-terms.ts";

/**
 * The runs of a long list: documents that hold the term in their name or several times; those that hold it in what they
 * say of themselves; the rest. Told apart by weighted occurrences without regard to length: at least so much.
 */
const runMinima: readonly number[] = [2.9, 1.2, 0];
export const runsOfList: number = runMinima.length;

/** Which lists are long, and in which of its runs a document is. A slot is list number * `runsOfList` + run. */
export class LongLists {
  readonly count: number;
  /** By term: the number of its long list + 1; 0 where its list is short. */
  readonly numbers: Uint32Array;
  /** By list: weighted occurrences in the document that is open. */
  private readonly strength: Float64Array;

  constructor(frequency: Uint32Array) {
    this.numbers = new Uint32Array(frequency.length);
    let count = 0;
    for (let term = 0; term < frequency.length; term++)
      if ((frequency[term] as number) > shortList) this.numbers[term] = ++count;
    this.count = count;
    this.strength = new Float64Array(count);
  }

  /** Weighs the terms of a document. */
  open({ terms, places, count }: RecordTerms): void {
    const { numbers, strength } = this;
    for (let at = 0; at < count; at++) {
      const number = numbers[terms[at] as number] as number;
      if (number === 0) continue;
      const place = places[at] as number;
      const weight = rankingRules.fieldWeights[place >>> 4] as number;
      strength[number - 1] = (strength[number - 1] as number) + weight * (place & 15);
    }
  }

  /** The slot of the open document in the list of a term, or -1 where that is short. */
  slot(term: number): number {
    const list = (this.numbers[term] as number) - 1;
    if (list < 0) return -1;
    const strength = this.strength[list] as number;
    let run = 0;
    while (strength < (runMinima[run] as number)) run++;
    return list * runsOfList + run;
  }

  close({ terms, count }: RecordTerms): void {
    const { numbers, strength } = this;
    for (let at = 0; at < count; at++) {
      const number = numbers[terms[at] as number] as number;
      if (number > 0) strength[number - 1] = 0;
    }
  }
}
