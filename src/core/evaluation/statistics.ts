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

/** A mean with its normal interval. */
export function mean(values: readonly number[]): Estimate {
  const count = values.length;
  if (count === 0) return { value: 0, low: 0, high: 0 };
  let sum = 0;
  for (const value of values) sum += value;
  const average = sum / count;
  let squares = 0;
  for (const value of values) squares += (value - average) ** 2;
  const half = count < 2 ? 0 : z * Math.sqrt(squares / (count - 1) / count);
  return { value: average, low: average - half, high: average + half };
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
