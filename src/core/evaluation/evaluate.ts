import type { EvaluationCase } from "./evaluation-case.ts";
import { type Estimate, meanDifference, meanShare, proportion, signTest } from "./statistics.ts";

/** Anything that ranks: ids best first, at most ten, and the first where it would be loaded at once. */
export type Ranker = (query: string) => {
  readonly results: readonly { readonly id: string; readonly name: string; readonly probability: number }[];
  readonly autoLoad: string | null;
  /** Whether the answer would say that probably nothing fits; left out by those that never do. */
  readonly nothingFits?: boolean;
};

export interface RankMetrics {
  readonly count: number;
  readonly hit1: Estimate;
  readonly hit3: Estimate;
  readonly recall3: Estimate;
  readonly recall10: Estimate;
  readonly mrr10: Estimate;
  readonly ndcg10: Estimate;
}

export interface Miss {
  readonly query: string;
  readonly place: string;
  readonly expected: readonly string[];
  /** Names, best first. */
  readonly found: readonly string[];
  /** 1 = first; null = not among the ten. */
  readonly rank: number | null;
}

export interface Evaluation {
  readonly metrics: RankMetrics;
  readonly byLanguage: Readonly<Record<string, RankMetrics>>;
  readonly autoLoad: {
    /** Share of the requests that load something at once, and how many of those load the right one. */
    readonly coverage: Estimate;
    readonly precision: Estimate;
    /** Shares of the negatives that load anything, and what they must not load. */
    readonly negatives: Estimate;
    readonly forbidden: Estimate;
  };
  /** Null where the ranker never says that nothing fits. */
  readonly nothing: {
    /** Share of the requests that nothing serves for which that is said; null without such requests. */
    readonly said: Estimate | null;
    /** Share of those with an answer for which it is said. */
    readonly wrongly: Estimate;
  } | null;
  readonly negatives: number;
  readonly misses: readonly Miss[];
  /** Place of the first right one for each request with one: 0 = first, -1 = not among ten. */
  readonly ranks: readonly number[];
}

/** Runs every case. An expected skill matches by id or by name. */
export function evaluate(cases: readonly EvaluationCase[], rank: Ranker): Evaluation {
  const rows: Row[] = [];
  const misses: Miss[] = [];
  const loads = { requests: 0, right: 0, negatives: 0, forbidden: 0 };
  const nothing = { asked: 0, said: 0, wrongly: 0, known: false };
  let negatives = 0;
  for (const one of cases) {
    const { results, autoLoad, nothingFits } = rank(one.query);
    nothing.known ||= nothingFits !== undefined;
    const top = results.slice(0, 10);
    if (one.relevant.length === 0) {
      negatives++;
      // Of others only one skill is known that must not be loaded.
      if (one.forbidden === null) {
        nothing.asked++;
        if (nothingFits === true) nothing.said++;
      }
      if (autoLoad === null) continue;
      loads.negatives++;
      if (autoLoad === one.forbidden) loads.forbidden++;
      continue;
    }
    if (nothingFits === true) nothing.wrongly++;
    const wanted = new Set(one.relevant);
    const right = top.map(({ id, name }) => wanted.has(id) || wanted.has(name));
    const first = right.indexOf(true);
    rows.push({ right, relevant: wanted.size, language: one.language, first });
    if (autoLoad !== null) {
      loads.requests++;
      if (right[0] === true) loads.right++;
    }
    if (first !== 0)
      misses.push({
        query: one.query,
        place: one.place,
        expected: one.relevant,
        found: top.slice(0, 3).map(({ name }) => name),
        rank: first < 0 ? null : first + 1,
      });
  }
  const languages = [...new Set(rows.map(({ language }) => language))].sort();
  return {
    metrics: metricsOf(rows),
    byLanguage: Object.fromEntries(
      languages.map((language) => [language, metricsOf(rows.filter((row) => row.language === language))]),
    ),
    autoLoad: {
      coverage: proportion(loads.requests, rows.length),
      precision: proportion(loads.right, loads.requests),
      negatives: proportion(loads.negatives, negatives),
      forbidden: proportion(loads.forbidden, negatives),
    },
    nothing: nothing.known
      ? {
          said: nothing.asked === 0 ? null : proportion(nothing.said, nothing.asked),
          wrongly: proportion(nothing.wrongly, rows.length),
        }
      : null,
    negatives,
    misses,
    ranks: rows.map(({ first }) => first),
  };
}

interface Row {
  readonly right: readonly boolean[];
  readonly relevant: number;
  readonly language: string;
  readonly first: number;
}

function metricsOf(rows: readonly Row[]): RankMetrics {
  const within = (row: Row, limit: number): number => row.right.slice(0, limit).filter(Boolean).length;
  const hits = (limit: number): Estimate =>
    proportion(rows.filter((row) => within(row, limit) > 0).length, rows.length);
  const recall = (limit: number): Estimate => meanShare(rows.map((row) => within(row, limit) / row.relevant));
  return {
    count: rows.length,
    hit1: hits(1),
    hit3: hits(3),
    recall3: recall(3),
    recall10: recall(10),
    mrr10: meanShare(rows.map(({ first }) => (first < 0 ? 0 : 1 / (first + 1)))),
    ndcg10: meanShare(rows.map(gain)),
  };
}

function gain({ right, relevant }: Row): number {
  let sum = 0;
  let best = 0;
  for (let place = 0; place < 10; place++) {
    if (right[place] === true) sum += 1 / Math.log2(place + 2);
    if (place < relevant) best += 1 / Math.log2(place + 2);
  }
  return best === 0 ? 0 : sum / best;
}

export interface Comparison {
  /** Requests on which one ranks the right skill higher than the other. */
  readonly better: number;
  readonly worse: number;
  readonly same: number;
  /** Difference of Hit@1 and of MRR@10, pair by pair. */
  readonly hit1: Estimate;
  readonly mrr10: Estimate;
  /** Two-sided sign test over better and worse. */
  readonly probability: number;
}

/** Compares two rankings of the same cases. Positive differences speak for the first. */
export function compareEvaluations(one: Evaluation, other: Evaluation): Comparison {
  const reciprocal = (rank: number): number => (rank < 0 ? 0 : 1 / (rank + 1));
  const pairs = one.ranks.map((rank, index) => [rank, other.ranks[index] ?? -1] as const);
  const better = pairs.filter(([left, right]) => reciprocal(left) > reciprocal(right)).length;
  const worse = pairs.filter(([left, right]) => reciprocal(left) < reciprocal(right)).length;
  return {
    better,
    worse,
    same: pairs.length - better - worse,
    hit1: meanDifference(pairs.map(([left, right]) => Number(left === 0) - Number(right === 0))),
    mrr10: meanDifference(pairs.map(([left, right]) => reciprocal(left) - reciprocal(right))),
    probability: signTest(better, worse),
  };
}
