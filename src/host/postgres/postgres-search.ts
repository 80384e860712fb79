import { checkOptions } from "../../core/check-options.ts";
import { expandWord, termOf } from "../../core/search/expand-word.ts";
import { meaningfulPieces } from "../../core/search/han-stop-words.ts";
import { withTypesInWords } from "../../core/search/mime-types.ts";
import { rarity } from "../../core/search/rarity.ts";
import {
  createSearchIndex,
  type IndexOptions,
  type SearchDocument,
  type SearchOptions,
  type SearchResult,
} from "../../core/search/search-index.ts";
import { simplify } from "../../core/search/simplify.ts";
import { tokenize } from "../../core/search/tokenize.ts";
import { lexeme, searchVector } from "./search-vector.ts";

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
/** Rows of one statement. */
const batch = 500;

/** Connects by the package `pg`, which is loaded here. The caller ends the client. */
export async function connectPostgres(
  connectionString: string,
): Promise<PostgresClient & { end(): Promise<void> }> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

/**
 * Search for more skills than one process should hold: PostgreSQL's full text finds candidates by Skillet's own terms and
 * rarity, in the fields' weights; order, probability and explanation are then made here, as for skills in the process.
 * `schema` is made on the first `replace`.
 */
export function createPostgresSearch(
  client: PostgresClient,
  options: { readonly schema?: string; readonly index?: IndexOptions } = {},
): PostgresSearch {
  const schema = `"${(options.schema ?? "skillet").replaceAll('"', '""')}"`;
  return {
    replace: async (documents) => {
      await client.query("begin");
      try {
        await client.query(`drop schema if exists ${schema} cascade`);
        await client.query(`create schema ${schema}`);
        await client.query(
          `create table ${schema}.skills (number integer primary key, document jsonb not null, terms tsvector not null)`,
        );
        let number = 0;
        let rows: (readonly [number, string, string])[] = [];
        const flush = async (): Promise<void> => {
          if (rows.length === 0) return;
          await client.query(
            `insert into ${schema}.skills select n, d::jsonb, t::tsvector from unnest($1::int[], $2::text[], $3::text[]) as r(n, d, t)`,
            [rows.map(([n]) => n), rows.map(([, d]) => d), rows.map(([, , t]) => t)],
          );
          rows = [];
        };
        for (const document of documents) {
          rows.push([number++, storable(document), searchVector(document)]);
          if (rows.length === batch) await flush();
        }
        await flush();
        await client.query(`create index on ${schema}.skills using gin (terms)`);
        await client.query(
          `create table ${schema}.words as select word, ndoc from ts_stat('select terms from ${schema.replaceAll("'", "''")}.skills')`,
        );
        await client.query(`create unique index on ${schema}.words (word)`);
        await client.query(
          `create table ${schema}.size as select count(*)::int as size from ${schema}.skills`,
        );
        await client.query("commit");
      } catch (error) {
        await client.query("rollback");
        throw error;
      }
    },
    search: async (query, request = {}) => {
      checkOptions("search", request, { limit: "number", explain: "flag" });
      const terms = termsOf(query);
      const known = await client.query(
        `select word, ndoc, size from ${schema}.words, ${schema}.size where word = any($1)`,
        [terms],
      );
      const words = known.rows as { readonly word: string; readonly ndoc: number; readonly size: number }[];
      if (words.length === 0) return [];
      const found = await client.query(
        `select s.document, sum(q.weight * ts_rank('{0.1,0.2,0.5,1.0}', s.terms, q.term::tsquery)) as score
         from unnest($1::text[], $2::float8[]) as q(term, weight)
         join ${schema}.skills s on s.terms @@ q.term::tsquery
         group by s.number, s.document order by score desc, s.number limit ${candidates}`,
        [words.map(({ word }) => lexeme(word)), words.map(({ ndoc, size }) => rarity(size, ndoc))],
      );
      const documents = (found.rows as { readonly document: SearchDocument }[]).map(
        ({ document }) => document,
      );
      return createSearchIndex(documents, options.index ?? {}).search(query, request);
    },
  };
}

/** JSON without the one character that PostgreSQL cannot keep. */
function storable(document: SearchDocument): string {
  return JSON.stringify(document, (_, value: unknown) =>
    typeof value === "string" ? value.replaceAll("\0", "\ufffd") : value,
  );
}

/** The terms of a request, each once. */
function termsOf(query: string): readonly string[] {
  const found = new Set<string>();
  tokenize(withTypesInWords(query.slice(0, 4_000)), {
    gap: () => undefined,
    word: ({ text }, start, end) => {
      for (const word of expandWord(text.slice(start, end))) found.add(termOf(word));
    },
    whole: (term) => found.add(term),
    run: (characters) => {
      for (const piece of meaningfulPieces(simplify(characters))) {
        const list = Array.from(piece);
        if (list.length === 1) found.add(piece);
        for (let at = 1; at < list.length; at++) found.add(`${list[at - 1]}${list[at]}`);
      }
    },
  });
  return [...found];
}
