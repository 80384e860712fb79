import type { CloseReading } from "./close-reading.ts";
import { amountAt, contribution, type FieldFactors } from "./field-factors.ts";
import type { IndexData } from "./index-data.ts";
import { PostingsReader } from "./postings-reader.ts";
import type { QueryTerm, Reading } from "./query-terms.ts";
import type { RankingRules } from "./ranking-rules.ts";
import { fieldRules, metadataFields, type SearchField } from "./search-fields.ts";

/** One reason for a score: a term of the query, a field where it stands, and what that adds to the score. */
export interface MatchDetail {
  /** A word, two neighbouring words, `whole name`, `letters in common` (spelling) or `named in passing`. */
  readonly term: string;
  readonly field: SearchField;
  readonly weight: number;
}

/** What was found out about one hit. */
export interface MatchParts {
  readonly document: number;
  readonly coverage: number;
  /** Null for documents that were not read closely. */
  readonly reading: CloseReading | null;
  /** Added for the whole name, for letters in common, and for a name told in passing. */
  readonly name: number;
  readonly spelling: number;
  readonly passing: number;
  /** Added for terms in its name or aliases, by their place in the query's list. */
  readonly telling: readonly (readonly [place: number, weight: number])[];
}

const fieldNames: Readonly<Record<SearchField, string>> = {
  name: "name",
  alias: "aliases",
  localized: "localized text",
  description: "description",
  when: "use",
  example: "example requests",
  exclusion: "exclusions",
  heading: "headings",
  body: "text",
};

/** What people call a field: "localized text", "use"; one that is unknown keeps its name. */
export function fieldName(field: string): string {
  return Object.hasOwn(fieldNames, field) ? fieldNames[field as SearchField] : field;
}

/**
 * What made a document's score, heaviest first; ties in query order, then field order. The weights add up to the score
 * before it is scaled to 0 to 1.
 */
export function explainMatch(
  terms: readonly QueryTerm[],
  parts: MatchParts,
  options: {
    readonly data: IndexData;
    readonly rules: RankingRules;
    readonly factors: FieldFactors;
  },
): readonly MatchDetail[] {
  const { data, rules, factors } = options;
  const reader = new PostingsReader(data.postings);
  const { document } = parts;
  const covered = 1 - rules.coverageShare + rules.coverageShare * parts.coverage;
  const details: { term: string; field: SearchField; weight: number }[] = [];
  const tell = (term: string, field: number, weight: number): void => {
    const rule = fieldRules[field];
    if (rule === undefined || weight <= 0) return;
    details.push({ term, field: rule.field, weight });
  };
  for (const term of terms)
    for (const reading of term.gloss
      ? bestReading(term, document, { reader, factors, saturation: rules.saturation })
      : term.readings) {
      const amounts: { readonly field: number; readonly amount: number }[] = [];
      let total = 0;
      reader.open(reading.id);
      if (!reader.reach(document) || reader.document !== document) continue;
      reader.places((place) => {
        if (term.gloss && place >>> 4 >= metadataFields) return;
        const amount = amountAt(factors, place, document);
        amounts.push({ field: place >>> 4, amount });
        total += amount;
      });
      if (total === 0) continue;
      const weight = contribution(term.weight * reading.weight, total, rules.saturation) * covered;
      for (const { field, amount } of amounts) tell(term.word, field, (weight * amount) / total);
    }
  for (const { first, second, field, weight } of parts.reading?.phrases ?? [])
    tell(`${terms[first]?.word} ${terms[second]?.word}`, field, weight);
  for (const [place, weight] of parts.telling) {
    const word = `${terms[place]?.word}`;
    const known = (["name", "alias"] as const)
      .map((own) => details.find(({ term, field }) => term === word && field === own))
      .find((detail) => detail !== undefined);
    if (known === undefined) tell(word, 0, weight);
    else known.weight += weight;
  }
  tell("whole name", 0, parts.name);
  tell("named in passing", 0, parts.passing);
  tell("letters in common", 3, parts.spelling);
  return details
    .sort((a, b) => b.weight - a.weight)
    .map((detail) => ({ ...detail, weight: Math.round(detail.weight * 10_000) / 10_000 }));
}

/** The reading of a translated word that counts for a document, alone in a list. */
function bestReading(
  term: QueryTerm,
  document: number,
  options: {
    readonly reader: PostingsReader;
    readonly factors: FieldFactors;
    readonly saturation: number;
  },
): readonly Reading[] {
  const { reader, factors } = options;
  let best: Reading | null = null;
  let most = 0;
  for (const reading of term.readings) {
    let amount = 0;
    reader.open(reading.id);
    if (!reader.reach(document) || reader.document !== document) continue;
    reader.places((place) => {
      if (place >>> 4 < metadataFields) amount += amountAt(factors, place, document);
    });
    const value = amount === 0 ? 0 : contribution(reading.weight, amount, options.saturation);
    if (value > most) {
      most = value;
      best = reading;
    }
  }
  return best === null ? [] : [best];
}

/** "stock ~ 囤积": a word of one language that stands for one of the other. */
const translation = /^(?=.* ~ ).*\p{Script=Han}/su;
/** Share of a score below which a translation is no reason for it. */
const tellingShare = 0.1;

/**
 * A short phrase from the heaviest details: `"pdf" in the name, "convert" in the description`. Translations that add
 * almost nothing, and what a skill says it is not for, are left out, unless there is nothing else to say.
 */
export function describeMatch(details: readonly MatchDetail[], words: ReadonlySet<string>): string {
  const totals = new Map<string, { weight: number; field: SearchField }>();
  let score = 0;
  const tells = (detail: MatchDetail): boolean => detail.field !== "exclusion" && words.has(detail.term);
  const excludedOnly = !details.some(tells);
  for (const detail of details) {
    const { term, field, weight } = detail;
    score += weight;
    if (!(excludedOnly ? words.has(term) : tells(detail))) continue;
    const known = totals.get(term);
    if (known === undefined) totals.set(term, { weight, field });
    else known.weight += weight;
  }
  const sorted = [...totals].sort((a, b) => b[1].weight - a[1].weight);
  const telling = sorted.filter(
    ([term, { weight }]) => weight >= tellingShare * score || !translation.test(term),
  );
  const heaviest = (telling.length > 0 ? telling : sorted).slice(0, 4);
  const byField = new Map<SearchField, string[]>();
  for (const [term, { field }] of heaviest) {
    const list = byField.get(field);
    if (list === undefined) byField.set(field, [`"${term}"`]);
    else list.push(`"${term}"`);
  }
  return [...byField].map(([field, list]) => `${list.join(", ")} in the ${fieldNames[field]}`).join("; ");
}
