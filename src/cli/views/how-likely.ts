import type { Painter } from "../output/paint.ts";
import type { MeantHit } from "../search-meaning.ts";

/** From this probability on an answer says that the skill serves the request. */
export const servesFrom = 0.6;
/** From this one on that it may; below it, that nothing fits well. */
export const fitsFrom = 0.25;

/** Whether an answer holds what may serve its request: its first hit, or any where meaning moved hits about. */
export function requestFits(results: readonly MeantHit[]): boolean {
  return results.some(
    ({ probability, meaning }, place) => probability >= fitsFrom && (place === 0 || meaning !== undefined),
  );
}

/** `93 %` */
export function percent(probability: number): string {
  return probability > 0 && probability < 0.005 ? "<1 %" : `${Math.round(probability * 100)} %`;
}

/** Green for a likely hit, yellow for a possible one. */
export function likely(probability: number, paint: Painter): (text: string) => string {
  return probability >= servesFrom ? paint.green : probability >= fitsFrom ? paint.yellow : paint.dim;
}
