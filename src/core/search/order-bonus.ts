import { ByteReader } from "./byte-arena.ts";
import type { IndexData } from "./index-data.ts";
import type { QueryTerm } from "./query-terms.ts";
import type { RankingRules } from "./ranking-rules.ts";
import { gapEntry, wordEntry } from "./record-writer.ts";
import { metadataFields } from "./search-fields.ts";

/** Two neighbouring words of a query that a document has together. */
export interface PhraseMatch {
  readonly first: number;
  readonly second: number;
  readonly field: number;
  readonly weight: number;
}

export interface OrderBonus {
  readonly phrases: readonly PhraseMatch[];
  /** All words of a name of several words occur in the query. */
  readonly wholeName: boolean;
}

/** What the order of words adds: neighbours of the query that stand together, and a name that is there whole. */
export function createOrderBonus(
  data: IndexData,
  rules: RankingRules,
): (document: number, terms: readonly QueryTerm[]) => OrderBonus {
  const reader = new ByteReader();
  /** By term of the index: its place among the query's terms, plus 1. */
  const places = new Uint16Array(data.vocabulary.terms.size);
  let noted: readonly QueryTerm[] = [];
  const note = (terms: readonly QueryTerm[]): void => {
    for (const { readings } of noted) if (readings[0] !== undefined) places[readings[0].id] = 0;
    noted = terms;
    for (const [index, { extra, gloss, readings }] of terms.entries()) {
      const id = readings[0]?.id;
      if (!gloss && !extra && id !== undefined && places[id] === 0) places[id] = index + 1;
    }
  };
  return (document, terms) => {
    if (terms !== noted) note(terms);
    reader.open(data.arena, data.offsets[document] as number);
    const found = new Map<number, PhraseMatch>();
    let named = 0;
    let nameWords = 0;
    for (let field = 0; field < metadataFields; field++) {
      const entries = reader.next();
      const fieldWeight = Math.min(1, rules.fieldWeights[field] as number);
      let previous = -1;
      for (let at = 0; at < entries; at++) {
        const entry = reader.next();
        if (entry === gapEntry) {
          previous = -1;
          continue;
        }
        if ((entry & 3) !== wordEntry) continue;
        const index = (places[entry >>> 2] as number) - 1;
        if (field === 0) {
          nameWords++;
          if (index >= 0) named++;
        }
        if (index >= 0 && previous >= 0) {
          const left = terms[previous] as QueryTerm;
          const right = terms[index] as QueryTerm;
          if (right.place - left.place === 1) {
            const share = rules.phraseWeight * fieldWeight * (rules.saturation + 1);
            const weight = share * Math.min(left.weight, right.weight);
            const key = previous * terms.length + index;
            if (weight > (found.get(key)?.weight ?? 0))
              found.set(key, { first: previous, second: index, field, weight });
          }
        }
        previous = index;
      }
    }
    return { phrases: [...found.values()], wholeName: nameWords > 1 && named === nameWords };
  };
}
