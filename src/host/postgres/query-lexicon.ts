import type { GlossTable } from "../../core/search/gloss-table.ts";
import { glossTerms } from "../../core/search/gloss-terms.ts";
import type { IndexData } from "../../core/search/index-data.ts";
import { withTypesInWords } from "../../core/search/mime-types.ts";
import { type QueryTerm, queryTerms } from "../../core/search/query-terms.ts";
import type { RankingRules } from "../../core/search/ranking-rules.ts";
import { buildIndexData } from "../../core/search/stored-index.ts";
import { TermTable } from "../../core/search/term-table.ts";
import { type TypoFinder, typoFinder } from "../../core/search/typo.ts";
import { Vocabulary } from "../../core/search/vocabulary.ts";
import type { CorpusTotals } from "./corpus-totals.ts";

/** A term of the corpus: how many skills hold it, and how many in names and descriptions. */
export interface KnownTerm {
  readonly word: string;
  readonly ndoc: number;
  readonly mdoc: number;
}

export interface Asking {
  readonly query: string;
  readonly table: GlossTable | null;
  /** Whether a word is one of English, and so no typing error. */
  readonly english: (word: string, term: string) => boolean;
  readonly rules: RankingRules;
  readonly totals: CorpusTotals;
}

/** Notes every term that is looked for, and knows none. */
class AskedTerms extends TermTable {
  readonly asked = new Set<string>();

  override find(text: string, start = 0, end = text.length): number {
    this.asked.add(text.slice(start, end));
    return -1;
  }
}

/**
 * The terms whose frequency decides what a query means: `asked`, all that may be looked up, and `doubted`, those that are
 * typing errors if no skill holds them, with the words as they were written.
 */
export function termsAsked(asking: Asking): {
  readonly asked: ReadonlySet<string>;
  readonly doubted: ReadonlyMap<string, string>;
} {
  const terms = new AskedTerms();
  const doubted = new Map<string, string>();
  const mend = typoFinder(terms, new Uint32Array(0));
  termsOf(asking, dataOf(terms, new Uint32Array(0), new Uint32Array(0), asking.totals), (term, word) => {
    if (!doubted.has(term)) doubted.set(term, word);
    return mend(term, word);
  });
  return { asked: terms.asked, doubted };
}

/** A query's terms with their weights in the whole corpus, by the terms that are known of it. */
export function weighedTerms(
  asking: Asking,
  known: readonly KnownTerm[],
): {
  readonly terms: readonly QueryTerm[];
  readonly text: (id: number) => string;
  readonly mended: ReadonlyMap<string, string>;
} {
  const table = new TermTable();
  for (const { word } of known) table.add(word);
  const ndoc = Uint32Array.from(known, (one) => one.ndoc);
  const mdoc = Uint32Array.from(known, (one) => one.mdoc);
  const find = typoFinder(table, mdoc);
  const mended = new Map<string, string>();
  const terms = termsOf(asking, dataOf(table, ndoc, mdoc, asking.totals), (term, word) => {
    const id = find(term, word);
    if (id >= 0) mended.set(word, table.text(id));
    return id;
  });
  return { terms, text: (id) => table.text(id), mended };
}

function termsOf(
  { query, table, english, rules }: Asking,
  data: IndexData,
  typo: TypoFinder,
): readonly QueryTerm[] {
  const wanted = withTypesInWords(query);
  const literal = queryTerms(wanted, data, { rules, typo, english, translated: table !== null });
  return table === null ? literal : [...literal, ...glossTerms(wanted, data, { rules, table, literal })];
}

/** An index without documents that knows how common terms are. */
function dataOf(
  terms: TermTable,
  frequency: Uint32Array,
  metadataFrequency: Uint32Array,
  totals: CorpusTotals,
): IndexData {
  const { data } = buildIndexData([]);
  return {
    ...data,
    vocabulary: new Vocabulary(terms),
    postings: { ...data.postings, frequency, metadataFrequency },
    hanDescriptions: totals.hanDescriptions,
    whole: totals,
  };
}
