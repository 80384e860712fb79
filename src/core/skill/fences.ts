import type { DiagnosticCode } from "../diagnostics/table.ts";
import type { SourceText } from "./source-text.ts";

type Units = SourceText["units"];

/** Something unusual about a fence that was recognised all the same. */
export interface FenceNote {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly line: number;
}

/** Where the frontmatter lies, in units of the source. */
export type Fences =
  | {
      readonly kind: "block";
      /** First unit of the first line between the fences, and the first unit of the closing line. */
      readonly from: number;
      readonly to: number;
      /** First unit of the line after the closing fence. */
      readonly body: number;
      /** Line of the first field, counted from 1. */
      readonly line: number;
      readonly notes: readonly FenceNote[];
    }
  /** No frontmatter: everything is text. */
  | { readonly kind: "none" }
  | { readonly kind: "unclosed"; readonly line: number; readonly from: number }
  | { readonly kind: "language"; readonly line: number; readonly language: string };

const dash = 0x2d;
const dot = 0x2e;
const space = 0x20;
const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const noNotes: readonly FenceNote[] = [];

/**
 * Finds the two fences (cases p-bom, p-crlf, p-no-closing-fence; security.md A01, A08, A18). Rules of profile
 * `skillet`:
 * - Opening: `---` in the first line, trailing blanks allowed. With a warning: after blank lines or HTML comments,
 *   indented by up to three blanks, four or more dashes, a comment or `yaml`/`yml` behind it. Apart from the plain
 *   form the next line with text must look like `key:`, else a Markdown rule was meant.
 * - Closing: the first line that begins with `---` and holds nothing else but blanks; with a warning more dashes,
 *   `...`, or an indented `---` that is not part of a block text.
 * - Lines end with LF, CRLF or CR. Linear in the length of the file.
 */
export function findFences(source: SourceText): Fences {
  const { units, start } = source;
  if (units[start] === dash && units[start + 1] === dash && units[start + 2] === dash) {
    const end = units[start + 3];
    if (end === lineFeed) return close(units, start + 4, 1, noNotes);
    if (end === carriageReturn) return close(units, nextLine(units, start + 3), 1, noNotes);
    if (end === undefined) return { kind: "unclosed", line: 1, from: units.length };
  }
  return unusualOpening(source);
}

/** First unit of the next line, given the position of a line end (or the end of the file). */
function nextLine(units: Units, end: number): number {
  return units[end] === carriageReturn && units[end + 1] === lineFeed ? end + 2 : end + 1;
}

function lineEnd(units: Units, from: number): number {
  let index = from;
  while (index < units.length && units[index] !== lineFeed && units[index] !== carriageReturn) index++;
  return index;
}

function skipBlanks(units: Units, from: number): number {
  let index = from;
  while (units[index] === space || units[index] === tab) index++;
  return index;
}

function close(units: Units, from: number, openLine: number, notes: readonly FenceNote[]): Fences {
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
          if (continues(units, ends) || insideBlockText(units, from, at, text - at)) ends = -1;
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

/** Only the first lines of a file can hold an opening fence. */
const openingReach = 65536;

function unusualOpening(source: SourceText): Fences {
  const { units, start } = source;
  const head = source.slice(start, Math.min(units.length, start + openingReach));
  // Offsets into `head` and into `units` agree only before the first character that is not ASCII, so lines are
  // counted and the fence is found again by its line number.
  const lines = head.split(/\r\n|\n|\r/);
  let index = 0;
  let comment = false;
  for (; index < lines.length; index++) {
    const line = (lines[index] as string).replace(/^\ufeff+/, "").trim();
    if (comment) {
      const ends = line.indexOf("-->");
      if (ends < 0) continue;
      comment = false;
      if (line.slice(ends + 3).trim() !== "") return { kind: "none" };
      continue;
    }
    if (line === "") continue;
    if (!line.startsWith("<!--")) break;
    const ends = line.indexOf("-->", 4);
    if (ends < 0) comment = true;
    else if (line.slice(ends + 3).trim() !== "") return { kind: "none" };
  }
  const opening = lines[index]?.replace(/^\ufeff+/, "");
  if (opening === undefined) return { kind: "none" };
  if (index === 0 && /^(\+\+\+|;;;)[ \t]*$/.test(opening)) {
    return { kind: "language", line: 1, language: opening.startsWith("+") ? "TOML (+++)" : "JSON (;;;)" };
  }
  const match = /^( {0,3})(-{3,})/.exec(opening);
  if (match === null) return { kind: "none" };
  const [found, indent, dashes] = match as unknown as [string, string, string];
  const rest = opening.slice(found.length).trim();
  const word = /^[A-Za-z][\w+.-]*(?=$|\s)/.exec(rest)?.[0] ?? "";
  const yaml = /^(yaml|yml)$/i.test(rest);
  const line = index + 1;
  if (word !== "" && !yaml && dashes.length === 3 && (index === 0 || rest === word)) {
    return { kind: "language", line, language: word };
  }
  if (rest !== "" && !yaml && !rest.startsWith("#")) return { kind: "none" };
  const plain = index === 0 && indent === "" && dashes.length === 3 && opening === lines[0];
  if (!plain && !keyFollows(lines, index + 1)) return { kind: "none" };
  const notes: FenceNote[] = [];
  if (index > 0 || opening !== lines[index]) {
    const message =
      index === 0
        ? "a second byte order mark stands before the opening fence"
        : "lines stand before the opening fence";
    notes.push({ code: "frontmatter/leading-lines", message, line });
  }
  if (yaml)
    notes.push({ code: "frontmatter/language-tag", message: `the opening fence says "${rest}"`, line });
  else if (rest !== "")
    notes.push({ code: "frontmatter/fence", message: "a comment stands behind the opening fence", line });
  if (indent !== "")
    notes.push({ code: "frontmatter/fence", message: "the opening fence is indented", line });
  if (dashes.length > 3)
    notes.push({ code: "frontmatter/fence", message: "the opening fence has more than three dashes", line });
  let at = start;
  for (let count = 0; count <= index; count++) at = nextLine(units, lineEnd(units, at));
  return close(units, Math.min(at, units.length), line, notes);
}

function keyFollows(lines: readonly string[], from: number): boolean {
  for (let index = from; index < lines.length; index++) {
    const line = (lines[index] as string).trim();
    if (line === "" || line.startsWith("#")) continue;
    return /^["']?[\p{L}_][\p{L}\p{N}_.-]*["']?\s*[:：]/u.test(line);
  }
  return false;
}
