import { describeMatch, explainMatch, type MatchDetail } from "./explain-match.ts";
import { type Directness, exactName, mentionedName, namedSkills } from "./named-skills.ts";
import { probability } from "./probability.ts";
import { queryTerms } from "./query-terms.ts";
import { scoreDocuments } from "./score.ts";
import type { SearchDocument } from "./search-fields.ts";
import { buildTermIndex } from "./term-index.ts";
import { typoFinder } from "./typo.ts";

export type { MatchDetail } from "./explain-match.ts";
export type { SearchDocument, SearchField } from "./search-fields.ts";

export interface SearchOptions {
  /** At most this many results; default all. */
  readonly limit?: number;
  /** Adds `explain` to each result. */
  readonly explain?: boolean;
}

export interface SearchResult {
  readonly name: string;
  readonly location: string;
  /** 0 to 1, comparable within one query only; 1 = the query is the name. Four decimals. */
  readonly score: number;
  /** How likely this is the skill that is wanted, 0 to 1. Four decimals. */
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

/** Scores of skills that are only matched by words stay below those that are named. */
const wordsCeiling = 0.9;

interface Hit {
  readonly number: number;
  readonly directness: Directness;
  readonly raw: number;
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/**
 * A lexical index over skills (profile `skillet`, case s-rank): BM25F over name, aliases, localized texts,
 * description, use, headings and body, with pairs of neighbouring words, coverage of the query, and one typing error
 * a word. Skills that are asked for by name come first, then score decides, then name, then location; the same list
 * on every run and machine. An empty query gives all documents as given with score 0; a query that shares no real
 * word with any document gives none. Building is linear in the text.
 */
export function createSearchIndex(documents: readonly SearchDocument[]): SearchIndex {
  const index = buildTermIndex(documents);
  const correct = typoFinder(index);
  const named = namedSkills(documents);
  // Bodies are not needed any more; the index must not keep them.
  const skills = documents.map(({ name, location }) => ({ name, location }));

  const before = (a: Hit, b: Hit): boolean => {
    if (a.directness !== b.directness) return a.directness > b.directness;
    if (a.raw !== b.raw) return a.raw > b.raw;
    const left = skills[a.number] as (typeof skills)[number];
    const right = skills[b.number] as (typeof skills)[number];
    return left.name !== right.name ? left.name < right.name : left.location < right.location;
  };

  return {
    size: skills.length,
    search: (query, options = {}) => {
      const limit = options.limit ?? skills.length;
      if (query.trim() === "")
        return skills
          .slice(0, limit)
          .map((skill) => ({ ...skill, score: 0, probability: 0, reason: "no request given" }));

      const terms = queryTerms(query, index, correct);
      const directness = named(query);
      const { raw, coverage, ideal } = scoreDocuments(terms, index);
      // The runner-up is needed to judge the winner, whatever the limit.
      const hits = bestHits(Math.max(limit, 2), raw, directness, before);
      return hits.slice(0, limit).map((hit, place) => {
        const rival = hits[place === 0 ? 1 : 0];
        const share = ideal === 0 ? 0 : hit.raw / ideal;
        const details = explainMatch(terms, index, hit.number);
        const said = describeMatch(details);
        return {
          ...(skills[hit.number] as (typeof skills)[number]),
          score: rounded(scoreOf(hit.directness, share)),
          probability: rounded(
            probability({
              directness: hit.directness,
              share,
              coverage: coverage[hit.number] as number,
              margin: marginOf(hit, rival),
            }),
          ),
          reason:
            hit.directness === 0
              ? said
              : hit.directness === exactName
                ? "asked for by name"
                : "named in the request",
          ...(options.explain ? { explain: details } : {}),
        };
      });
    },
  };
}

function scoreOf(directness: Directness, share: number): number {
  if (directness === exactName) return 1;
  return directness === mentionedName ? wordsCeiling + (1 - wordsCeiling) * share : wordsCeiling * share;
}

/** How far ahead of its strongest rival a hit is, -1 to 1. */
function marginOf(hit: Hit, rival: Hit | undefined): number {
  if (rival === undefined) return 1;
  if (hit.directness !== rival.directness) return hit.directness > rival.directness ? 1 : -1;
  const most = Math.max(hit.raw, rival.raw);
  return most === 0 ? 0 : (hit.raw - rival.raw) / most;
}

/** The best `limit` hits in order, by insertion: limits are small and most documents fall out at once. */
function bestHits(
  limit: number,
  raw: Float64Array,
  directness: ReadonlyMap<number, Directness>,
  before: (a: Hit, b: Hit) => boolean,
): readonly Hit[] {
  const all: Hit[] = [];
  for (let number = 0; number < raw.length; number++) {
    const direct = directness.get(number) ?? 0;
    const score = raw[number] as number;
    if (score > 0 || direct > 0) all.push({ number, directness: direct, raw: score });
  }
  if (limit >= all.length / 8) return all.sort((a, b) => (before(a, b) ? -1 : 1)).slice(0, limit);
  const best: Hit[] = [];
  for (const hit of all) {
    const last = best.at(-1);
    if (best.length === limit && last !== undefined && !before(hit, last)) continue;
    let low = 0;
    let high = best.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (before(hit, best[middle] as Hit)) high = middle;
      else low = middle + 1;
    }
    best.splice(low, 0, hit);
    if (best.length > limit) best.pop();
  }
  return best;
}
