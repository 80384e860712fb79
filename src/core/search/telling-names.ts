import type { CloseReading } from "./close-reading.ts";
import type { IndexData } from "./index-data.ts";
import type { QueryTerm } from "./query-terms.ts";
import type { RankingRules } from "./ranking-rules.ts";
import { rarity } from "./rarity.ts";
import { smallness } from "./smallness.ts";

/**
 * What each term of a query adds where it is in a skill's name or alias, by its place in the query's list. In a small set
 * a skill's subject ("pdf") may stand in the texts of most others, and count for little; if few of the close ones are
 * called by it, it counts as a rare word after all. One word of a compound name ("code" of `code-review`) tells less: the caller takes the name's share.
 */
export function tellingNames(
  terms: readonly QueryTerm[],
  readings: Iterable<CloseReading>,
  options: { readonly data: IndexData; readonly rules: RankingRules; readonly among: number },
): readonly number[] {
  const { data, rules, among } = options;
  const { frequency, metadataFrequency } = data.postings;
  const size = data.whole?.size ?? data.postings.size;
  const holders = new Uint32Array(terms.length);
  for (const { named } of readings)
    for (const place of named) holders[place] = (holders[place] as number) + 1;
  const most = smallness(size) * rules.tellingNameWeight * (rules.saturation + 1);
  return terms.map(({ gloss, readings: [reading], weight }, place) => {
    if (holders[place] === 0 || reading === undefined) return 0;
    const known = rarity(size, (gloss ? metadataFrequency : frequency)[reading.id] as number);
    const lacking = rarity(Math.min(size, among), holders[place] as number) - known;
    return lacking <= 0 ? 0 : most * Math.min(1, weight / known) * lacking;
  });
}
