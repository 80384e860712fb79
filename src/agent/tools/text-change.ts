import type { DiffLine } from "./tool.ts";

export type Replacement =
  | { readonly kind: "replaced"; readonly text: string; readonly count: number }
  | { readonly kind: "same" }
  | { readonly kind: "absent"; readonly near: string | null }
  | { readonly kind: "several"; readonly count: number; readonly lines: readonly number[] };

/**
 * Replaces `from` in a text. What is not found letter by letter is looked for by lines without regard to line ends and
 * blanks at the ends of lines, and, if that gives nothing, to indentation, which is then carried over; such a match has
 * to be the only one. Line ends of the file stay.
 */
export function replaceText(
  text: string,
  change: { readonly from: string; readonly to: string; readonly all: boolean },
): Replacement {
  const crlf = /\r\n/.test(text);
  const to = crlf ? change.to.replace(/\r?\n/g, "\r\n") : change.to;
  const from = crlf ? change.from.replace(/\r?\n/g, "\r\n") : change.from;
  if (from === to) return { kind: "same" };
  if (from === "") return { kind: "absent", near: null };
  const places = occurrences(text, from);
  if (places.length === 1 || (places.length > 1 && change.all))
    return { kind: "replaced", text: text.split(from).join(to), count: places.length };
  if (places.length > 1)
    return {
      kind: "several",
      count: places.length,
      lines: places.slice(0, 10).map((at) => lineAt(text, at)),
    };
  return byLines(text, change.from.replaceAll("\r\n", "\n"), to);
}

function occurrences(text: string, from: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(from); at >= 0; at = text.indexOf(from, at + from.length)) found.push(at);
  return found;
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}

function byLines(text: string, from: string, to: string): Replacement {
  const lines = text.split("\n");
  const wanted = from.split("\n");
  if (wanted.at(-1) === "") wanted.pop();
  if (wanted[0] === "") wanted.shift();
  if (wanted.length === 0) return { kind: "absent", near: null };
  for (const shape of [(line: string) => line.trimEnd(), (line: string) => line.trim()]) {
    const found = matches(lines, wanted, shape);
    if (found.length > 1) return { kind: "several", count: found.length, lines: found.map((at) => at + 1) };
    const [at] = found;
    if (at === undefined) continue;
    const shift = indentOf(lines[at] ?? "").length - indentOf(wanted[0] ?? "").length;
    const indent = indentOf(lines[at] ?? "");
    const fresh = to.replace(/^\r?\n|\r?\n$/g, "").split("\n");
    const placed =
      shift > 0 ? fresh.map((line) => (line.trim() === "" ? line : indent.slice(0, shift) + line)) : fresh;
    const end = text.includes("\r\n") ? "\r" : "";
    const last = placed.length - 1;
    const kept = placed.map((line, index) =>
      index === last && end !== "" && !line.endsWith("\r") ? line + end : line,
    );
    const next = [...lines.slice(0, at), ...kept, ...lines.slice(at + wanted.length)].join("\n");
    return next === text ? { kind: "same" } : { kind: "replaced", text: next, count: 1 };
  }
  return { kind: "absent", near: nearest(lines, wanted) };
}

function matches(
  lines: readonly string[],
  wanted: readonly string[],
  shape: (line: string) => string,
): readonly number[] {
  const have = lines.map(shape);
  const want = wanted.map(shape);
  if (want.every((line) => line === "")) return [];
  const found: number[] = [];
  for (let at = 0; at + want.length <= have.length && found.length < 10; at++)
    if (want.every((line, index) => have[at + index] === line)) found.push(at);
  return found;
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** The line that comes closest to the first wanted one, with its number. */
function nearest(lines: readonly string[], wanted: readonly string[]): string | null {
  const first = wanted.find((line) => line.trim() !== "")?.trim() ?? "";
  const words = new Set(first.split(/\W+/).filter((word) => word.length > 2));
  let best: { readonly score: number; readonly at: number } | null = null;
  for (const [at, line] of lines.entries()) {
    if (at > 20_000) break;
    const score = line.split(/\W+/).filter((word) => words.has(word)).length;
    if (score > (best?.score ?? 0)) best = { score, at };
  }
  return best === null ? null : `line ${best.at + 1}: ${(lines[best.at] ?? "").trim().slice(0, 200)}`;
}

/** What changed between two texts as one block with some lines around it; long blocks keep beginning and end. */
export function changedLines(before: string, after: string, around = 2): readonly DiffLine[] {
  const old = before === "" ? [] : before.replace(/\r?\n$/, "").split(/\r?\n/);
  const fresh = after === "" ? [] : after.replace(/\r?\n$/, "").split(/\r?\n/);
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < fresh.length - head && old.at(-1 - tail) === fresh.at(-1 - tail))
    tail++;
  const line = (kind: DiffLine["kind"], text: string, number: number): DiffLine => ({
    kind,
    text,
    line: number,
  });
  return [
    ...fresh
      .slice(Math.max(0, head - around), head)
      .map((text, index) => line("same", text, Math.max(0, head - around) + index + 1)),
    ...shortened(
      old.slice(head, old.length - tail).map((text, index) => line("removed", text, head + index + 1)),
    ),
    ...shortened(
      fresh.slice(head, fresh.length - tail).map((text, index) => line("added", text, head + index + 1)),
    ),
    ...fresh
      .slice(fresh.length - tail, fresh.length - tail + around)
      .map((text, index) => line("same", text, fresh.length - tail + index + 1)),
  ];
}

const shownAtMost = 40;

function shortened(lines: readonly DiffLine[]): readonly DiffLine[] {
  if (lines.length <= shownAtMost) return lines;
  const half = shownAtMost / 2;
  const gap: DiffLine = { kind: "gap", text: `… ${lines.length - shownAtMost} more lines …`, line: null };
  return [...lines.slice(0, half), gap, ...lines.slice(-half)];
}
