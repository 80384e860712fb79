import type { Estimate } from "../src/core/evaluation/statistics.ts";
import { createRandom } from "./random.ts";

const rounds = 2_000;

/** Mean of the differences of pairs, with the 95 % interval of means of as many that are drawn from them again (always the same draws). */
export function pairedBootstrap(differences: readonly number[]): Estimate {
  const random = createRandom(1);
  const count = differences.length;
  const means = Array.from({ length: rounds }, () => {
    let sum = 0;
    for (let drawn = 0; drawn < count; drawn++) sum += differences[random.below(count)] as number;
    return sum / count;
  }).sort((a, b) => a - b);
  const value = differences.reduce((sum, one) => sum + one, 0) / count;
  return { value, low: means[rounds * 0.025] as number, high: means[rounds * 0.975 - 1] as number };
}
