/**
 * How tokens are counted. `count` must not say more for a text than for its parts together; where the counts of
 * parts are rounded, `measure` gives the unrounded share of a part, so that a budget can be filled exactly: the count
 * of a text is at most the sum of its parts' measures, rounded up.
 */
export interface TokenCounter {
  /** Short name for reports, e.g. `bytes/4` or `o200k_base`. */
  readonly id: string;
  /** Whole tokens. */
  count(text: string): number;
  /** Tokens with fraction; without it `count` is used. */
  measure?(part: string): number;
  /** Where a text may be cut without changing its count; absent = nowhere. */
  readonly seams?: TokenSeams;
}

/** Counting a text in parts that add up exactly, so that a changed end does not cost a count of the whole. */
export interface TokenSeams {
  /**
   * Whether a text may be cut before a UTF-16 index; the answer holds for every longer or shorter text with the same two
   * characters around that place. A line feed in front of `-`, `<` or a letter is always such a place.
   */
  in(text: string): (index: number) => boolean;
  /** Tokens of a part; null: a text with this part in it counts as its UTF-8 bytes. */
  count(part: string): number | null;
}

/** Bytes of a text in UTF-8; a lone surrogate counts as the three bytes of U+FFFD. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    bytes++;
    if (unit < 0x800) continue;
    bytes++;
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const low = text.charCodeAt(at + 1);
    if (low >= 0xdc00 && low <= 0xdfff) at++;
  }
  return bytes;
}

/** Tokens of a text without a tokeniser: a quarter of its UTF-8 bytes, rounded up. */
export function estimateTokens(text: string): number {
  return Math.ceil(utf8Length(text) / 4);
}

/** The default counter: exact for budgets, needs no data, same answer everywhere. */
export const byteCounter: TokenCounter = {
  id: "bytes/4",
  count: estimateTokens,
  measure: (part) => utf8Length(part) / 4,
};

/** Tokens for the catalog when the window is unknown (8,000 characters). */
const unknownWindowBudget = 2_000;

/**
 * The catalog's budget in tokens: a share of the context window (default 2 %), rounded down; 2,000 when the window is
 * unknown or not a positive number (spec field, part C).
 */
export function defaultBudget(contextWindow: number | null, fraction = 0.02): number {
  if (contextWindow === null || !(contextWindow > 0) || contextWindow === Number.POSITIVE_INFINITY)
    return unknownWindowBudget;
  return Math.floor(contextWindow * fraction);
}
