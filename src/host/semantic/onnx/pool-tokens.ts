/** Ways to make one vector of those of a text's tokens. */
export const poolings = ["mean", "cls", "lasttoken", "max", "weightedmean"] as const;
export type Pooling = (typeof poolings)[number];

/**
 * One vector of a text from those of its tokens: `values` holds `width` numbers a token, token by token, of which the
 * first `count` are the text's own (the rest fills up). `cls` takes the first, `lasttoken` the last; `weightedmean` counts
 * later tokens more. Without tokens it is all zeros.
 */
export function poolTokens(
  values: Float32Array,
  { pooling, width, count }: { readonly pooling: Pooling; readonly width: number; readonly count: number },
): Float32Array {
  const vector = new Float32Array(width);
  if (count === 0) return vector;
  const token = (number: number): Float32Array => values.subarray(number * width, (number + 1) * width);
  if (pooling === "cls") return Float32Array.from(token(0));
  if (pooling === "lasttoken") return Float32Array.from(token(count - 1));
  for (let column = 0; column < width; column++) {
    let sum = 0;
    let weights = 0;
    let most = Number.NEGATIVE_INFINITY;
    for (let number = 0; number < count; number++) {
      const value = values[number * width + column] as number;
      const weight = pooling === "weightedmean" ? number + 1 : 1;
      sum += weight * value;
      weights += weight;
      most = Math.max(most, value);
    }
    vector[column] = pooling === "max" ? most : sum / weights;
  }
  return vector;
}

/** The vector in its direction with length 1; one without length stays. */
export function normalize(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  return length === 0 ? vector : vector.map((value) => value / length);
}
