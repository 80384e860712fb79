import { stemEnglish } from "./stem-english.ts";
import { stopWords } from "./stop-words.ts";

/** Parts of `HTMLParser`: before an upper-case letter that starts a word, and around digits. */
const camelPart = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{N}+/gu;

/**
 * The words that one written word stands for, in lower case, independent of the locale: itself first, then the parts
 * of `camelCase`, or the letters of `python3`. Empty for stop words.
 */
export function expandWord(written: string): readonly string[] {
  const word = written.toLowerCase();
  if (stopWords.has(word)) return [];
  const found = [word];
  if (/^[a-z]+$/.test(written)) return found;
  // An acronym's plural ("APIs") is one word.
  const parts = /^\p{Lu}{2,}s$/u.test(written) ? [] : (written.match(camelPart) ?? []);
  if (parts.length < 2) return found;
  for (const part of parts) {
    const low = part.toLowerCase();
    if (low.length > 2 && !/^\p{N}/u.test(low) && !stopWords.has(low)) found.push(low);
  }
  return found;
}

/** The term under which a word is indexed: its stem; of a plural acronym ("pdfs", "urls") the singular. */
export function termOf(word: string): string {
  return stemEnglish(
    /^[b-df-hj-np-tv-xz]{3,}s$/.test(word) && !word.endsWith("ss") ? word.slice(0, -1) : word,
  );
}
