import { fieldRules } from "./search-fields.ts";
import type { TermIndex } from "./term-index.ts";
import { withinOneEdit } from "./within-one-edit.ts";

/** Shorter words have too many neighbours. */
const shortestWord = 5;

/** Bodies hold too many rare words to correct to. */
const trusted: readonly boolean[] = fieldRules.map(({ field }) => field !== "body" && field !== "heading");

/**
 * Finds the term meant by a word that no document holds: the most frequent one within one edit among names, aliases
 * and descriptions, or null. The list of candidates is made on the first call.
 */
export function typoFinder(
  index: TermIndex,
): (term: string) => { readonly term: string; readonly id: number } | null {
  let byLength: Map<number, { readonly term: string; readonly id: number }[]> | null = null;

  const candidates = (): Map<number, { readonly term: string; readonly id: number }[]> => {
    const found = new Map<number, { readonly term: string; readonly id: number }[]>();
    for (const [term, id] of index.ids) {
      if (term.length < shortestWord - 1) continue;
      const fields = index.fields.subarray(index.start[id], index.start[id + 1]);
      if (!fields.some((field) => trusted[field])) continue;
      const list = found.get(term.length);
      if (list === undefined) found.set(term.length, [{ term, id }]);
      else list.push({ term, id });
    }
    return found;
  };

  return (term) => {
    if (term.length < shortestWord || !/^\p{L}+$/u.test(term)) return null;
    byLength ??= candidates();
    let best: { readonly term: string; readonly id: number } | null = null;
    for (const length of [term.length - 1, term.length, term.length + 1])
      for (const candidate of byLength.get(length) ?? []) {
        if (!withinOneEdit(term, candidate.term)) continue;
        const more = frequency(index, candidate.id) - (best === null ? 0 : frequency(index, best.id));
        if (best === null || more > 0 || (more === 0 && candidate.term < best.term)) best = candidate;
      }
    return best;
  };
}

function frequency(index: TermIndex, id: number): number {
  return index.frequency[id] as number;
}
