/** What one subject took in each round, in milliseconds, and its baseline in the same rounds. */
export interface Rounds {
  readonly subject: readonly number[];
  readonly baseline: readonly number[];
}

export interface Ratio {
  /** Median of the subject over median of the baseline. */
  readonly ratio: number;
  /** The smallest and the largest ratio of one round. */
  readonly least: number;
  readonly most: number;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Rounds are interleaved, so what else the machine does falls on both sides and mostly cancels out. */
export function ratioOf({ subject, baseline }: Rounds): Ratio {
  const each = subject.map((value, round) => value / (baseline[round] ?? Number.NaN));
  return { ratio: median(subject) / median(baseline), least: Math.min(...each), most: Math.max(...each) };
}
