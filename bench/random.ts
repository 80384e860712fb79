/** A small generator of our own, so that a tree is the same on every machine and in every version of Node. */
export interface Random {
  /** A whole number from 0 to `below` - 1. */
  below(below: number): number;
  /** True in `percent` of 100 calls. */
  chance(percent: number): boolean;
  pick<T>(items: readonly [T, ...T[]]): T;
}

/** xorshift32; `seed` is any whole number. */
export function createRandom(seed: number): Random {
  // Zero would stay zero for ever; neighbouring seeds must not give similar beginnings.
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) | 1;
  const below = (limit: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
  for (let round = 0; round < 8; round++) below(2);
  return {
    below,
    chance: (percent) => below(100) < percent,
    pick: <T>(items: readonly [T, ...T[]]): T => items[below(items.length)] ?? items[0],
  };
}
