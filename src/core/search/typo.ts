import { termOf } from "./expand-word.ts";
import type { TermTable } from "./term-table.ts";
import { withinOneEdit } from "./within-one-edit.ts";

/** Shorter words have too many neighbours. */
const shortestWord = 5;
const longestWord = 40;
const letters = /^\p{L}+$/u;

/** Endings of English that stemming takes away: a mistake in one of them hides the word. */
const endings = [
  "ation",
  "ations",
  "ition",
  "ment",
  "ments",
  "ing",
  "ings",
  "ion",
  "ions",
  "able",
  "ness",
  "ities",
];

/** Such terms (numbered names, mostly) are more than one edit from a word of letters alone. */
function severalDigits({ units, starts }: TermTable, id: number): boolean {
  let digits = 0;
  const end = starts[id + 1] as number;
  for (let at = starts[id] as number; at < end; at++) {
    const unit = units[at] as number;
    if (unit >= 0x30 && unit <= 0x39) digits++;
  }
  return digits > 1;
}

/** The number of the term that is meant by one that no document holds, or -1; `word` is what was written, in lower case. */
export type TypoFinder = (term: string, word: string) => number;

/**
 * Finds the term meant by a word that no document holds: the most frequent one within one edit among names, aliases and
 * descriptions. A term that is close to the word as it was written goes before those that are close to its stem: an error
 * near the end misleads stemming ("frontned" is "frontend", not "front"). One edit leaves the first or the last letter, so only
 * terms that share one of them are compared; the lists are made on the first call.
 */
export function typoFinder(terms: TermTable, metadataFrequency: Uint32Array): TypoFinder {
  let lists: Map<string, number[]> | null = null;

  const prepare = (): Map<string, number[]> => {
    const found = new Map<string, number[]>();
    const put = (key: string, id: number): void => {
      const list = found.get(key);
      if (list === undefined) found.set(key, [id]);
      else list.push(id);
    };
    for (let id = 0; id < metadataFrequency.length; id++) {
      if (metadataFrequency[id] === 0) continue;
      const length = terms.length(id);
      if (length < shortestWord - 1 || length > longestWord || severalDigits(terms, id)) continue;
      const start = terms.starts[id] as number;
      put(`${length}^${terms.units[start]}`, id);
      put(`${length}$${terms.units[start + length - 1]}`, id);
    }
    return found;
  };

  return (term, word) => {
    const written = word === term ? -1 : closest(word);
    if (written >= 0) return written;
    const stemmed = closest(term);
    return stemmed >= 0 ? stemmed : withMendedEnding(term);
  };

  /** The most frequent term within one edit, or -1. */
  function closest(term: string): number {
    if (term.length < shortestWord || term.length > longestWord || !letters.test(term)) return -1;
    lists ??= prepare();
    let best = -1;
    let bestText = "";
    for (let length = term.length - 1; length <= term.length + 1; length++)
      for (const key of [`${length}^${term.charCodeAt(0)}`, `${length}$${term.charCodeAt(term.length - 1)}`])
        for (const id of lists.get(key) ?? []) {
          const more =
            (metadataFrequency[id] as number) - (best < 0 ? 0 : (metadataFrequency[best] as number));
          if (best >= 0 && more < 0) continue;
          const text = terms.text(id);
          if (!withinOneEdit(term, text)) continue;
          if (best < 0 || more > 0 || text < bestText) {
            best = id;
            bestText = text;
          }
        }
    return best;
  }

  /** The term of the word that `term` is with one of its endings mended. */
  function withMendedEnding(term: string): number {
    if (term.length > longestWord || !letters.test(term)) return -1;
    for (let at = shortestWord; at < term.length - 1; at++)
      for (const ending of endings) {
        if (!withinOneEdit(term.slice(at), ending)) continue;
        const id = terms.find(termOf(term.slice(0, at) + ending));
        if (id >= 0 && (metadataFrequency[id] as number) > 0) return id;
      }
    return -1;
  }
}
