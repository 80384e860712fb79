import { looseKey } from "./loose-key.ts";

/**
 * Edits between two short texts (insert, delete, replace, swap of neighbours), or `limit + 1` when there are more
 * than `limit`. Cost is bounded by length × limit.
 */
export function editDistance(left: string, right: string, limit: number): number {
  const over = limit + 1;
  if (Math.abs(left.length - right.length) > limit) return over;
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const from = Math.max(1, row - limit);
    const to = Math.min(right.length, row + limit);
    const current = new Array<number>(right.length + 1).fill(over);
    current[0] = row;
    let best = row > limit ? over : row;
    for (let column = from; column <= to; column++) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        at(last, column, over) + 1,
        at(current, column - 1, over) + 1,
        at(last, column - 1, over) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (swapped) cost = Math.min(cost, at(beforeLast, column - 2, over) + 1);
      current[column] = cost;
      best = Math.min(best, cost);
    }
    if (best > limit) return over;
    beforeLast = last;
    last = current;
  }
  return Math.min(at(last, right.length, over), over);
}

function at(row: readonly number[], column: number, otherwise: number): number {
  return row[column] ?? otherwise;
}

/** How many edits still count as a slip for a text of this length. */
function tolerance(length: number): number {
  return length <= 3 ? 1 : length <= 7 ? 2 : 3;
}

/**
 * Candidates a person may have meant, best first, at most `max` (feature "did you mean", case n-lookup): equal but for
 * case and separators, then near misses, then names that start with or contain the text (or are contained in it).
 * Ties keep code-unit order. Names longer than 256 units are not compared.
 */
export function closestNames(name: string, candidates: readonly string[], max = 3): readonly string[] {
  const wanted = looseKey(name).slice(0, 256);
  if (wanted === "") return [];
  const ranked: { readonly candidate: string; readonly rank: number }[] = [];
  for (const candidate of new Set(candidates)) {
    const key = looseKey(candidate);
    if (key === "" || key.length > 256) continue;
    const rank = rankOf(wanted, key);
    if (rank !== null) ranked.push({ candidate, rank });
  }
  ranked.sort((a, b) => a.rank - b.rank || (a.candidate < b.candidate ? -1 : 1));
  // Beside a slip of one letter, a name that needs three is noise.
  const farthest = (ranked[0]?.rank ?? 0) + 1;
  const near = ranked.filter(({ rank }) => rank <= farthest || rank >= slipEnd);
  return near.slice(0, max).map((one) => one.candidate);
}

/** Ranks below are edits; from here on the text is a part of the name or the other way round. */
const slipEnd = 10;

function rankOf(wanted: string, key: string): number | null {
  if (wanted === key) return 0;
  const limit = tolerance(Math.min(wanted.length, key.length));
  const edits = editDistance(wanted, key, limit);
  // A slip must leave most of the word: "ab" is not a misspelt "cd".
  if (edits <= limit && edits < Math.min(wanted.length, key.length) / 2) return edits;
  if (wanted.length >= 2 && key.startsWith(wanted)) return slipEnd;
  if (wanted.length >= 3 && key.includes(wanted)) return slipEnd + 1;
  if (key.length >= 4 && wanted.includes(key)) return slipEnd + 2;
  return null;
}
