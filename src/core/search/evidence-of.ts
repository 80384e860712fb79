import type { Evidence } from "./decide.ts";
import type { MatchDetail, MatchParts } from "./explain-match.ts";
import type { SearchField } from "./search-fields.ts";

/** What one hit's match tells by itself of how likely it is wanted; `details` are its reasons. */
export function evidenceOf(
  { coverage, reading }: MatchParts,
  details: readonly MatchDetail[],
): Pick<Evidence, "coverage" | "excluded" | "examples" | "bodies" | "together" | "own" | "named"> {
  return {
    coverage,
    excluded: shareOf("exclusion", details),
    examples: shareOf("example", details),
    bodies: shareOf("body", details),
    together: reading?.together ?? 0,
    own: reading?.own ?? false,
    named: reading !== null && reading.named.length > 0,
  };
}

/** Share of a score that one field brings, 0 to 1. */
function shareOf(wanted: SearchField, details: readonly MatchDetail[]): number {
  let total = 0;
  let found = 0;
  for (const { field, weight } of details) {
    total += weight;
    if (field === wanted) found += weight;
  }
  return total === 0 ? 0 : found / total;
}
