import { expandWord, termOf } from "./expand-word.ts";
import { glyphWeight, pairKey, type TermIndex } from "./term-index.ts";
import { tokenize } from "./tokenize.ts";

/** What a pair of neighbouring words counts against a word. */
const pairWeight = 0.2;
/** What a corrected word counts. */
const typoWeight = 0.6;
/** Each further word of a query counts a little less: requests begin with what they are about. */
const fading = 0.02;
/** UTF-16 units of a query that count. */
const longestQuery = 4_000;

export interface QueryTerm {
  /** As people would recognise it, for explanations. */
  readonly word: string;
  /** Term number; -1 = in no document. */
  readonly id: number;
  readonly weight: number;
  /** Pairs, compounds and single characters add to a score, but are no match by themselves nor part of coverage. */
  readonly extra: boolean;
}

/** The distinct terms of a query in order of first appearance. Stop words are left out. */
export function queryTerms(
  query: string,
  index: TermIndex,
  correct: (term: string) => { readonly term: string; readonly id: number } | null,
): readonly QueryTerm[] {
  const found = new Map<string, QueryTerm>();
  let position = 0;
  const add = (key: string, word: string, id: number, weight: number, extra: boolean): void => {
    if (found.has(key)) return;
    found.set(key, { word, id, weight: weight / (1 + fading * position), extra });
    if (!extra) position++;
  };
  const addWord = (word: string): number => {
    const term = termOf(word);
    const id = index.ids.get(term);
    if (id !== undefined) {
      add(term, word, id, 1, false);
      return id;
    }
    const meant = correct(term);
    if (meant === null) add(term, word, -1, 1, false);
    else add(meant.term, meant.term, meant.id, typoWeight, false);
    return meant?.id ?? -1;
  };

  let previous: { readonly word: string; readonly id: number } | null = null;
  tokenize(query.slice(0, longestQuery), {
    gap: () => {
      previous = null;
    },
    word: (text, start, end) => {
      const [word, ...parts] = expandWord(text.slice(start, end));
      if (word === undefined) return;
      const id = addWord(word);
      const pair = previous === null || id < 0 ? undefined : index.pairs.get(pairKey(previous.id, id));
      if (pair !== undefined) {
        const both = `${previous?.word} ${word}`;
        add(both, both, pair, pairWeight, true);
      }
      previous = id < 0 ? null : { word, id };
      for (const part of parts) addWord(part);
    },
    whole: (term) => add(term, term, index.ids.get(term) ?? -1, 1, true),
    run: (characters) => {
      const list = Array.from(characters);
      const single = list.length === 1;
      for (const [place, character] of list.entries()) {
        add(character, character, index.ids.get(character) ?? -1, single ? 1 : glyphWeight, !single);
        const next = list[place + 1];
        if (next !== undefined)
          add(character + next, character + next, index.ids.get(character + next) ?? -1, 1, false);
      }
      previous = null;
    },
  });
  return [...found.values()];
}
