import { diffLines, type Hunk, splitLines } from "./line-diff.ts";

/** The merged text, or how many places both sides changed in different ways. */
export type MergedText = { readonly text: string } | { readonly text: null; readonly conflicts: number };

/**
 * Merges two changed forms of one text: changes of different lines are both taken, equal ones once. Changes that
 * touch are a conflict, as with diff3, unless `winner` says whose lines count there.
 */
export function mergeLines(texts: {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
  readonly winner?: "mine" | "theirs" | null;
}): MergedText {
  const { winner = null } = texts;
  const [base, mine, theirs] = [splitLines(texts.base), splitLines(texts.mine), splitLines(texts.theirs)];
  const [ours, others] = [diffLines(base, mine), diffLines(base, theirs)];
  const result: string[] = [];
  let [at, i, j, conflicts] = [0, 0, 0, 0];
  while (i < ours.length || j < others.length) {
    const [one, other] = [ours[i], others[j]];
    if (one !== undefined && other !== undefined && touch(one, other)) {
      const [mineEnd, theirEnd] = [grow(ours, i, other), grow(others, j, one)];
      const cluster = clusterOf(ours, others, { i, j, mineEnd, theirEnd });
      const [aFrom, aTo] = [cluster.aFrom, cluster.aTo];
      result.push(...base.slice(at, aFrom));
      const mineText = sideText(mine, ours.slice(i, cluster.i), { aFrom, aTo, base });
      const theirText = sideText(theirs, others.slice(j, cluster.j), { aFrom, aTo, base });
      if (winner === null && mineText.join("") !== theirText.join("")) conflicts += 1;
      result.push(...(winner === "theirs" ? theirText : mineText));
      [at, i, j] = [aTo, cluster.i, cluster.j];
    } else if (one !== undefined && (other === undefined || one.aFrom < other.aFrom)) {
      result.push(...base.slice(at, one.aFrom), ...mine.slice(one.bFrom, one.bTo));
      [at, i] = [one.aTo, i + 1];
    } else if (other !== undefined) {
      result.push(...base.slice(at, other.aFrom), ...theirs.slice(other.bFrom, other.bTo));
      [at, j] = [other.aTo, j + 1];
    }
  }
  result.push(...base.slice(at));
  return conflicts > 0 ? { text: null, conflicts } : { text: result.join("") };
}

/** Two changes belong together when they overlap or meet: which of two neighbours comes first would be a guess. */
function touch(a: Hunk, b: Hunk): boolean {
  return a.aFrom <= b.aTo && b.aFrom <= a.aTo;
}

function grow(hunks: readonly Hunk[], from: number, other: Hunk): number {
  let end = from;
  while (end < hunks.length && touch(hunks[end] as Hunk, other)) end++;
  return end;
}

/** Widens a pair of touching changes until nothing of either side touches it any more. */
function clusterOf(
  ours: readonly Hunk[],
  others: readonly Hunk[],
  start: { readonly i: number; readonly j: number; readonly mineEnd: number; readonly theirEnd: number },
): { readonly aFrom: number; readonly aTo: number; readonly i: number; readonly j: number } {
  let [i, j] = [start.mineEnd, start.theirEnd];
  for (;;) {
    const all = [...ours.slice(start.i, i), ...others.slice(start.j, j)];
    const aFrom = Math.min(...all.map((hunk) => hunk.aFrom));
    const aTo = Math.max(...all.map((hunk) => hunk.aTo));
    const whole = { aFrom, aTo, bFrom: 0, bTo: 0 };
    const [moreI, moreJ] = [grow(ours, i, whole), grow(others, j, whole)];
    if (moreI === i && moreJ === j) return { aFrom, aTo, i, j };
    [i, j] = [moreI, moreJ];
  }
}

/** What one side made of base lines `[aFrom, aTo)`. */
function sideText(
  lines: readonly string[],
  hunks: readonly Hunk[],
  range: { readonly aFrom: number; readonly aTo: number; readonly base: readonly string[] },
): readonly string[] {
  const result: string[] = [];
  let at = range.aFrom;
  for (const hunk of hunks) {
    result.push(...range.base.slice(at, hunk.aFrom), ...lines.slice(hunk.bFrom, hunk.bTo));
    at = hunk.aTo;
  }
  result.push(...range.base.slice(at, range.aTo));
  return result;
}
