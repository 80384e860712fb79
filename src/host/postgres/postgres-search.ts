import { checkOptions } from "../../core/check-options.ts";
import { rankingRules } from "../../core/search/ranking-rules.ts";
import type {
  IndexOptions,
  SearchDocument,
  SearchOptions,
  SearchResult,
} from "../../core/search/search-index.ts";
import { searchCandidates } from "./candidate-search.ts";
import type { CorpusTotals } from "./corpus-totals.ts";
import { fillTables, type TotalsRow, totalsFrom } from "./fill-tables.ts";
import { type KnownTerm, termsAsked, weighedTerms } from "./query-lexicon.ts";
import { lexeme } from "./search-vector.ts";

/** What is needed of a client of the package `pg`. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

export interface PostgresSearch {
  /** Puts these skills in the place of all that were there. */
  replace(documents: Iterable<SearchDocument>): Promise<void>;
  /** The same request and the same form of answer as a search in the process. */
  search(query: string, options?: SearchOptions): Promise<readonly SearchResult[]>;
}

/** Skills that the engine gives for a closer look. */
const candidates = 200;
/** Connects by the package `pg`, which is loaded here. The caller ends the client. */
export async function connectPostgres(
  connectionString: string,
): Promise<PostgresClient & { end(): Promise<void> }> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

/** What `ts_rank` gives for a field's weight, against what the field counts in Skillet's own ranking. */
const rankWeights = "{0.1,0.1,0.5,1.0}";
const rankScale = 5;

const han = /\p{Script=Han}/u;

/**
 * Search for more skills than one process should hold: PostgreSQL's full text finds candidates by Skillet's own terms and
 * rarity, in the fields' weights; order, probability and explanation are then made here, by what is kept of all skills, as
 * for skills in the process. `schema` is made on the first `replace`.
 */
export function createPostgresSearch(
  client: PostgresClient,
  options: { readonly schema?: string; readonly index?: IndexOptions } = {},
): PostgresSearch {
  const schema = `"${(options.schema ?? "skillet").replaceAll('"', '""')}"`;
  const index = options.index ?? {};
  const rules = index.rules ?? rankingRules;
  let kept: { readonly version: string; readonly totals: CorpusTotals } | null = null;

  const totalsOf = async (): Promise<CorpusTotals> => {
    const [row] = (await client.query(`select version from ${schema}.totals`)).rows as { version: string }[];
    if (row === undefined || kept?.version !== row.version) {
      const [full] = (await client.query(`select * from ${schema}.totals`)).rows as TotalsRow[];
      if (full === undefined) throw new Error("No skills were ever put there.");
      kept = { version: full.version, totals: totalsFrom(full) };
    }
    return kept.totals;
  };
  const neighbours = async (terms: readonly string[]): Promise<readonly KnownTerm[]> =>
    terms.length === 0
      ? []
      : ((
          await client.query(
            `select distinct w.word, w.ndoc, w.mdoc from unnest($1::text[]) as t(term) join ${schema}.words w
             on w.mdoc > 0 and length(w.word) between length(t.term) - 1 and length(t.term) + 1
             and (left(w.word, 1) = left(t.term, 1) or right(w.word, 1) = right(t.term, 1))`,
            [terms],
          )
        ).rows as KnownTerm[]);

  const english = (word: string, term: string): boolean => index.gloss?.()?.english(word, term) ?? false;

  return {
    replace: async (documents) => {
      await client.query("begin");
      try {
        await fillTables(client, schema, documents);
        await client.query("commit");
      } catch (error) {
        await client.query("rollback");
        throw error;
      }
    },
    search: async (query, request = {}) => {
      checkOptions("search", request, { limit: "number", explain: "flag" });
      const totals = await totalsOf();
      const table =
        index.gloss !== undefined && (totals.hanDescriptions || han.test(query)) ? index.gloss() : null;
      const asking = { query, table, english, rules, totals };
      const { asked, doubted } = termsAsked(asking);
      const known = (
        await client.query(`select word, ndoc, mdoc from ${schema}.words where word = any($1)`, [[...asked]])
      ).rows as KnownTerm[];
      const words = new Map(known.map((one) => [one.word, one]));
      for (const one of await neighbours(
        [...doubted].filter(([term]) => !words.has(term)).flatMap((spellings) => [...new Set(spellings)]),
      ))
        words.set(one.word, one);
      const lexicon = weighedTerms(asking, [...words.values()]);
      const wanted = lexicon.terms.flatMap(({ readings, weight, extra, gloss }) =>
        readings.map(({ id, weight: likeness }) => ({
          term: lexeme(lexicon.text(id)) + (gloss ? ":ABC" : ""),
          weight: weight * likeness,
          cover: extra ? 0 : weight * likeness,
        })),
      );
      if (wanted.length === 0) return [];
      const total = lexicon.terms.reduce((sum, { extra, weight }) => sum + (extra ? 0 : weight), 0);
      const { saturation, coverageShare } = rules;
      const found = await client.query(
        `select s.document from (
           select number, sum(weight * ${saturation + 1} * amount / (amount + ${saturation}))
             * (${1 - coverageShare} + ${coverageShare} * least(1, sum(cover) / $4)) as score
           from (select k.number, q.weight, q.cover, ${rankScale} * ts_rank('${rankWeights}', k.terms, q.term::tsquery) as amount
             from unnest($1::text[], $2::float8[], $3::float8[]) as q(term, weight, cover)
             join ${schema}.skills k on k.terms @@ q.term::tsquery) as met
           group by number order by score desc, number limit ${candidates}) as best
         join ${schema}.skills s using (number) order by best.score desc, number`,
        [
          wanted.map(({ term }) => term),
          wanted.map(({ weight }) => weight),
          wanted.map(({ cover }) => cover),
          Math.max(total, Number.MIN_VALUE),
        ],
      );
      const rows = found.rows as { readonly document: SearchDocument }[];
      return searchCandidates(
        rows.map(({ document }) => document),
        { query, request, index, totals, known: words, mended: lexicon.mended },
      );
    },
  };
}
