import { checkOptions } from "../check-options.ts";
import { bestDocuments } from "./best-documents.ts";
import { checkDocuments } from "./check-documents.ts";
import { createCloseMatch } from "./close-match.ts";
import { probability } from "./decide.ts";
import { evidenceOf } from "./evidence-of.ts";
import { describeMatch, explainMatch, type MatchDetail, type MatchParts } from "./explain-match.ts";
import { fieldFactors } from "./field-factors.ts";
import type { GlossTable } from "./gloss-table.ts";
import { glossTerms } from "./gloss-terms.ts";
import type { IndexData } from "./index-data.ts";
import { withTypesInWords } from "./mime-types.ts";
import { nameTable } from "./name-table.ts";
import { type Directness, exactName, mentionedName, namedSkills } from "./named-skills.ts";
import { isAmount, queryTerms } from "./query-terms.ts";
import { type RankingRules, rankingRules } from "./ranking-rules.ts";
import { withRefusedParts } from "./refused-parts.ts";
import { createScorer } from "./scorer.ts";
import type { SearchDocument } from "./search-fields.ts";
import { smallness } from "./smallness.ts";
import { buildIndexData, type StoredIndex } from "./stored-index.ts";
import { type TypoFinder, typoFinder } from "./typo.ts";

export type { MatchDetail } from "./explain-match.ts";
export type { SearchDocument, SearchField } from "./search-fields.ts";

export interface SearchOptions {
  /** At most this many results; default all. */
  readonly limit?: number;
  /** Adds `explain` to each result. */
  readonly explain?: boolean;
}

export interface IndexOptions {
  readonly rules?: RankingRules;
  /**
   * Chinese and English words for one another; asked for when a query or a description needs it, or a word may be a typing
   * error. Null = there is none.
   */
  readonly gloss?: () => GlossTable | null;
  /** The number of the term that is meant by one that no document holds, or -1; default: the closest of the index. */
  readonly typo?: TypoFinder;
}

export interface SearchResult {
  readonly name: string;
  readonly location: string;
  /** 0 to 1, comparable within one query only; 1 = the query is the name. Four decimals. */
  readonly score: number;
  /**
   * How likely this is the skill that is wanted, 0 to 1, four decimals; never larger than that of a hit before it, unless
   * that one is named and not asked for ("not x", "what does x do").
   */
  readonly probability: number;
  /** One phrase for people. */
  readonly reason: string;
  /** Heaviest first. */
  readonly explain?: readonly MatchDetail[];
}

export interface SearchIndex {
  /** Number of documents. */
  readonly size: number;
  search(query: string, options?: SearchOptions): readonly SearchResult[];
}

const han = /\p{Script=Han}/u;

/** Scores of skills that are only matched by words stay below those that are named. */
const wordsCeiling = 0.9;
/** Documents whose order of words and spelling are compared. */
const closelyRead = 64;

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/**
 * A lexical index over skills (profile `skillet`, case s-rank): BM25F over names, aliases, localized texts,
 * descriptions, use, example requests, headings and body, with neighbouring words, letters in common, coverage of the
 * query, and one typing error a word. Skills that are asked for by name come first, then score decides, then name, then
 * location; the same list on every run and machine. An empty query gives all documents as given with score 0; a query
 * that shares no real word with any document gives none. Building is linear in the text. Throws `SkilletError` "usage" for
 * documents of another shape.
 */
export function createSearchIndex(
  documents: Iterable<SearchDocument>,
  options: IndexOptions = {},
): SearchIndex {
  return searchStored(buildIndexData(checkDocuments(documents)), options);
}

/** The same over an index that was built before. */
export function searchStored(stored: StoredIndex, options: IndexOptions = {}): SearchIndex {
  const rules = options.rules ?? rankingRules;
  const { gloss } = options;
  const { names, locations, aliases } = stored;
  const data: IndexData = stored.data;
  const { size } = names;
  const population = data.whole?.size ?? size;
  const factors = fieldFactors(data, rules);
  const score = createScorer(data, { rules, factors });
  const compare = createCloseMatch(data, { rules, closelyRead });
  const small = smallness(population);
  const typo = options.typo ?? typoFinder(data.vocabulary.terms, data.postings.metadataFrequency);
  const english = (word: string, term: string): boolean => gloss?.()?.english(word, term) ?? false;
  const { metadataFrequency } = data.postings;
  const most = Math.max(1, Math.floor(population / 500));
  const rare = (key: string): boolean => {
    const id = data.vocabulary.terms.find(key);
    return id < 0 || (metadataFrequency[id] as number) <= most;
  };
  const named = namedSkills(nameTable(stored.nameSlots, names, aliases), rare);

  return {
    size,
    search: (query, options = {}) => {
      checkOptions("search", options, { limit: "number", explain: "flag" });
      const limit = Math.min(options.limit ?? size, size);
      if (query.trim() === "")
        return Array.from({ length: limit }, (_, number) => ({
          name: names.text(number),
          location: locations.text(number),
          score: 0,
          probability: 0,
          reason: "no request given",
        }));

      const table = gloss !== undefined && (data.hanDescriptions || han.test(query)) ? gloss() : null;
      const { naming: told, wanted: rest, refusedWords } = named(query);
      const wanted = withTypesInWords(rest);
      const literal = queryTerms(wanted, data, { rules, typo, english, translated: table !== null });
      const terms =
        table === null ? literal : [...literal, ...glossTerms(wanted, data, { rules, table, literal })];
      const scores = score(terms, {
        best: Math.max(limit, closelyRead),
        kept: told.keys(),
      });
      const { scoreOf, coverageOf, touched, count } = scores;
      let totals: ReadonlyMap<number, number> = new Map();
      const totalOf = (document: number): number => totals.get(document) ?? scoreOf(document);
      const before = (a: number, b: number): boolean => {
        const left = totalOf(a);
        const right = totalOf(b);
        if (left !== right) return left > right;
        return (names.compare(a, b) || locations.compare(a, b) || a - b) < 0;
      };
      const ranked = bestDocuments(touched, count, { limit: Math.max(limit, closelyRead), scoreOf, before });

      const close = ranked.slice(0, closelyRead);
      const near = new Set(close);
      for (const [document] of told) if (!near.has(document)) close.push(document);
      const naming = withRefusedParts(told, close, { refusedWords, names });
      const matches = compare(close, { terms, literal, scores, naming });
      totals = matches.totals;
      const { parts, most } = matches;
      const directnessOf = (document: number): Directness => naming.get(document)?.directness ?? 0;
      const isHit = (document: number): boolean => directnessOf(document) > 0 || totalOf(document) > 0;
      const inOrder = (a: number, b: number): number =>
        directnessOf(b) - directnessOf(a) || (before(a, b) ? -1 : 1);
      // A skill that is only told not to be meant stands where its score puts it.
      const isFirst = (document: number): boolean => near.has(document) || directnessOf(document) > 0;
      const first = close.filter((document) => isHit(document) && isFirst(document));
      const chosen = new Set(close);
      const others = [
        ...close.filter((document) => isHit(document) && !isFirst(document)),
        ...ranked.slice(closelyRead).filter((document) => !chosen.has(document)),
      ];
      const hits = [...first.sort(inOrder), ...others.sort(inOrder)];

      const words = new Set(terms.filter(({ extra, gloss }) => gloss || !extra).map(({ word }) => word));
      const shareOf = (document: number): number => (most === 0 ? 0 : totalOf(document) / most);
      const leadOver = (document: number, rival: number | undefined): number => {
        if (rival === undefined) return 1;
        const ahead = directnessOf(document) - directnessOf(rival);
        if (ahead !== 0) return Math.sign(ahead);
        const larger = Math.max(totalOf(document), totalOf(rival));
        return larger === 0 ? 0 : (totalOf(document) - totalOf(rival)) / larger;
      };
      const said = literal.filter(({ extra, word }) => !extra && !isAmount(word)).length;
      // A hit is at most as likely as those before it, unless it stands behind a name that is not asked for.
      let ceiling = 1;
      return hits.slice(0, limit).map((document, place) => {
        const directness = directnessOf(document);
        const share = shareOf(document);
        const part = parts.get(document) ?? withoutParts(document, coverageOf(document));
        const details = explainMatch(terms, part, { data, rules, factors });
        const lead = leadOver(document, hits[place === 0 ? 1 : 0]);
        const wish = naming.get(document)?.wish ?? "wanted";
        const likely = probability({
          ...evidenceOf(part, details),
          directness,
          wish,
          lead,
          secondLead: place === 0 ? leadOver(document, hits[2]) : lead,
          total: totalOf(document),
          terms: said,
          small,
        });
        const shown = Math.min(ceiling, likely);
        if (wish === "wanted") ceiling = shown;
        return {
          name: names.text(document),
          location: locations.text(document),
          score: rounded(shownScore(directness, share)),
          probability: rounded(shown),
          reason:
            directness === 0
              ? describeMatch(details, words)
              : directness === exactName
                ? "asked for by name"
                : "named in the request",
          ...(options.explain ? { explain: details } : {}),
        };
      });
    },
  };
}

function shownScore(directness: Directness, share: number): number {
  if (directness === exactName) return 1;
  return directness === mentionedName ? wordsCeiling + (1 - wordsCeiling) * share : wordsCeiling * share;
}

function withoutParts(document: number, coverage: number): MatchParts {
  return { document, coverage, reading: null, name: 0, spelling: 0, passing: 0, telling: [] };
}
