import { amountAt, contribution, type FieldFactors } from "./field-factors.ts";
import type { IndexData } from "./index-data.ts";
import { PostingsReader } from "./postings-reader.ts";
import type { QueryTerm } from "./query-terms.ts";
import type { RankingRules } from "./ranking-rules.ts";
import { metadataFields } from "./search-fields.ts";

/** Scores of documents for one query; valid until the next one. */
export interface Scores {
  /** BM25F with coverage; 0 = no real term matched. */
  scoreOf(document: number): number;
  /** Share of the query's weight that occurs in the document, 0 to 1. */
  coverageOf(document: number): number;
  /** Documents with a score above 0, in no particular order: the first `count`. */
  readonly touched: Uint32Array;
  readonly count: number;
  /** What a document would get that is about nothing but the query; at least every raw score. */
  readonly ideal: number;
}

export interface Wanted {
  /** The best so many documents have to be right, and all equal to the last of them. */
  readonly best: number;
  /** Documents whose scores have to be right, whatever they are. */
  readonly kept: Iterable<number>;
}

/** One list of entries of a query. */
interface Part {
  readonly term: QueryTerm;
  readonly length: number;
  /** At most what it adds to a score, and to the matched weight. */
  readonly most: number;
  readonly cover: number;
}

/** Stands for "asked for, nothing found": adding to it changes no sum. */
const asked = Number.MIN_VALUE;
/** Sums in another order may differ by this share. */
const rounding = 1 + 1e-9;

/**
 * Scores documents, one list of entries after the other, short ones first. Before a long list it asks which documents can
 * still be among the wanted best, by what the lists that are left add at most: the others are dropped, and where no new
 * document could reach the best, the lists are only looked up. What is wanted comes out as if all had been read. Keeps
 * its arrays between queries.
 */
export function createScorer(
  data: IndexData,
  options: {
    readonly rules: RankingRules;
    readonly factors: FieldFactors;
    /** Shorter lists are read without asking whether that is needed. */
    readonly longList?: number;
  },
): (terms: readonly QueryTerm[], wanted: Wanted) => Scores {
  const { size, starts, bytes, frequency } = data.postings;
  const { rules, factors, longList = 1_024 } = options;
  const { saturation, coverageShare } = rules;
  /** By document: its sum * 2 places, then the matched weight. In the end score and coverage. */
  const sums = new Float64Array(size * 2);
  let touched = new Uint32Array(Math.min(size, 1 << 12));
  let count = 0;
  const reader = new PostingsReader(data.postings);
  /** At least every sum so far. */
  let highest = 0;
  /** The largest amount of a term in any document, once its list was read whole. */
  const largest = new Map<number, number>();

  const touch = (document: number): void => {
    if (count === touched.length) {
      const larger = new Uint32Array(Math.min(size, count * 2));
      larger.set(touched);
      touched = larger;
    }
    touched[count++] = document;
  };
  const forget = (document: number): void => {
    sums[document * 2] = 0;
    sums[document * 2 + 1] = 0;
  };

  /** Tells the documents of a list with what they hold of it in the first `fields` fields; only touched ones unless `fresh`. */
  const eachDocument = (
    id: number,
    { fresh, fields }: { readonly fresh: boolean; readonly fields: number },
    tell: (document: number, amount: number) => void,
  ): void => {
    if (!fresh && count * 16 < (frequency[id] as number)) {
      let amount = 0;
      let document = 0;
      const add = (place: number): void => {
        if (place >>> 4 < fields) amount += amountAt(factors, place, document);
      };
      reader.open(id);
      // Sorted when the others were dropped; no document has come in since.
      for (let at = 0; at < count; at++) {
        document = touched[at] as number;
        if (!reader.reach(document)) break;
        if (reader.document !== document) continue;
        amount = 0;
        reader.places(add);
        if (amount > 0) tell(document, amount);
      }
      return;
    }
    const end = starts[id + 1] as number;
    let document = -1;
    for (let at = starts[id] as number; at < end; ) {
      let byte = bytes[at++] as number;
      let gap = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++] as number;
        gap |= (byte & 127) << shift;
      }
      document += gap;
      let place = bytes[at++] as number;
      let amount = place >>> 4 < fields ? amountAt(factors, place, document) : 0;
      while (at < end && bytes[at] === 0) {
        place = bytes[at + 1] as number;
        at += 2;
        if (place >>> 4 < fields) amount += amountAt(factors, place, document);
      }
      if (amount > 0 && (fresh || sums[document * 2] !== 0)) tell(document, amount);
    }
  };

  /** Adds a word: all its readings. */
  const addWord = ({ readings, weight, extra }: QueryTerm, fresh: boolean): void => {
    for (const { id, weight: likeness } of readings) {
      const whole = weight * likeness;
      let most = 0;
      eachDocument(id, { fresh, fields: factors.lengths.length }, (document, amount) => {
        if (amount > most) most = amount;
        const known = sums[document * 2] as number;
        if (known === 0) touch(document);
        const sum = known + contribution(whole, amount, saturation);
        sums[document * 2] = sum;
        if (sum > highest) highest = sum;
        if (!extra) sums[document * 2 + 1] = (sums[document * 2 + 1] as number) + whole;
      });
      if (fresh && (frequency[id] as number) >= longList) largest.set(id, most);
    }
  };

  /** Adds a translated word: its best reading in a document's names and descriptions. */
  const addGloss = ({ readings, weight, extra }: QueryTerm, fresh: boolean): void => {
    const best = new Map<number, { readonly value: number; readonly cover: number }>();
    for (const { id, weight: likeness } of readings)
      eachDocument(id, { fresh, fields: metadataFields }, (document, amount) => {
        const value = contribution(weight * likeness, amount, saturation);
        if (value > (best.get(document)?.value ?? 0)) best.set(document, { value, cover: weight * likeness });
      });
    for (const [document, { value, cover }] of best) {
      const known = sums[document * 2] as number;
      if (known === 0) touch(document);
      sums[document * 2] = known + value;
      if (known + value > highest) highest = known + value;
      const matched = sums[document * 2 + 1] as number;
      // Where the word itself was found its translation must not count as a second one.
      if (!extra || matched === 0) sums[document * 2 + 1] = matched + cover;
    }
  };

  return (terms, wanted) => {
    for (let at = 0; at < count; at++) forget(touched[at] as number);
    count = 0;
    highest = 0;
    const kept = new Set(wanted.kept);
    for (const document of kept) {
      touch(document);
      sums[document * 2] = asked;
    }
    let total = 0;
    let ideal = 0;
    for (const { weight, extra, readings } of terms) {
      if (!extra) total += weight;
      if (!extra || readings.length > 0) ideal += weight * (saturation + 1);
    }
    const scored = (sum: number, matched: number): number => {
      const share = total === 0 ? 0 : Math.min(1, matched / total);
      // Without one real word in common, single characters and the like do not count.
      return share === 0 ? 0 : sum * (1 - coverageShare + coverageShare * share);
    };

    const parts = terms
      .filter(({ readings }) => readings.length > 0)
      .map((term): Part => {
        const { readings, weight, gloss } = term;
        let length = 0;
        let most = 0;
        let cover = 0;
        for (const { id, weight: likeness } of readings) {
          length += frequency[id] as number;
          const known = gloss ? undefined : largest.get(id);
          const own =
            known === undefined
              ? weight * likeness * (saturation + 1)
              : contribution(weight * likeness, known, saturation);
          most = gloss ? Math.max(most, own) : most + own;
          if (gloss) cover = Math.max(cover, weight * likeness);
          else if (!term.extra) cover += weight * likeness;
        }
        return { term, length, most, cover };
      })
      .sort((a, b) => Number(a.term.gloss) - Number(b.term.gloss) || a.length - b.length);
    let most = parts.reduce((sum, part) => sum + part.most, 0);
    let cover = parts.reduce((sum, part) => sum + part.cover, 0);
    let fresh = true;
    for (const part of parts) {
      // Asking costs a look at every document so far.
      const reach = scored(most * rounding, cover * rounding);
      if (part.length >= longList && part.length * 2 >= count && count > wanted.best && reach < highest) {
        const least = leastOfBest(touched, { count, best: wanted.best }, (document) =>
          scored(sums[document * 2] as number, sums[document * 2 + 1] as number),
        );
        if (least > 0) {
          if (reach < least) fresh = false;
          if (!fresh) {
            let left = 0;
            for (let at = 0; at < count; at++) {
              const document = touched[at] as number;
              const reachable = scored(
                ((sums[document * 2] as number) + most) * rounding,
                ((sums[document * 2 + 1] as number) + cover) * rounding,
              );
              if (reachable >= least || kept.has(document)) touched[left++] = document;
              else forget(document);
            }
            count = left;
            touched.subarray(0, count).sort();
          }
        }
      }
      if (part.term.gloss) addGloss(part.term, fresh);
      else addWord(part.term, fresh);
      most -= part.most;
      cover -= part.cover;
    }
    let left = 0;
    for (let at = 0; at < count; at++) {
      const document = touched[at] as number;
      const matched = sums[document * 2 + 1] as number;
      const score = scored(sums[document * 2] as number, matched);
      sums[document * 2] = score;
      sums[document * 2 + 1] = score === 0 ? 0 : Math.min(1, matched / total);
      if (score > 0) touched[left++] = document;
    }
    count = left;
    return {
      scoreOf: (document) => sums[document * 2] as number,
      coverageOf: (document) => sums[document * 2 + 1] as number,
      touched,
      count,
      ideal,
    };
  };
}

/** The `best`-th largest value of the first `count` documents. */
function leastOfBest(
  documents: Uint32Array,
  { count, best }: { readonly count: number; readonly best: number },
  scoreOf: (document: number) => number,
): number {
  // A heap with the least on top.
  const heap = new Float64Array(best);
  let filled = 0;
  for (let number = 0; number < count; number++) {
    const value = scoreOf(documents[number] as number);
    let at: number;
    if (filled < best) {
      at = filled++;
      while (at > 0) {
        const above = (at - 1) >> 1;
        if ((heap[above] as number) <= value) break;
        heap[at] = heap[above] as number;
        at = above;
      }
    } else {
      if (value <= (heap[0] as number)) continue;
      at = 0;
      for (;;) {
        let below = at * 2 + 1;
        if (below >= best) break;
        if (below + 1 < best && (heap[below + 1] as number) < (heap[below] as number)) below++;
        if ((heap[below] as number) >= value) break;
        heap[at] = heap[below] as number;
        at = below;
      }
    }
    heap[at] = value;
  }
  return filled < best ? 0 : (heap[0] as number);
}
