import { expandWord, termOf } from "./expand-word.ts";
import type { GlossTable } from "./gloss-table.ts";
import type { IndexData } from "./index-data.ts";
import type { QueryTerm, Reading } from "./query-terms.ts";
import type { RankingRules } from "./ranking-rules.ts";
import { rarity } from "./rarity.ts";
import { simplify } from "./simplify.ts";
import { unknownStretches } from "./unknown-stretches.ts";

const han = /\p{Script=Han}{2,}/gu;
/** UTF-16 units of a query that count. */
const longestQuery = 4_000;
/** A meaning that is not the first one counts a little less. */
const laterMeaning = 0.85;
/** From English to Chinese a word has more meanings, most of them not meant. */
const backwards = 0.5;

/**
 * What the words of a query mean in the other language, as terms of their own: for each word the best of its readings
 * counts, in names and descriptions only; and what of it nobody understands, which counts as missed. Empty without a table or without words of the index.
 */
export function glossTerms(
  query: string,
  data: IndexData,
  options: {
    readonly rules: RankingRules;
    readonly table: GlossTable;
    readonly literal: readonly QueryTerm[];
  },
): readonly QueryTerm[] {
  const { rules, table, literal } = options;
  const { terms } = data.vocabulary;
  const { frequency, metadataFrequency } = data.postings;
  const size = data.whole?.size ?? data.postings.size;
  const known = (term: string): number => {
    const id = terms.find(term);
    return id >= 0 && (metadataFrequency[id] as number) > 0 ? id : -1;
  };
  const found = new Map<string, QueryTerm>();
  const add = (
    word: string,
    readings: readonly Reading[],
    options: { covers: boolean; place: number },
  ): void => {
    if (found.has(word) || (readings.length === 0 && !options.covers)) return;
    const rare =
      readings.length === 0
        ? rarity(size, 0) / rules.glossWeight
        : Math.max(
            ...readings.map(({ id, weight }) => weight * rarity(size, metadataFrequency[id] as number)),
          );
    const weight = (rules.glossWeight * rare) / (1 + rules.fading * found.size);
    found.set(word, {
      term: word,
      word,
      readings,
      weight,
      extra: !options.covers,
      place: options.place,
      gloss: true,
    });
  };

  let place = 100_000;
  for (const [run] of query.slice(0, longestQuery).matchAll(han))
    for (const { word, meanings } of table.words(simplify(run))) {
      const readings: Reading[] = [];
      for (const [rank, meaning] of meanings.entries())
        for (const part of meaning) {
          const [written] = expandWord(part);
          const id = written === undefined ? -1 : known(termOf(written));
          if (id >= 0 && !readings.some((one) => one.id === id))
            readings.push({ id, weight: laterMeaning ** rank / Math.sqrt(meaning.length) });
        }
      const pairs = Array.from(word);
      const literally = pairs.some(
        (character, index) => index > 0 && known(`${pairs[index - 1]}${character}`) >= 0,
      );
      const english = readings.map(({ id }) => terms.text(id)).slice(0, 3);
      // A word that nothing knows counts as missed.
      add(english.length === 0 ? word : `${word} ~ ${english.join(", ")}`, readings, {
        covers: !literally,
        place,
      });
      place += 2;
    }

  const pairKnown = (pair: string): boolean => {
    const id = terms.find(pair);
    return id >= 0 && (frequency[id] as number) > 0;
  };
  for (const stretch of unknownStretches(query.slice(0, longestQuery), { table, pairKnown })) {
    add(stretch, [], { covers: true, place });
    place += 2;
  }

  if (data.hanDescriptions)
    for (const { term, extra, word } of literal) {
      if (extra || !/^[a-z]+$/.test(term)) continue;
      const readings: Reading[] = [];
      for (const [rank, chinese] of table.chinese(term).entries()) {
        const characters = Array.from(chinese);
        for (let at = 1; at < characters.length; at++) {
          const id = known(`${characters[at - 1]}${characters[at]}`);
          if (id >= 0 && !readings.some((one) => one.id === id))
            readings.push({
              id,
              weight: (backwards * laterMeaning ** rank) / Math.sqrt(characters.length - 1),
            });
        }
      }
      add(`${word} ~ ${table.chinese(term).slice(0, 2).join(", ")}`, readings, { covers: false, place });
      place += 2;
    }
  return [...found.values()];
}
