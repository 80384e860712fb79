/** Skills up to which a set is as small, and from which on it is as large, as sets get. */
const smallest = 20;
const largest = 6_000;

/**
 * How small a set of skills is: 1 up to 20 of them, 0 from 6,000 on, linear in the logarithm. In a small set rarity and
 * leads tell little: no two skills are about the same, and any word may stand in one of them alone.
 */
export function smallness(size: number): number {
  const share = Math.log(Math.max(1, size) / smallest) / Math.log(largest / smallest);
  return 1 - Math.min(1, Math.max(0, share));
}
