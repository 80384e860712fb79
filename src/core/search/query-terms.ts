import { expandWord, termOf } from "./expand-word.ts";
import { meaningfulPieces } from "./han-stop-words.ts";
import type { IndexData } from "./index-data.ts";
import type { RankingRules } from "./ranking-rules.ts";
import { rarity } from "./rarity.ts";
import { requestTerms } from "./request-words.ts";
import { simplify } from "./simplify.ts";
import { tokenize } from "./tokenize.ts";
import type { TypoFinder } from "./typo.ts";

/** UTF-16 units of a query that count. */
const longestQuery = 4_000;

/** One term of the index that stands for a query term, and what it counts against the term itself. */
export interface Reading {
  readonly id: number;
  readonly weight: number;
}

export interface QueryTerm {
  /** As it is indexed. */
  readonly term: string;
  /** As people would recognise it, for explanations. */
  readonly word: string;
  /** The term itself or, where no document holds it, what is close to it; none = nothing is. */
  readonly readings: readonly Reading[];
  /** Rarity times the term's own weight. */
  readonly weight: number;
  /** Single characters and compounds add to a score, but are no match by themselves nor part of coverage. */
  readonly extra: boolean;
  /** Place in the query; words next to each other differ by one. */
  readonly place: number;
  /** A translation: the best reading counts, not all of them, and only in names and descriptions. */
  readonly gloss: boolean;
}

/** Longer terms that differ by one letter are kin ("astrology", "strology"), not alike by chance as "paint" and "print". */
const longestChance = 7;

/** A number of up to three digits: mostly an amount, rarely a subject. */
export function isAmount(word: string): boolean {
  return /^\p{Nd}{1,3}$/u.test(word);
}

/** After a word of a file's name. Endings of program texts are left out: names of such files say what they are about. */
const fileEnding =
  /[-_\p{L}\p{N}]{0,60}\.(?:pdf|docx?|xlsx?|csv|tsv|pptx?|od[tsp]|rtf|txt|png|jpe?g|gif|svg|webp|mp3|mp4|wav|mov|zip|parquet|sqlite|epub)(?![\p{L}\p{N}])/uy;

/** The distinct terms of a query in order of first appearance. Stop words are left out. */
export function queryTerms(
  query: string,
  data: IndexData,
  options: {
    readonly rules: RankingRules;
    readonly typo: TypoFinder;
    /** Whether a word in lower case, with its term, is one of English: it is no typing error. */
    readonly english?: (word: string, term: string) => boolean;
    readonly translated: boolean;
  },
): readonly QueryTerm[] {
  const { rules, typo, english, translated } = options;
  const { terms } = data.vocabulary;
  const { frequency } = data.postings;
  const size = data.whole?.size ?? data.postings.size;
  const found = new Map<string, QueryTerm>();
  let place = 0;
  let counted = 0;
  let fileName = false;
  const dotted = query.includes(".");

  const exact = (term: string): readonly Reading[] => {
    const id = terms.find(term);
    return id < 0 || (frequency[id] ?? 0) === 0 ? [] : [{ id, weight: 1 }];
  };
  const add = (
    key: string,
    term: {
      readonly term?: string;
      readonly word: string;
      readonly readings: readonly Reading[];
      readonly weight: number;
      readonly extra: boolean;
    },
  ): void => {
    if (found.has(key)) return;
    const id = term.readings[0]?.id;
    const rare = rarity(size, id === undefined ? 0 : (frequency[id] as number));
    found.set(key, {
      term: key,
      ...term,
      weight: (term.weight * rare) / (1 + rules.fading * counted),
      place,
      gloss: false,
    });
    if (!term.extra) counted++;
  };
  const addWord = (word: string, weight: number): void => {
    const term = termOf(word);
    const readings = exact(term);
    const meant = readings.length > 0 ? -1 : typo(term, word);
    if (meant < 0 || (term.length <= longestChance && english?.(word, term) === true))
      add(term, { word, readings, weight, extra: false });
    else
      add(term, {
        term: terms.text(meant),
        word: `${word} ~ ${terms.text(meant)}`,
        readings: [{ id: meant, weight: rules.typoWeight }],
        weight,
        extra: false,
      });
  };

  const weightOf = (word: string, named: boolean): number => {
    if (isAmount(word)) return rules.numberWeight;
    const kind = requestTerms.has(termOf(word)) ? rules.requestWeight : 1;
    return named ? Math.min(kind, rules.fileNameWeight) : kind;
  };

  /** Pairs of neighbouring characters, and single ones beside them. */
  const addPiece = (list: readonly string[]): void => {
    const alone = list.length === 1;
    place += 2;
    for (const [index, character] of list.entries()) {
      const next = list[index + 1];
      place++;
      if (next !== undefined) {
        const pair = character + next;
        const readings = exact(pair);
        // What only its translation can find must not count as missed.
        add(pair, { word: pair, readings, weight: 1, extra: translated && readings.length === 0 });
      }
      add(character, {
        word: character,
        readings: exact(character),
        weight: alone ? 1 : rules.glyphWeight,
        extra: !alone,
      });
    }
    place += 2;
  };

  tokenize(query.slice(0, longestQuery), {
    gap: () => {
      place += 2;
    },
    word: ({ text }, start, end) => {
      const [word, ...parts] = expandWord(text.slice(start, end));
      if (word === undefined) return;
      place++;
      fileEnding.lastIndex = end;
      const inFileName = dotted && fileEnding.test(text);
      const isEnding = fileName && text[start - 1] === ".";
      fileName = inFileName;
      addWord(word, isEnding ? rules.endingWeight : weightOf(word, inFileName));
      for (const part of parts) addWord(part, rules.sideWeight);
    },
    whole: (term) =>
      add(`=${term}`, { word: term, readings: exact(term), weight: rules.sideWeight, extra: true }),
    run: (characters) => {
      for (const piece of meaningfulPieces(simplify(characters))) addPiece(Array.from(piece));
    },
  });
  return [...found.values()];
}
