/** Words longer than this become the unknown token. */
const longestWord = 100;
export const unknown = "[UNK]";
export const padding = "[PAD]";

/** Words of a text as BERT's lower-casing tokenizer sees them: without accents, punctuation and CJK characters alone. */
export function wordsOf(text: string): readonly string[] {
  const plain = text
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "");
  return plain.match(/[\p{P}$+<=>^`|~]|\p{Script=Han}|[^\s\p{P}$+<=>^`|~\p{Script=Han}\p{C}]+/gu) ?? [];
}

export interface VocabularySize {
  /** Whole words, most frequent first; and pieces that go on a word. */
  readonly words: number;
  readonly pieces: number;
  /** A word has to occur so often. */
  readonly least: number;
}

/**
 * A WordPiece vocabulary: padding, unknown, single characters, frequent words, and as continuations (`##`) characters,
 * frequent endings of words and frequent words.
 */
export function buildVocabulary(
  counts: ReadonlyMap<string, number>,
  size: VocabularySize,
): readonly string[] {
  const sorted = [...counts]
    .filter(([, count]) => count >= size.least)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const frequent = sorted
    .filter(([word]) => !/^\d{3,}$/.test(word))
    .slice(0, size.words)
    .map(([word]) => word);
  const endings = new Map<string, number>();
  for (const [word, count] of sorted) {
    if (!/^[a-z]{4,}$/.test(word)) continue;
    for (let at = Math.max(2, word.length - 8); at <= word.length - 2; at++)
      endings.set(word.slice(at), (endings.get(word.slice(at)) ?? 0) + Math.sqrt(count));
  }
  for (const word of frequent.slice(0, size.pieces >> 1))
    if (/^[a-z]{4,}$/.test(word)) endings.set(word, 1e9);
  const pieces = [...endings]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, size.pieces)
    .map(([piece]) => piece);
  const letters = [..."abcdefghijklmnopqrstuvwxyz0123456789"];
  const all = [
    padding,
    unknown,
    ...letters,
    ...frequent,
    ...[...letters, ...pieces].map((piece) => `##${piece}`),
  ];
  return [...new Set(all)];
}

/** Turns texts into token numbers: the longest known beginning of a word, then the longest known continuations. */
export function createEncoder(vocabulary: readonly string[]): (text: string) => Int32Array {
  const numbers = new Map(vocabulary.map((token, number) => [token, number]));
  const none = numbers.get(unknown) as number;
  const known = new Map<string, readonly number[]>();
  const split = (word: string): readonly number[] => {
    const found: number[] = [];
    const letters = [...word];
    if (letters.length > longestWord) return [none];
    for (let at = 0; at < letters.length; ) {
      let end = letters.length;
      let number: number | undefined;
      for (; end > at; end--) {
        number = numbers.get((at === 0 ? "" : "##") + letters.slice(at, end).join(""));
        if (number !== undefined) break;
      }
      if (number === undefined) return [none];
      found.push(number);
      at = end;
    }
    return found;
  };
  return (text) => {
    const out: number[] = [];
    for (const word of wordsOf(text)) {
      let pieces = known.get(word);
      if (pieces === undefined) {
        pieces = split(word);
        known.set(word, pieces);
      }
      for (const piece of pieces) out.push(piece);
    }
    return Int32Array.from(out);
  };
}
