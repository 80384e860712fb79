/** How many items have each key, in the order of first occurrence. */
export function countBy<T, K>(items: readonly T[], key: (item: T) => K): ReadonlyMap<K, number> {
  const counts = new Map<K, number>();
  for (const item of items) {
    const name = key(item);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
