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
  /** Shares of the score that come from example requests and from bodies: nothing a skill says of itself. */
  readonly examples: number;
  readonly bodies: number;
  /** Largest share of the query's weight that one passage of names, descriptions or example requests holds. */
  readonly together: number;
  /** Some of the query is in names and descriptions, not only in example requests and bodies. */
  readonly own: boolean;
  /** A word of the query is in the name or an alias. */
  readonly named: boolean;
  /** Sum of what all matches add, 0 or more, not scaled. */
  readonly total: number;
  /** Distinct terms of the query, amounts left out. */
  readonly terms: number;
  /** How small the set of skills is, 0 to 1 (`smallness`). */
  readonly small: number;
}

/** Weights of the logistic model; how they were fitted and how well they hold is in bench/search.md. */
const model = {
  constant: -3.7,
  coverage: 1.125,
  lead: 4.15,
  secondLead: 2.1,
  excluded: -13.4,
  terms: 0.7,
  examples: -1.4,
};

/**
 * What counts besides in a small set, the less the larger it is. A lead says little there: any word stands in one skill
 * alone. How much was matched, and where it stands, says more.
 */
const inSmallSets = {
  constant: -1.8,
  together: 2.3,
  named: 0.2,
  notOwn: -1.3,
  bodies: -3.7,
  secondLead: -1.7,
  /** By the logarithm of the total, which is at least `leastTotal`. */
  total: 0.94,
  /** Two words, neither of them in the name: "git push". */
  fewWords: -1.2,
};
const leastTotal = 0.1;

/**
 * In a large set a match that rests on nothing a skill says of itself is a word in passing ("17" in a text about fonts)
 * more often than a wish.
 */
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
 * How likely a hit is what was wanted: logistic in coverage, lead, what it excludes, how much was said, and where the
 * words stand. A lead counts in full only where half of the query is matched. Only a skill that is asked for by name is
 * nearly certain.
 */
export function probability(evidence: Evidence): number {
  return Math.min(most[evidence.wish], likelihood(evidence));
}

function likelihood(evidence: Evidence): number {
  const { directness, coverage, lead, secondLead, excluded, examples, bodies, terms, small } = evidence;
  if (directness === 2) return 0.99;
  if (directness === 1) return lead < 0 ? 0.5 : 0.95;
  const trust = Math.min(1, 2 * coverage);
  const value =
    model.constant +
    model.coverage * coverage +
    trust *
      (model.lead * Math.min(lead, surest.lead) +
        model.secondLead * Math.min(secondLead, surest.secondLead)) +
    model.excluded * excluded +
    model.examples * examples +
    model.terms * Math.log1p(terms) -
    (1 - small) * indirectDoubt.weight * Math.max(0, examples + bodies - indirectDoubt.from) +
    small * besides(evidence, trust);
  return 1 / (1 + Math.exp(-value));
}

function besides(evidence: Evidence, trust: number): number {
  const { together, own, named, bodies, secondLead, total, terms } = evidence;
  return (
    inSmallSets.constant +
    inSmallSets.together * together +
    (named ? inSmallSets.named : 0) +
    (own ? 0 : inSmallSets.notOwn) +
    inSmallSets.bodies * bodies +
    inSmallSets.secondLead * trust * Math.min(secondLead, surest.secondLead) +
    inSmallSets.total * Math.log(Math.max(total, leastTotal)) +
    (terms <= 2 && !named ? inSmallSets.fewWords : 0)
  );
}
