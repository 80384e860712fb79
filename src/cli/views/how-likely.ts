import { nothingBelow } from "../../core/search/decide.ts";
import type { Painter } from "../output/paint.ts";
import type { MeantHit } from "../search-meaning.ts";

/** From this probability on an answer says that the skill serves the request. */
export const servesFrom = 0.6;

/**
 * Whether an answer holds what may serve its request (from `nothingBelow` on): its first hit, or any where meaning moved
 * hits about. Where it does not, the answer says that nothing fits.
 */
export function requestFits(results: readonly MeantHit[]): boolean {
  return results.some(
    ({ probability, meaning }, place) =>
      probability >= nothingBelow && (place === 0 || meaning !== undefined),
  );
}

/** `93 %` */
export function percent(probability: number): string {
  return probability > 0 && probability < 0.005 ? "<1 %" : `${Math.round(probability * 100)} %`;
}

/** Green for a likely hit, yellow for a possible one. */
export function likely(probability: number, paint: Painter): (text: string) => string {
  return probability >= servesFrom ? paint.green : probability >= nothingBelow ? paint.yellow : paint.dim;
}
