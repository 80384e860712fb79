/** Lines `[aFrom, aTo)` of the old text became lines `[bFrom, bTo)` of the new one. */
export interface Hunk {
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
}

/** Edits after which the rest counts as replaced as a whole; keeps time and memory bounded for unlike texts. */
const mostEdits = 600;

/** The differing stretches of two lists of lines, in order (Myers' greedy algorithm, bounded). */
export function diffLines(a: readonly string[], b: readonly string[]): readonly Hunk[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let [aEnd, bEnd] = [a.length, b.length];
  while (aEnd > start && bEnd > start && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd--;
    bEnd--;
  }
  if (start === aEnd && start === bEnd) return [];
  const pairs = commonPairs(a.slice(start, aEnd), b.slice(start, bEnd));
  const hunks: Hunk[] = [];
  let [aAt, bAt] = [start, start];
  for (const [x, y] of [...pairs.map(([x, y]) => [x + start, y + start] as const), [aEnd, bEnd] as const]) {
    if (x > aAt || y > bAt) hunks.push({ aFrom: aAt, aTo: x, bFrom: bAt, bTo: y });
    [aAt, bAt] = [x + 1, y + 1];
  }
  return hunks;
}

/** Index pairs of equal lines on a shortest edit path; none when the texts are too different. */
function commonPairs(a: readonly string[], b: readonly string[]): readonly (readonly [number, number])[] {
  const most = Math.min(a.length + b.length, mostEdits);
  const furthest = new Map<number, number>([[1, 0]]);
  const trail: Map<number, number>[] = [];
  for (let edits = 0; edits <= most; edits++) {
    trail.push(new Map(furthest));
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1));
      let x = down ? (furthest.get(k + 1) ?? 0) : (furthest.get(k - 1) ?? 0) + 1;
      let y = x - k;
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x++;
        y++;
      }
      furthest.set(k, x);
      if (x >= a.length && y >= b.length) return backtrack(trail, a, b);
    }
  }
  return [];
}

function backtrack(
  trail: readonly ReadonlyMap<number, number>[],
  a: readonly string[],
  b: readonly string[],
): readonly (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  let [x, y] = [a.length, b.length];
  for (let edits = trail.length - 1; edits >= 0; edits--) {
    const before = trail[edits] as ReadonlyMap<number, number>;
    const k = x - y;
    const down = k === -edits || (k !== edits && (before.get(k - 1) ?? -1) < (before.get(k + 1) ?? -1));
    const fromK = down ? k + 1 : k - 1;
    const fromX = edits === 0 ? 0 : (before.get(fromK) ?? 0);
    const fromY = edits === 0 ? 0 : fromX - fromK;
    while (x > fromX && y > fromY) pairs.push([--x, --y]);
    [x, y] = [fromX, fromY];
  }
  return pairs.reverse();
}

/** Lines with their ends, so that joining them gives the text again. */
export function splitLines(text: string): readonly string[] {
  return text === "" ? [] : (text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
}
