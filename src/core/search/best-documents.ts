/** The best `limit` of `count` documents by `before`, in order. `scoreOf` decides most comparisons alone. */
export function bestDocuments(
  documents: Uint32Array,
  count: number,
  options: {
    readonly limit: number;
    readonly scoreOf: (document: number) => number;
    readonly before: (a: number, b: number) => boolean;
  },
): number[] {
  const { limit, scoreOf, before } = options;
  const order = (a: number, b: number): number => (before(a, b) ? -1 : 1);
  if (limit >= count / 8) return Array.from(documents.subarray(0, count)).sort(order).slice(0, limit);
  const best: number[] = [];
  let least = -1;
  for (let at = 0; at < count; at++) {
    const document = documents[at] as number;
    if (best.length === limit) {
      if (scoreOf(document) < least) continue;
      if (!before(document, best[limit - 1] as number)) continue;
    }
    let low = 0;
    let high = best.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (before(document, best[middle] as number)) high = middle;
      else low = middle + 1;
    }
    best.splice(low, 0, document);
    if (best.length > limit) best.pop();
    if (best.length === limit) least = scoreOf(best[limit - 1] as number);
  }
  return best;
}
