import type { Directness, Wish } from "./named-skills.ts";

export interface Evidence {
  readonly directness: Directness;
  /** What the query wants of the skill, if it names it. */
  readonly wish: Wish;
  /** Share of the query's weight that the skill matches, 0 to 1. */
  readonly coverage: number;
  /** Lead over the strongest rival, as a share of the larger score: -1 to 1. */
  readonly lead: number;
  /** The same over the hit two places behind; 1 where there is none. */
  readonly secondLead: number;
  /** Share of the score that comes from what the skill says it is not for. */
  readonly excluded: number;
  /** Share of the score that comes from example requests. */
  readonly examples: number;
  /** Share of the score that comes from bodies and example requests: nothing a skill says of itself. */
  readonly indirect: number;
  /** Distinct terms of the query, amounts left out. */
  readonly terms: number;
}

/** Weights of the logistic model; how they were fitted and how well they hold is in bench/search.md. */
const model = { constant: -3.7, coverage: 1.125, lead: 4.15, secondLead: 2.1, excluded: -13.4, terms: 0.7 };

/**
 * Example requests are many and hold any word, so a match that rests on them says less. Chosen on the requests of the
 * built-in skills.
 */
const exampleDoubt = 1.3;

/** A match that rests on nothing else is a word in passing ("17" in a text about fonts) more often than a wish. */
const indirectDoubt = { from: 0.8, weight: 8 };

/** Larger leads were too rare among the requests that the model was fitted on; among few skills they mean little. */
const surest = { lead: 0.6, secondLead: 0.7 };

/** A skill that a query asks about, or says it does not mean, is at most this likely wanted. */
const most: Readonly<Record<Wish, number>> = { wanted: 1, known: 0.7, refused: 0.3 };

/** From this probability on a first hit may be loaded without asking a model. */
export const autoLoadFrom = 0.76;
/** Below this probability of its first hit an answer says that probably nothing fits. */
export const nothingBelow = 0.12;

/**
 * How likely a hit is what was wanted: logistic in coverage, lead, what it excludes, and how much was said. A lead counts
 * in full only where half of the query is matched: among few skills any word gives a lead. Only a skill that is asked for
 * by name is nearly certain.
 */
export function probability(evidence: Evidence): number {
  return Math.min(most[evidence.wish], likelihood(evidence));
}

function likelihood(evidence: Evidence): number {
  const { directness, coverage, lead, secondLead, excluded, examples, indirect, terms } = evidence;
  if (directness === 2) return 0.99;
  if (directness === 1) return lead < 0 ? 0.5 : 0.95;
  const trust = Math.min(1, 2 * coverage);
  const value =
    model.constant +
    model.coverage * coverage +
    trust *
      (model.lead * Math.min(lead, surest.lead) +
        model.secondLead * Math.min(secondLead, surest.secondLead)) +
    model.excluded * excluded -
    exampleDoubt * examples -
    indirectDoubt.weight * Math.max(0, indirect - indirectDoubt.from) +
    model.terms * Math.log1p(terms);
  return 1 / (1 + Math.exp(-value));
}
