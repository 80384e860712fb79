import type { WholeCorpus } from "./index-data.ts";
import type { Postings } from "./postings.ts";
import type { RankingRules } from "./ranking-rules.ts";

/** Words of a field in each document, 0 = none; null: no document has any. */
export type FieldLengths = Uint8Array | Uint16Array | null;

/** Over the documents that have the field. */
export interface LengthStatistics {
  readonly average: number;
  readonly longest: number;
}

/** What an occurrence counts, by field: the number at the length of the document's field. Null: no document has any. */
export interface FieldFactors {
  readonly lengths: readonly FieldLengths[];
  readonly byLength: readonly (Float32Array | null)[];
}

/** By field, how long it is. */
export function lengthStatistics(lengths: readonly FieldLengths[]): readonly LengthStatistics[] {
  return lengths.map((list) => {
    let sum = 0;
    let filled = 0;
    let longest = 0;
    for (const length of list ?? []) {
      if (length === 0) continue;
      sum += length;
      filled++;
      if (length > longest) longest = length;
    }
    return { average: filled === 0 ? 1 : sum / filled, longest };
  });
}

/** Long fields are held back; in a field of average length an occurrence counts as the field does. */
export function fieldFactors(
  data: {
    readonly postings: Pick<Postings, "lengths" | "statistics">;
    readonly whole?: Pick<WholeCorpus, "averages">;
  },
  rules: Pick<RankingRules, "fieldWeights" | "lengthShares">,
): FieldFactors {
  const { lengths, statistics } = data.postings;
  const byLength = statistics.map(({ average: own, longest }, field) => {
    if (lengths[field] === null) return null;
    const average = data.whole?.averages[field] ?? own;
    const share = rules.lengthShares[field] as number;
    const weight = rules.fieldWeights[field] as number;
    const factors = new Float32Array(longest + 1);
    for (let length = 0; length <= longest; length++)
      factors[length] = weight / (1 - share + (share * length) / average);
    return factors;
  });
  return { lengths, byLength };
}

/** What the occurrences at a place (field number * 16 + occurrences) count for a document. */
export function amountAt({ lengths, byLength }: FieldFactors, place: number, document: number): number {
  const field = place >>> 4;
  const length = (lengths[field] as Uint8Array)[document] as number;
  return ((byLength[field] as Float32Array)[length] as number) * (place & 15);
}

/** What a term adds for a document that holds it with `amount` (weighted occurrences); grows with it. */
export function contribution(weight: number, amount: number, saturation: number): number {
  return (weight * amount * (saturation + 1)) / (amount + saturation);
}
