import { contribution } from "./field-factors.ts";
import type { IndexData } from "./index-data.ts";
import { type BoundRules, type Run, runsOf } from "./postings.ts";
import type { QueryTerm } from "./query-terms.ts";
import type { RankingRules } from "./ranking-rules.ts";

/** What is read in one go: a run of a word, or all runs of a translation. */
export interface QueryPart {
  readonly term: QueryTerm;
  readonly runs: readonly WeighedRun[];
  /** Documents in them. */
  readonly length: number;
  /** At most what this part and all after it add to the sum of a document, and to its matched weight. */
  readonly most: number;
  readonly cover: number;
}

export interface WeighedRun {
  readonly run: Run;
  /** That of the term times that of the reading. */
  readonly weight: number;
}

/**
 * The parts of a query, those that can add most first, translations last. The order depends on the index and the query
 * alone, and a document is in one run of a list at most: its sum is added up in one order, whatever is left out.
 *
 * A contribution grows with the amount of the term, so that of the largest amount bounds those of a run; without a known
 * amount it stays below `saturation + 1` times the weight. Of the runs of one list only the largest bound counts, of
 * several lists their sum.
 */
export function queryParts(
  terms: readonly QueryTerm[],
  data: IndexData,
  rules: RankingRules,
): readonly QueryPart[] {
  const { saturation } = rules;
  const bounded = data.whole === undefined && sameBounds(data.postings.bounds, rules);
  const words: Draft[] = [];
  const translations: Draft[] = [];
  let list = 0;
  for (const term of terms) {
    const found: Draft[] = [];
    for (const { id, weight: likeness } of term.readings) {
      const weight = term.weight * likeness;
      list++;
      for (const run of runsOf(data.postings, id)) {
        const known = bounded && run.most !== Number.POSITIVE_INFINITY;
        const most = known ? contribution(weight, run.most, saturation) : weight * (saturation + 1);
        const cover = term.extra && !term.gloss ? 0 : weight;
        found.push({ term, list, runs: [{ run, weight }], length: run.documents, most, cover });
      }
    }
    if (!term.gloss) words.push(...found);
    else translations.push(...joined(found));
  }
  words.sort((a, b) => b.most - a.most);
  translations.sort((a, b) => a.length - b.length);
  return withRest([...words, ...translations]);
}

interface Draft extends QueryPart {
  readonly list: number;
}

/** The runs of a translation as one part, if there are any: the best of them counts. */
function joined(parts: readonly Draft[]): readonly Draft[] {
  return parts.slice(0, 1).map((first) => ({
    ...first,
    runs: parts.flatMap(({ runs }) => runs),
    length: parts.reduce((sum, { length }) => sum + length, 0),
    most: Math.max(...parts.map(({ most }) => most)),
    cover: Math.max(...parts.map(({ cover }) => cover)),
  }));
}

/** Turns bounds of parts into bounds of a part and all after it. */
function withRest(parts: readonly Draft[]): readonly QueryPart[] {
  const bounds = new Map<number, number>();
  let most = 0;
  let cover = 0;
  return parts
    .toReversed()
    .map((part): QueryPart => {
      const known = bounds.get(part.list);
      most += Math.max(0, part.most - (known ?? 0));
      bounds.set(part.list, Math.max(part.most, known ?? 0));
      if (known === undefined) cover += part.cover;
      return { term: part.term, runs: part.runs, length: part.length, most, cover };
    })
    .toReversed();
}

function sameBounds(one: BoundRules, other: BoundRules): boolean {
  const same = (left: readonly number[], right: readonly number[]): boolean =>
    left.length === right.length && left.every((number, place) => number === right[place]);
  return same(one.fieldWeights, other.fieldWeights) && same(one.lengthShares, other.lengthShares);
}
