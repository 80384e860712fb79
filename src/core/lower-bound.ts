/**
 * The first of `count` places in ascending order that is not before what is looked for; `count` where all are. Halves the
 * rest at each step.
 */
export function lowerBound(count: number, isBefore: (place: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
