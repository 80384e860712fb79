import { termOf } from "./expand-word.ts";
import { hanStopWords } from "./han-stop-words.ts";
import { stopWords } from "./stop-words.ts";

/** Chinese words with what they mean in English, both ways. */
export interface GlossTable {
  /** The words of a run of (simplified) Han, longest first from the left; what is no known word is left out. */
  words(run: string): readonly GlossWord[];
  /** Chinese words for an English term as it is indexed, the likeliest first. */
  chinese(term: string): readonly string[];
  /** Whether an English word in lower case, or its term, occurs in several meanings. */
  english(word: string, term: string): boolean;
}

export interface GlossWord {
  readonly word: string;
  /** Groups of English words that each stand for it, the likeliest first. */
  readonly meanings: readonly (readonly string[])[];
}

const longestWord = 4;
/** Words that are looked for in the text before all of them are collected, which takes as long as some hundred of them. */
const mostSearched = 64;
/** Chinese words kept for one English term. */
const keptWords = 8;

/** Reads lines `word TAB meaning,meaning`; see scripts/gloss-table.mjs. Lines are told apart on first use, which takes some tens of milliseconds. */
export function readGlossTable(text: string): GlossTable {
  let known: ReadonlyMap<string, string> | null = null;
  const lines = (): ReadonlyMap<string, string> => {
    known ??= linesOf(text);
    return known;
  };
  let words: ReadonlySet<string> | null = null;
  let searched = 0;
  let reverse: Map<string, string[]> | null = null;

  const meaningsOf = (word: string): readonly (readonly string[])[] =>
    (lines().get(word) ?? "").split(",").map((meaning) => meaning.split(" "));

  /** First meanings first, then second ones, and so on. */
  const turnRound = (): Map<string, string[]> => {
    const found = new Map<string, string[]>();
    for (let rank = 0; rank < 3; rank++)
      for (const [word, line] of lines()) {
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
          if (!lines().has(word)) continue;
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
    english: (word, term) => {
      if (words === null && searched++ >= mostSearched) words = repeatedWords(text);
      const known = (one: string): boolean => words?.has(one) ?? occursTwice(text, one);
      return known(word) || (term !== word && known(term));
    },
  };
}

function linesOf(text: string): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  for (let at = 0; at < text.length; ) {
    let end = text.indexOf("\n", at);
    if (end < 0) end = text.length;
    const tab = text.indexOf("\t", at);
    if (tab > at && tab < end) lines.set(text.slice(at, tab), text.slice(tab + 1, end));
    at = end + 1;
  }
  return lines;
}

/** Whether a word stands in a text as a word of its own two times or more; one place alone may be an oddity. */
function occursTwice(text: string, word: string): boolean {
  let seen = 0;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (isLetter(text.charCodeAt(at - 1)) || isLetter(text.charCodeAt(at + word.length))) continue;
    seen++;
    if (seen === 2) return true;
  }
  return false;
}

/** All for which `occursTwice` holds. */
function repeatedWords(text: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const [word] of text.matchAll(/[a-z]+/g))
    if (seen.has(word)) repeated.add(word);
    else seen.add(word);
  return repeated;
}

function isLetter(unit: number): boolean {
  return unit >= 0x61 && unit <= 0x7a;
}
