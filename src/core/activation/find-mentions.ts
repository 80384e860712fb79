import type { TextSpan } from "./expand.ts";

/** A name behind a slash. */
export interface Mention {
  /** As typed, without the slash. */
  readonly written: string;
  /** UTF-16 offset of the slash, and behind the name. */
  readonly start: number;
  readonly end: number;
}

/** Letters, marks and digits of every script, and what names have between them. */
const word = /[\p{L}\p{M}\p{N}_.+:-]+/uy;

/** Names are not longer than this many UTF-16 units. */
const longest = 256;

/** What may stand before the slash: nothing, white space, an opening bracket, or punctuation of scripts without blanks. */
const before = /[\s\p{Ps}、。，；：！？…—「『《〈【（]/u;

/** A name ends before these when they belong to the sentence. */
const trailing = /[.:+-]+$/;

const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * `/name` in a typed message, in order, where `isName` knows the name. A slash inside a path, an address or a word calls
 * nothing, and neither does anything inside `literals` (code, addresses; in order). A name in Latin letters may be
 * followed directly by East Asian text, which puts no blanks between words. Linear.
 */
export function findMentions(
  text: string,
  options: { readonly literals: readonly TextSpan[]; readonly isName: (written: string) => boolean },
): readonly Mention[] {
  const found: Mention[] = [];
  let next = 0;
  for (let start = text.indexOf("/"); start >= 0; start = text.indexOf("/", start + 1)) {
    while ((options.literals[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    const literal = options.literals[next];
    if (literal !== undefined && literal.start <= start) {
      start = literal.end - 1;
      continue;
    }
    if (start > 0 && !before.test(text[start - 1] ?? "")) continue;
    const written = nameAt(text, start + 1, options.isName);
    if (written === null) continue;
    const end = start + 1 + written.length;
    found.push({ written, start, end });
    start = end - 1;
  }
  return found;
}

function nameAt(text: string, from: number, isName: (written: string) => boolean): string | null {
  word.lastIndex = from;
  const run = word.exec(text)?.[0] ?? "";
  if (run === "" || run.length > longest) return null;
  const whole = text[from + run.length];
  // `/name/part` and `\name` are paths.
  if (whole !== "/" && whole !== "\\") {
    if (isName(run)) return run;
    const trimmed = run.replace(trailing, "");
    if (trimmed !== run && isName(trimmed)) return trimmed;
  }
  const latin = latinStart(run);
  return latin !== null && isName(latin) ? latin : null;
}

/** The part of a run before East Asian text begins, when it begins with something else; else null. */
function latinStart(run: string): string | null {
  const at = run.search(eastAsian);
  return at > 0 ? run.slice(0, at).replace(trailing, "") : null;
}
