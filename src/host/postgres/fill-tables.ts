import type { SearchDocument } from "../../core/search/search-index.ts";
import { CorpusCounter, type CorpusTotals } from "./corpus-totals.ts";
import type { PostgresClient } from "./postgres-search.ts";
import { metadataWeights, searchVector } from "./search-vector.ts";

/** Rows of one statement. */
const batch = 500;

/** The row of table `totals`. */
export interface TotalsRow {
  readonly version: string;
  readonly size: number;
  readonly averages: readonly number[];
  readonly grams: Uint8Array;
  readonly sampled: number;
  readonly han: boolean;
}

export function totalsFrom({ size, averages, grams, sampled, han }: TotalsRow): CorpusTotals {
  const view = new DataView(grams.buffer, grams.byteOffset, grams.byteLength);
  return {
    size,
    averages,
    grams: Uint32Array.from({ length: grams.byteLength / 4 }, (_, gram) => view.getUint32(gram * 4)),
    sampled,
    hanDescriptions: han,
  };
}

/** Makes the tables `skills`, `words` and `totals` of a schema (quoted) anew, in the caller's transaction. */
export async function fillTables(
  client: PostgresClient,
  schema: string,
  documents: Iterable<SearchDocument>,
): Promise<void> {
  await client.query(`drop schema if exists ${schema} cascade`);
  await client.query(`create schema ${schema}`);
  await client.query(
    `create table ${schema}.skills (number integer primary key, document jsonb not null, terms tsvector not null)`,
  );
  const counter = new CorpusCounter();
  let number = 0;
  let waiting: SearchDocument[] = [];
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const vectors = waiting.map(searchVector);
    counter.add(waiting, vectors);
    await client.query(
      `insert into ${schema}.skills select n, d::jsonb, t::tsvector from unnest($1::int[], $2::text[], $3::text[]) as r(n, d, t)`,
      [waiting.map((_, place) => number + place), waiting.map(storable), vectors.map(({ text }) => text)],
    );
    number += waiting.length;
    waiting = [];
  };
  for (const document of documents) {
    waiting.push(document);
    if (waiting.length === batch) await flush();
  }
  await flush();
  await client.query(`create index on ${schema}.skills using gin (terms)`);
  const terms = (what: string): string =>
    `ts_stat('select ${what} from ${schema.replaceAll("'", "''")}.skills')`;
  await client.query(
    `create table ${schema}.words as select w.word, w.ndoc, coalesce(m.ndoc, 0) as mdoc from ${terms("terms")} w
     left join ${terms(`ts_filter(terms, ''${metadataWeights}'')`)} m using (word)`,
  );
  await client.query(`create unique index on ${schema}.words (word)`);
  const { size, averages, grams, sampled, hanDescriptions } = counter.totals();
  const bytes = new DataView(new ArrayBuffer(grams.length * 4));
  for (const [gram, count] of grams.entries()) bytes.setUint32(gram * 4, count);
  await client.query(
    `create table ${schema}.totals as select txid_current()::text as version, $1::int as size, $2::float8[] as averages,
     $3::bytea as grams, $4::int as sampled, $5::bool as han`,
    [size, averages, Buffer.from(bytes.buffer), sampled, hanDescriptions],
  );
}

/** JSON without the one character that PostgreSQL cannot keep. */
function storable(document: SearchDocument): string {
  return JSON.stringify(document, (_, value: unknown) =>
    typeof value === "string" ? value.replaceAll("\0", "\ufffd") : value,
  );
}
