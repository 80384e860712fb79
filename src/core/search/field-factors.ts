import type { IndexData } from "./index-data.ts";
import type { RankingRules } from "./ranking-rules.ts";

/** What an occurrence counts, by field: the number at the length of the document's field. Null: no document has any. */
export interface FieldFactors {
  readonly lengths: readonly (Uint8Array | Uint16Array | null)[];
  readonly byLength: readonly (Float32Array | null)[];
}

/** Long fields are held back; in a field of average length an occurrence counts as the field does. */
export function fieldFactors(data: IndexData, rules: RankingRules): FieldFactors {
  const { lengths } = data.postings;
  const byLength = lengths.map((list, field) => {
    if (list === null) return null;
    let sum = 0;
    let filled = 0;
    let longest = 0;
    for (const length of list) {
      if (length === 0) continue;
      sum += length;
      filled++;
      if (length > longest) longest = length;
    }
    const average = data.whole?.averages[field] ?? (filled === 0 ? 1 : sum / filled);
    const share = rules.lengthShares[field] as number;
    const weight = rules.fieldWeights[field] as number;
    return Float32Array.from(
      { length: longest + 1 },
      (_, length) => weight / (1 - share + (share * length) / average),
    );
  });
  return { lengths, byLength };
}

/** What the occurrences at a place (field number * 16 + occurrences) count for a document. */
export function amountAt({ lengths, byLength }: FieldFactors, place: number, document: number): number {
  const field = place >>> 4;
  const length = (lengths[field] as Uint8Array)[document] as number;
  return ((byLength[field] as Float32Array)[length] as number) * (place & 15);
}

/** What a term adds for a document that holds it with `amount` (weighted occurrences). */
export function contribution(weight: number, amount: number, saturation: number): number {
  return (weight * amount * (saturation + 1)) / (amount + saturation);
}
