import type { Directness } from "./named-skills.ts";

export interface Evidence {
  readonly directness: Directness;
  /** Score against the best possible one for this query, 0 to 1. */
  readonly share: number;
  /** Share of the query's weight that the skill matches, 0 to 1. */
  readonly coverage: number;
  /** Lead over the strongest rival, -1 to 1. */
  readonly margin: number;
}

/** Weights of the logistic model; fitted on labelled requests, to be calibrated further. */
const model = { constant: -1.9, share: 2.5, coverage: 1, margin: 5 };

/**
 * How likely a hit is what was wanted: logistic in score share, coverage and lead. Only a skill that is asked for by
 * name is nearly certain.
 */
export function probability(evidence: Evidence): number {
  if (evidence.directness === 2) return 0.99;
  if (evidence.directness === 1) return evidence.margin < 0 ? 0.5 : 0.95;
  const value =
    model.constant +
    model.share * evidence.share +
    model.coverage * evidence.coverage +
    model.margin * evidence.margin;
  return 1 / (1 + Math.exp(-value));
}
