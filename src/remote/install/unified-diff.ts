import { diffLines, splitLines } from "./line-diff.ts";

/** Lines around a change. */
const context = 3;

/** The difference of two texts in the usual form, without file names; empty when there is none. */
export function unifiedDiff(old: string, next: string): readonly string[] {
  const [a, b] = [splitLines(old), splitLines(next)];
  const lines: string[] = [];
  let group: ReturnType<typeof diffLines>[number][] = [];
  const flush = (): void => {
    const [first, last] = [group[0], group.at(-1)];
    if (first === undefined || last === undefined) return;
    const [aFrom, aTo] = [Math.max(0, first.aFrom - context), Math.min(a.length, last.aTo + context)];
    const [bFrom, bTo] = [Math.max(0, first.bFrom - context), Math.min(b.length, last.bTo + context)];
    lines.push(`@@ -${range(aFrom, aTo)} +${range(bFrom, bTo)} @@`);
    let at = aFrom;
    for (const hunk of group) {
      lines.push(...marked(" ", a.slice(at, hunk.aFrom)));
      lines.push(
        ...marked("-", a.slice(hunk.aFrom, hunk.aTo)),
        ...marked("+", b.slice(hunk.bFrom, hunk.bTo)),
      );
      at = hunk.aTo;
    }
    lines.push(...marked(" ", a.slice(at, aTo)));
    group = [];
  };
  for (const hunk of diffLines(a, b)) {
    const last = group.at(-1);
    if (last !== undefined && hunk.aFrom - last.aTo > 2 * context) flush();
    group.push(hunk);
  }
  flush();
  return lines;
}

function range(from: number, to: number): string {
  return `${to === from ? from : from + 1},${to - from}`;
}

function marked(mark: string, lines: readonly string[]): readonly string[] {
  return lines.map((line) => mark + line.replace(/\r?\n$/, ""));
}
