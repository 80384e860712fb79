import { termOf } from "./expand-word.ts";
import { hanStopWords } from "./han-stop-words.ts";
import { stopWords } from "./stop-words.ts";

/** Chinese words with what they mean in English, both ways. */
export interface GlossTable {
  /** The words of a run of (simplified) Han, longest first from the left; what is no known word is left out. */
  words(run: string): readonly GlossWord[];
  /** Chinese words for an English term as it is indexed, the likeliest first. */
  chinese(term: string): readonly string[];
}

export interface GlossWord {
  readonly word: string;
  /** Groups of English words that each stand for it, the likeliest first. */
  readonly meanings: readonly (readonly string[])[];
}

const longestWord = 4;
/** Chinese words kept for one English term. */
const keptWords = 8;

/** Reads lines `word TAB meaning,meaning`; see scripts/gloss-table.mjs. Takes some tens of milliseconds, so it is done once. */
export function readGlossTable(text: string): GlossTable {
  const lines = new Map<string, string>();
  for (let at = 0; at < text.length; ) {
    let end = text.indexOf("\n", at);
    if (end < 0) end = text.length;
    const tab = text.indexOf("\t", at);
    if (tab > at && tab < end) lines.set(text.slice(at, tab), text.slice(tab + 1, end));
    at = end + 1;
  }
  let reverse: Map<string, string[]> | null = null;

  const meaningsOf = (word: string): readonly (readonly string[])[] =>
    (lines.get(word) ?? "").split(",").map((meaning) => meaning.split(" "));

  /** First meanings first, then second ones, and so on. */
  const turnRound = (): Map<string, string[]> => {
    const found = new Map<string, string[]>();
    for (let rank = 0; rank < 3; rank++)
      for (const [word, line] of lines) {
        const meaning = line.split(",")[rank];
        if (meaning === undefined || meaning.includes(" ")) continue;
        const term = termOf(meaning);
        const list = found.get(term);
        if (list === undefined) found.set(term, [word]);
        else if (list.length < keptWords && !list.includes(word)) list.push(word);
      }
    return found;
  };

  return {
    words: (run) => {
      const characters = Array.from(run);
      const found: GlossWord[] = [];
      for (let at = 0; at < characters.length; ) {
        let length = Math.min(longestWord, characters.length - at);
        for (; length > 1; length--) {
          const word = characters.slice(at, at + length).join("");
          if (hanStopWords.has(word)) break;
          if (!lines.has(word)) continue;
          const meanings = meaningsOf(word).filter((words) => words.some((one) => !stopWords.has(one)));
          if (meanings.length > 0) found.push({ word, meanings });
          break;
        }
        at += Math.max(1, length);
      }
      return found;
    },
    chinese: (term) => {
      reverse ??= turnRound();
      return reverse.get(term) ?? [];
    },
  };
}
