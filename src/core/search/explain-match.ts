import type { QueryTerm } from "./query-terms.ts";
import { contribution, termWeight } from "./score.ts";
import { fieldRules, type SearchField } from "./search-fields.ts";
import type { TermIndex } from "./term-index.ts";

/** One reason for a score: a term of the query, the field where it counts most, and what it adds. */
export interface MatchDetail {
  readonly term: string;
  readonly field: SearchField;
  readonly weight: number;
}

const fieldNames: Readonly<Record<SearchField, string>> = {
  name: "name",
  alias: "aliases",
  localized: "localized text",
  description: "description",
  when: "use",
  heading: "headings",
  body: "text",
};

/** First entry of `term` that belongs to `document` or a later one. */
function firstEntry(index: TermIndex, term: number, document: number): number {
  let low = index.start[term] as number;
  let high = index.start[term + 1] as number;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((index.documents[middle] as number) < document) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What made a document's score, heaviest first; ties in query order. Weights are before the coverage factor. */
export function explainMatch(
  terms: readonly QueryTerm[],
  index: TermIndex,
  document: number,
): readonly MatchDetail[] {
  const details: MatchDetail[] = [];
  for (const term of terms) {
    if (term.id < 0) continue;
    const end = index.start[term.id + 1] as number;
    let amount = 0;
    let strongest = 0;
    let field: SearchField | null = null;
    for (let entry = firstEntry(index, term.id, document); entry < end; entry++) {
      if (index.documents[entry] !== document) break;
      const weight = index.weights[entry] as number;
      amount += weight;
      if (weight > strongest) {
        strongest = weight;
        field = fieldRules[index.fields[entry] as number]?.field ?? null;
      }
    }
    if (field === null) continue;
    const weight = contribution(termWeight(term, index), amount);
    details.push({ term: term.word, field, weight: Math.round(weight * 10_000) / 10_000 });
  }
  return details.sort((a, b) => b.weight - a.weight);
}

/** A short phrase from the heaviest details: `"pdf" in the name, "convert" in the description`. */
export function describeMatch(details: readonly MatchDetail[]): string {
  const words = details.filter(({ term }) => !term.includes(" ")).slice(0, 4);
  const byField = new Map<SearchField, string[]>();
  for (const { term, field } of words) {
    const list = byField.get(field);
    if (list === undefined) byField.set(field, [`"${term}"`]);
    else list.push(`"${term}"`);
  }
  return [...byField].map(([field, list]) => `${list.join(", ")} in the ${fieldNames[field]}`).join("; ");
}
