/**
 * The English Porter2 algorithm, written from its published rules (suffix classes, regions R1 and R2, short words,
 * exceptions). Other languages and words with digits or accents pass unchanged.
 */

const exceptions: ReadonlyMap<string, string> = new Map([
  ["skis", "ski"],
  ["skies", "sky"],
  ["dying", "die"],
  ["lying", "lie"],
  ["tying", "tie"],
  ["idly", "idl"],
  ["gently", "gentl"],
  ["ugly", "ugli"],
  ["early", "earli"],
  ["only", "onli"],
  ["singly", "singl"],
  ...["sky", "news", "howe", "atlas", "cosmos", "bias", "andes"].map((word): [string, string] => [
    word,
    word,
  ]),
]);

/** Left alone once the plural is gone. */
const settled: ReadonlySet<string> = new Set(
  "inning outing canning herring earring proceed exceed succeed".split(" "),
);

/** Step 2: suffix → replacement, in R1. */
const derivations: readonly (readonly [string, string])[] = [
  ["ization", "ize"],
  ["ational", "ate"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["iveness", "ive"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["lessli", "less"],
  ["entli", "ent"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["ousli", "ous"],
  ["iviti", "ive"],
  ["fulli", "ful"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["abli", "able"],
  ["izer", "ize"],
  ["ator", "ate"],
  ["alli", "al"],
  ["bli", "ble"],
];

/** Step 3, in R1. */
const endings: readonly (readonly [string, string])[] = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["alize", "al"],
  ["icate", "ic"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
];

/** Step 4: removed in R2; longest first. */
const removed = "ement ance ence able ible ment ant ent ism ate iti ous ive ize al er ic".split(" ");

const vowel = /[aeiouy]/;
const doubled = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/;

/** Start of the region after the first consonant that follows a vowel, counted from `from`. */
function region(word: string, from: number): number {
  for (let at = from + 1; at < word.length; at++)
    if (vowel.test(word[at - 1] ?? "") && !vowel.test(word[at] ?? "")) return at + 1;
  return word.length;
}

function firstRegion(word: string): number {
  const prefix = /^(?:gener|commun|arsen)/.exec(word);
  return prefix === null ? region(word, 0) : prefix[0].length;
}

/** A short syllable ends the word. `Y` is a consonant. */
function endsShort(word: string): boolean {
  return /[^aeiouy][aeiouy][^aeiouywxY]$/.test(word) || /^[aeiouy][^aeiouy]$/.test(word);
}

/** Step 1a: plurals. */
function withoutPlural(word: string): string {
  if (word.endsWith("sses")) return word.slice(0, -2);
  if (/ie[ds]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  if (/[us]s$/.test(word) || !word.endsWith("s")) return word;
  return vowel.test(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

/** Step 1b: -ed, -ing and their adverbs. */
function withoutTense(word: string, r1: number): string {
  const eed = /eed(?:ly)?$/.exec(word);
  if (eed !== null) return eed.index >= r1 ? `${word.slice(0, eed.index)}ee` : word;
  const tense = /(?:ed|ing)(?:ly)?$/.exec(word);
  if (tense === null) return word;
  const stem = word.slice(0, tense.index);
  if (!vowel.test(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (doubled.test(stem)) return stem.slice(0, -1);
  return endsShort(stem) && r1 >= stem.length ? `${stem}e` : stem;
}

function replaceIn(word: string, r1: number, table: readonly (readonly [string, string])[]): string | null {
  for (const [suffix, replacement] of table)
    if (word.endsWith(suffix)) {
      const at = word.length - suffix.length;
      return at >= r1 ? word.slice(0, at) + replacement : word;
    }
  return null;
}

function derived(word: string, r1: number): string {
  const replaced = replaceIn(word, r1, derivations);
  if (replaced !== null) return replaced;
  if (word.endsWith("ogi")) return word.length - 2 > r1 && word.at(-4) === "l" ? word.slice(0, -1) : word;
  if (word.endsWith("li") && word.length - 2 >= r1 && /[cdeghkmnrt]li$/.test(word)) return word.slice(0, -2);
  return word;
}

function shortened(word: string, r2: number): string {
  for (const suffix of removed)
    if (word.endsWith(suffix))
      return word.length - suffix.length >= r2 ? word.slice(0, -suffix.length) : word;
  return /[st]ion$/.test(word) && word.length - 3 >= r2 ? word.slice(0, -3) : word;
}

function withoutFinal(word: string, r1: number, r2: number): string {
  const at = word.length - 1;
  if (word.endsWith("e")) {
    if (at >= r2 || (at >= r1 && !endsShort(word.slice(0, at)))) return word.slice(0, at);
  } else if (word.endsWith("ll") && at >= r2) return word.slice(0, at);
  return word;
}

/** Stem of a lower-case word without apostrophes. Idempotence is not promised; equal words give equal stems. */
export function stemEnglish(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  const exception = exceptions.get(word);
  if (exception !== undefined) return exception;
  let stem = word.replace(/^y|(?<=[aeiouy])y/g, "Y");
  const r1 = firstRegion(stem);
  const r2 = region(stem, r1);
  stem = withoutPlural(stem);
  if (settled.has(stem)) return stem;
  stem = withoutTense(stem, r1);
  if (stem.length > 2 && /[^aeiouy][yY]$/.test(stem)) stem = `${stem.slice(0, -1)}i`;
  stem = derived(stem, r1);
  const ended = replaceIn(stem, r1, endings);
  if (ended !== null) stem = ended;
  else if (stem.endsWith("ative") && stem.length - 5 >= r2) stem = stem.slice(0, -5);
  stem = shortened(stem, r2);
  return withoutFinal(stem, r1, r2).replaceAll("Y", "y");
}
