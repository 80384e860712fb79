/** A place where a description may end when it is shortened. */
export interface CutPoint {
  /** UTF-16 offset: what is shown is `text.slice(0, end)` and then `mark`. */
  readonly end: number;
  /** Code points shown, mark included. */
  readonly length: number;
  /** The cut is used once this many code points are allowed; never less than `length`. */
  readonly from: number;
  readonly mark: "…" | " …";
}

/** A sentence end this many code points back is preferred to a word end. */
const nearSentence = 24;
/** Shorter beginnings say nothing. */
const shortestCut = 12;

/** Scripts written without spaces between words: a cut between any two characters cuts no word visibly. */
const unspaced =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u3000-\u303f\uff00-\uffef]/u;
/** Continues the character before it. */
const extending = /\p{M}|\p{EMod}|[\u200c\uff9e\uff9f]|\u200d/u;
/** May not begin a line; a cut comes after it or before the character in front of it. */
const closing = /[\p{Pe}\p{Pf}、。，．！？；：・ー々…%％]/u;
const sentenceEnd = /[.!?…。！？；]/u;
const abbreviation = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|incl|\p{L})\.$/iu;
/** Looks unfinished in front of an ellipsis. */
const dangling = /[\s,;:、，；：\-–—/&|+(（[{「『“‘"'`]/u;

/**
 * All places to cut `text` (one line, visible characters), in ascending order of all three numbers. Cuts fall at word
 * ends, in Chinese, Japanese and the like between characters, never inside a character that is made of several code
 * points; word ends shortly after a sentence end are left out in favour of it.
 */
export function cutPoints(text: string): readonly CutPoint[] {
  const points: CutPoint[] = [];
  let length = 0;
  let offset = 0;
  let previous = "";
  let sentence = Number.NEGATIVE_INFINITY;
  for (const character of text) {
    if (offset > 0 && isBoundary(previous, character)) {
      const ends = endsSentence(text, offset, previous, character);
      const back = ends ? 0 : danglingLength(text, offset, previous);
      const mark = ends ? " …" : "…";
      const shown = length - back + mark.length;
      if (offset > back && shown >= shortestCut) {
        const from = ends ? shown : Math.max(shown, sentence + nearSentence + 1);
        if (ends) sentence = shown;
        push(points, { end: offset - back, length: shown, from, mark });
      }
    }
    length++;
    offset += character.length;
    previous = character;
  }
  return points;
}

/** The text before `offset` ends in `last` and goes on with `next`. */
function endsSentence(text: string, offset: number, last: string, next: string): boolean {
  if (!sentenceEnd.test(last)) return false;
  if (next !== " " && /[.!?]/.test(last)) return false;
  return last !== "." || !abbreviation.test(text.slice(Math.max(0, offset - 12), offset));
}

/** UTF-16 units before `offset` that should not stand in front of an ellipsis (all of them outside the astral planes). */
function danglingLength(text: string, offset: number, last: string): number {
  if (!dangling.test(last)) return 0;
  let start = offset;
  while (start > 0 && dangling.test(text[start - 1] ?? "")) start--;
  return offset - start;
}

function isBoundary(before: string, after: string): boolean {
  if (after === " ") return true;
  if (before === " ") return false;
  if (before < "\u0e00" && after < "\u0e00") return false;
  if (extending.test(after) || before === "\u200d" || closing.test(after)) return false;
  return unspaced.test(before) || unspaced.test(after);
}

/** Later cuts that are usable no later make earlier ones pointless; cuts that show nothing more are dropped. */
function push(points: CutPoint[], point: CutPoint): void {
  for (let last = points.at(-1); last !== undefined; last = points.at(-1)) {
    if (last.end >= point.end) return;
    if (last.from < point.from) break;
    points.pop();
  }
  points.push(point);
}
