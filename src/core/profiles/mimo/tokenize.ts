const hanRun = /\p{Script=Han}+/gu;
const onlyHan = /^\p{Script=Han}+$/u;
const separators = /[^\p{L}\p{N}]+/u;

/** Words that say nothing here: the labels of the request template and a few small words (feature M14). */
const stopWords: ReadonlySet<string> = new Set([
  "a",
  "action",
  "an",
  "and",
  "audience",
  "for",
  "from",
  "input",
  "of",
  "output",
  "the",
  "to",
  "with",
]);

/** Words up to this many UTF-16 units keep their `s`. */
const stemLength = 3;

/** Lower case and trimmed, the form in which names and requests are compared. */
export function normalizeText(text: string): string {
  return text.toLowerCase().trim();
}

/**
 * The mirrored search's tokens in text order, duplicates kept (golden `mimo.tokenize`): runs of Han as overlapping pairs
 * of code points, other words whole, a plural `s` dropped. Stop words go before that, so `inputs` stays as `input`.
 */
export function tokenizeMimo(text: string): readonly string[] {
  const words = normalizeText(text).replace(hanRun, " $& ").split(separators);
  return words
    .filter((word) => word !== "" && !stopWords.has(word))
    .flatMap((word) => (onlyHan.test(word) ? hanPairs(word) : [singular(word)]));
}

function hanPairs(word: string): readonly string[] {
  const glyphs = [...word];
  if (glyphs.length < 2) return glyphs;
  return glyphs.slice(1).map((glyph, at) => `${glyphs[at] ?? ""}${glyph}`);
}

function singular(word: string): string {
  return word.length > stemLength && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}
