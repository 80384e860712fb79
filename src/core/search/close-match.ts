import { type CloseReading, createCloseReading } from "./close-reading.ts";
import type { MatchParts } from "./explain-match.ts";
import type { IndexData } from "./index-data.ts";
import type { Naming } from "./named-skills.ts";
import type { QueryTerm } from "./query-terms.ts";
import type { RankingRules } from "./ranking-rules.ts";
import type { Scores } from "./scorer.ts";
import { createSpelling, type Spelling } from "./spelling.ts";
import { tellingNames } from "./telling-names.ts";
import { TermTable } from "./term-table.ts";

/** The documents that come first by words alone, compared more closely. */
export interface CloseMatches {
  /** By document. */
  readonly parts: ReadonlyMap<number, MatchParts>;
  /** By document: the sum of all that matches. */
  readonly totals: ReadonlyMap<number, number>;
  /** No total can be larger. */
  readonly most: number;
}

export interface CloseQuery {
  /** All terms; the written ones, without translations, are `literal`. */
  readonly terms: readonly QueryTerm[];
  readonly literal: readonly QueryTerm[];
  readonly scores: Scores;
  readonly naming: ReadonlyMap<number, Naming>;
}

const nothing: MatchParts["telling"] = [];

/** Adds to scores by words what neighbouring words, letters in common and names tell. */
export function createCloseMatch(
  data: IndexData,
  options: { readonly rules: RankingRules; readonly closelyRead: number },
): (documents: readonly number[], query: CloseQuery) => CloseMatches {
  const { rules, closelyRead } = options;
  const readClosely = createCloseReading(data, rules);
  let spelling: Spelling | null = null;
  return (documents, { terms, literal, scores, naming }) => {
    const { scoreOf, coverageOf, ideal } = scores;
    const own = new TermTable();
    for (const { term, extra } of literal) if (!extra) own.add(term);
    spelling ??= createSpelling(data);
    const letters = spelling;
    letters.open(own);
    const readings = new Map<number, CloseReading>();
    // Both read the same record: one after the other it is still at hand.
    const inCommon = documents.map((document) => {
      if (scoreOf(document) === 0) return 0;
      readings.set(document, readClosely(document, terms));
      return rules.spellingWeight * ideal * letters.share(document);
    });
    const telling = tellingNames(terms, readings.values(), { data, rules, among: closelyRead });
    const parts = new Map<number, MatchParts>();
    const totals = new Map<number, number>();
    for (const [place, document] of documents.entries()) {
      const reading = readings.get(document) ?? null;
      const part: MatchParts = {
        document,
        coverage: coverageOf(document),
        reading,
        name: reading?.wholeName === true ? rules.nameWeight * ideal : 0,
        spelling: inCommon[place] as number,
        passing: passingOf(naming.get(document), rules) * ideal,
        telling:
          reading === null || reading.named.length === 0
            ? nothing
            : reading.named.map((term) => [term, (telling[term] as number) * reading.nameShare] as const),
      };
      parts.set(document, part);
      let total = scoreOf(document) + part.name + part.spelling + part.passing;
      for (const { weight } of reading?.phrases ?? []) total += weight;
      for (const [, weight] of part.telling) total += weight;
      totals.set(document, naming.get(document)?.wish === "refused" ? total * rules.refusedWeight : total);
    }
    const { phraseWeight, nameWeight, spellingWeight } = rules;
    const passingWeight = Math.max(
      rules.passingWeight,
      ...[...naming.values()].map((one) => passingOf(one, rules)),
    );
    const most =
      ideal * (1 + phraseWeight + nameWeight + spellingWeight + passingWeight) +
      telling.reduce((sum, weight) => sum + weight, 0);
    return { parts, totals, most };
  };
}

/** What a name adds that stands in a query, but perhaps not as a wish, against the best possible score. */
function passingOf(naming: Naming | undefined, rules: RankingRules): number {
  if (naming?.passing !== true) return 0;
  return naming.ending === true ? rules.endingNameWeight : rules.passingWeight;
}
