/** A measured value with its 95 % confidence interval. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

const z = 1.959964;

/** A share of `count` with Wilson's interval; 0 of 0 is 0. */
export function proportion(hits: number, count: number): Estimate {
  if (count === 0) return { value: 0, low: 0, high: 1 };
  const value = hits / count;
  const spread = 1 + (z * z) / count;
  const middle = (value + (z * z) / (2 * count)) / spread;
  const half = (z * Math.sqrt((value * (1 - value)) / count + (z * z) / (4 * count * count))) / spread;
  return { value, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/**
 * The mean of values from 0 to 1, with Wilson's interval as for a share: never outside 0 to 1, the same as `proportion`
 * where all are 0 or 1, and rather too wide where they lie between; of none 0.
 */
export function meanShare(values: readonly number[]): Estimate {
  return proportion(sum(values), values.length);
}

/**
 * The mean of differences from -1 to 1, pair by pair. Its interval is the normal one with two pairs more, one without a
 * difference and two halves of -1 and 1, so that few pairs that agree are not taken for certainty; within -1 to 1.
 */
export function meanDifference(values: readonly number[]): Estimate {
  const count = values.length;
  if (count === 0) return { value: 0, low: -1, high: 1 };
  const total = sum(values);
  const squares = sum(values.map((value) => value * value));
  const middle = total / (count + 2);
  const variance = (squares + 1) / (count + 2) - middle * middle;
  const half = z * Math.sqrt(variance / (count + 2));
  return { value: total / count, low: Math.max(-1, middle - half), high: Math.min(1, middle + half) };
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** Two-sided exact sign test: how likely so uneven a count is when both are as good. */
export function signTest(wins: number, losses: number): number {
  const count = wins + losses;
  if (count === 0) return 1;
  const least = Math.min(wins, losses);
  let logarithm = -count * Math.LN2;
  let sum = 0;
  for (let hits = 0; hits <= least; hits++) {
    sum += Math.exp(logarithm);
    logarithm += Math.log((count - hits) / (hits + 1));
  }
  return Math.min(1, 2 * sum);
}
