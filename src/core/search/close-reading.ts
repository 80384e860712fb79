import { ByteReader } from "./byte-arena.ts";
import type { IndexData } from "./index-data.ts";
import { Passage } from "./passage.ts";
import type { QueryTerm } from "./query-terms.ts";
import type { RankingRules } from "./ranking-rules.ts";
import { gapEntry, wordEntry } from "./record-writer.ts";
import { exampleField, exclusionField, metadataFields, namingFields } from "./search-fields.ts";
import { smallness } from "./smallness.ts";

/** Two neighbouring words of a query that a document has together. */
export interface PhraseMatch {
  readonly first: number;
  readonly second: number;
  readonly field: number;
  readonly weight: number;
}

/** How a query stands in one document's names, descriptions and example requests. */
export interface CloseReading {
  readonly phrases: readonly PhraseMatch[];
  /** All words of a name of several words occur in the query. */
  readonly wholeName: boolean;
  /**
   * Largest share of the query's weight that stands in one passage about as long as the query, 0 to 1. This, `own` and
   * `named` are only found out in sets that are not large (`smallness`), where they count.
   */
  readonly together: number;
  /** Some of the query occurs in what the skill says of itself; example requests are left out. */
  readonly own: boolean;
  /** The query's terms that occur in the name or an alias, as places in its list. */
  readonly named: readonly number[];
  /** Share of the name's words that the query holds, translations included; 1 where it holds one of an alias. */
  readonly nameShare: number;
}

/** A passage has two words for each of the query, and a few more. */
const spareWords = 4;
/** Parts fields: further than any passage is long. */
const fieldGap = 1_000;

/** Notes which terms of the index stand for which term of a query. */
class NotedTerms {
  terms: readonly QueryTerm[] = [];
  total = 0;
  /** Words that a passage may have. */
  span = 0;
  /** By term of the index, plus 1: the query's term that is written so. */
  readonly written: Uint16Array;
  /** By term of the index, plus 1: the query's term that counts for coverage and means it. */
  readonly meant: Uint16Array;

  constructor(size: number) {
    this.written = new Uint16Array(size);
    this.meant = new Uint16Array(size);
  }

  note(terms: readonly QueryTerm[], places: boolean): void {
    for (const { readings } of this.terms) {
      const id = readings[0]?.id;
      if (id !== undefined) this.written[id] = 0;
      if (places) for (const { id } of readings) this.meant[id] = 0;
    }
    this.terms = terms;
    this.total = 0;
    let words = 0;
    for (const [place, { extra, gloss, readings, weight }] of terms.entries()) {
      if (extra) continue;
      this.total += weight;
      words++;
      const id = readings[0]?.id;
      if (!gloss && id !== undefined && this.written[id] === 0) this.written[id] = place + 1;
      if (!places) continue;
      for (const { id } of readings) if (this.meant[id] === 0) this.meant[id] = place + 1;
    }
    this.span = 2 * words + spareWords;
  }
}

const none: readonly number[] = [];

/** Reads the record of a document that is close to a query once, for all that the order and the place of words tell. */
export function createCloseReading(
  data: IndexData,
  rules: RankingRules,
): (document: number, terms: readonly QueryTerm[]) => CloseReading {
  const reader = new ByteReader();
  const noted = new NotedTerms(data.vocabulary.terms.size);
  const { written, meant } = noted;
  const places = smallness(data.whole?.size ?? data.postings.size) > 0;
  return (document, terms) => {
    if (terms !== noted.terms) noted.note(terms, places);
    reader.open(data.arena, data.offsets[document] as number);
    const phrases = new Map<number, PhraseMatch>();
    let nameWords = 0;
    let nameWordsMet = 0;
    let nameWordsMeant = 0;
    let nameShare = 0;
    const passage = places ? new Passage(noted.span) : null;
    let own = false;
    let named: Set<number> | null = null;
    let position = 0;
    for (let field = 0; field < metadataFields; field++) {
      const entries = reader.next();
      const fieldWeight = Math.min(1, rules.fieldWeights[field] as number);
      let previous = -1;
      position += fieldGap;
      for (let at = 0; at < entries; at++) {
        const entry = reader.next();
        if (entry === gapEntry) {
          previous = -1;
          continue;
        }
        if ((entry & 3) !== wordEntry) continue;
        position++;
        const met = passage === null ? -1 : (meant[entry >>> 2] as number) - 1;
        if (passage !== null && met >= 0 && field !== exclusionField) {
          passage.meet(met, { weight: (terms[met] as QueryTerm).weight, place: position });
          if (field < exampleField) own = true;
          if (field < namingFields) {
            named ??= new Set();
            named.add(met);
            if (field > 0) nameShare = 1;
            else nameWordsMeant++;
          }
        }
        const index = (written[entry >>> 2] as number) - 1;
        if (field === 0) {
          nameWords++;
          if (index >= 0) nameWordsMet++;
        }
        if (index >= 0 && previous >= 0) {
          const left = terms[previous] as QueryTerm;
          const right = terms[index] as QueryTerm;
          if (right.place - left.place === 1) {
            const share = rules.phraseWeight * fieldWeight * (rules.saturation + 1);
            const weight = share * Math.min(left.weight, right.weight);
            const key = previous * terms.length + index;
            if (weight > (phrases.get(key)?.weight ?? 0))
              phrases.set(key, { first: previous, second: index, field, weight });
          }
        }
        previous = index;
      }
    }
    return {
      phrases: [...phrases.values()],
      wholeName: nameWords > 1 && nameWordsMet === nameWords,
      together: passage === null || noted.total === 0 ? 0 : Math.min(1, passage.best / noted.total),
      own,
      named: named === null ? none : [...named],
      nameShare: Math.max(nameShare, nameWords === 0 ? 0 : nameWordsMeant / nameWords),
    };
  };
}
