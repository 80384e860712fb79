import { editDistance } from "../core/text/closest-names.ts";

/**
 * Names that a word is most likely a slip of, best first: few edits apart (one, or two in words of six letters and
 * more), or the word is a beginning of at least three letters. Stricter than a search for similar names, because a
 * word that is no slip may be a request.
 */
export function suggest(word: string, names: readonly string[]): readonly string[] {
  const typed = word.toLowerCase();
  const limit = typed.length >= 6 ? 2 : 1;
  const slips = names
    .map((name) => ({ name, edits: typed.length < 2 ? limit + 1 : editDistance(typed, name, limit) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits);
  const begun = typed.length >= 3 ? names.filter((name) => name.startsWith(typed)) : [];
  return [...new Set([...slips.map(({ name }) => name), ...begun])].slice(0, 3);
}
