import type { FenceNote, Fences } from "./fences.ts";
import type { SourceText } from "./source-text.ts";

type Units = SourceText["units"];

const dash = 0x2d;
const dot = 0x2e;
const space = 0x20;
const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** First unit of the next line, given the position of a line end (or the end of the file). */
export function nextLine(units: Units, end: number): number {
  return units[end] === carriageReturn && units[end + 1] === lineFeed ? end + 2 : end + 1;
}

export function lineEnd(units: Units, from: number): number {
  let index = from;
  while (index < units.length && units[index] !== lineFeed && units[index] !== carriageReturn) index++;
  return index;
}

/** First unit of a line, counted from 0; the end of the file where there are fewer. */
export function lineStart({ units, start }: SourceText, line: number): number {
  let at = start;
  for (let count = 0; count < line && at < units.length; count++) at = nextLine(units, lineEnd(units, at));
  return Math.min(at, units.length);
}

function skipBlanks(units: Units, from: number): number {
  let index = from;
  while (units[index] === space || units[index] === tab) index++;
  return index;
}

export interface Opening {
  /** Line of the opening fence, and the blanks before it. */
  readonly line: number;
  readonly indent: number;
  readonly notes: readonly FenceNote[];
}

/** The block that a fence has opened, up to the line that closes it; `from` is the first unit behind the opening line. */
export function closeBlock(units: Units, from: number, opening: Opening): Fences {
  const { line: openLine, indent: openIndent, notes } = opening;
  let indented = 0;
  let line = openLine + 1;
  // Most files have no carriage return, and then the system's own search finds the line ends: a loop of ours over every
  // character is most of the work as long as a process is young.
  const simple = units.indexOf(carriageReturn) < 0;
  for (let at = from; at < units.length; line++) {
    const first = units[at] as number;
    let ends = -1;
    let note: string | null = null;
    if (first === dash || first === dot) {
      ends = fenceEnd(units, at);
      if (ends >= 0 && first === dot) note = "the frontmatter is closed by ... instead of ---";
      else if (ends >= 0 && units[at + 3] === dash) note = "the closing fence has more than three dashes";
    } else if (first === space || first === tab) {
      const text = skipBlanks(units, at);
      if (units[text] === dash && indented < 8) {
        ends = fenceEnd(units, text);
        if (ends >= 0) {
          indented++;
          // Under an opening that is indented as far, the text may be indented too.
          const wraps = text - at > openIndent && continues(units, ends);
          if (wraps || insideBlockText(units, from, at, text - at)) ends = -1;
          else note = "the closing fence is indented";
        }
      }
    }
    if (ends >= 0) {
      const added =
        note === null ? notes : [...notes, { code: "frontmatter/fence", message: note, line } as const];
      return {
        kind: "block",
        from,
        to: at,
        body: Math.min(nextLine(units, ends), units.length),
        line: openLine + 1,
        notes: added,
      };
    }
    if (simple) {
      const end = units.indexOf(lineFeed, at);
      at = end < 0 ? units.length : end + 1;
    } else at = nextLine(units, lineEnd(units, at));
  }
  return { kind: "unclosed", line: openLine, from };
}

/** End of a line of three or more equal fence characters and trailing blanks that starts at `at`, else -1. */
function fenceEnd(units: Units, at: number): number {
  const mark = units[at] as number;
  if (units[at + 1] !== mark || units[at + 2] !== mark) return -1;
  let index = at + 3;
  if (mark === dash) while (units[index] === dash) index++;
  index = skipBlanks(units, index);
  const end = units[index];
  return end === undefined || end === lineFeed || end === carriageReturn ? index : -1;
}

/** True when the line after the one that ends at `end` is indented text: then both belong to a wrapped value. */
function continues(units: Units, end: number): boolean {
  const next = nextLine(units, end);
  const text = skipBlanks(units, next);
  const unit = units[text];
  return text > next && unit !== undefined && unit !== lineFeed && unit !== carriageReturn;
}

/**
 * True when the line at `at` belongs to a block text (`|`, `>`): going up, a line with less indentation ends with a
 * block marker. Looks back a bounded number of lines.
 */
function insideBlockText(units: Units, from: number, at: number, indent: number): boolean {
  let limit = indent;
  let end = at - 1;
  for (let count = 0; count < 2000 && end > from && limit > 0; count++) {
    if (units[end] === lineFeed && units[end - 1] === carriageReturn) end--;
    let begin = end;
    while (begin > from && units[begin - 1] !== lineFeed && units[begin - 1] !== carriageReturn) begin--;
    const text = skipBlanks(units, begin);
    if (text < end && text - begin < limit) {
      limit = text - begin;
      let last = end - 1;
      while (last > text && (units[last] === space || units[last] === tab)) last--;
      // Behind the marker may stand a sign and a digit: `>-`, `|2+`.
      while (last > text && isChomping(units[last] as number)) last--;
      if (
        (units[last] === 0x7c || units[last] === 0x3e) &&
        (units[last - 1] === space || units[last - 1] === tab)
      )
        return true;
    }
    end = begin - 1;
  }
  return false;
}

function isChomping(unit: number): boolean {
  return unit === 0x2b || unit === dash || (unit >= 0x31 && unit <= 0x39);
}
