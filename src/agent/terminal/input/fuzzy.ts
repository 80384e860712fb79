/**
 * How well a typed text fits a candidate: higher is better, null = not at all. Equal, beginning, beginning of a word,
 * inside, and last all letters in order; case does not count. Linear.
 */
export function fuzzyScore(typed: string, candidate: string): number | null {
  const wanted = typed.toLowerCase();
  const text = candidate.toLowerCase();
  if (wanted === "") return 0;
  if (text === wanted) return 1000;
  const at = text.indexOf(wanted);
  if (at === 0) return 900 - Math.min(text.length, 200);
  if (at > 0) {
    const word = /[^\p{L}\p{N}]/u.test(text[at - 1] ?? "");
    return (word ? 700 : 500) - Math.min(at, 100) - Math.min(text.length, 200) / 10;
  }
  let from = 0;
  let gaps = 0;
  for (const letter of wanted) {
    const found = text.indexOf(letter, from);
    if (found < 0) return null;
    if (from > 0) gaps += found - from;
    from = found + letter.length;
  }
  return Math.max(1, 300 - gaps * 5 - Math.min(text.length, 200) / 10);
}

export interface Ranked<T> {
  readonly item: T;
  readonly score: number;
}

/** Items that fit by any of their texts, best first; equal ones keep their order. */
export function fuzzyRank<T>(
  typed: string,
  items: readonly T[],
  options: { readonly texts: (item: T) => readonly string[]; readonly limit: number },
): readonly T[] {
  const ranked: Ranked<T>[] = [];
  for (const item of items) {
    let best: number | null = null;
    for (const [place, text] of options.texts(item).entries()) {
      const score = fuzzyScore(typed, text);
      // The first text is the name; others count a little less.
      if (score !== null) best = Math.max(best ?? 0, score - Math.min(place, 5));
    }
    if (best !== null) ranked.push({ item, score: best });
  }
  return ranked
    .sort((one, other) => other.score - one.score)
    .slice(0, options.limit)
    .map(({ item }) => item);
}
