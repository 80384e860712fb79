/** How a line of arguments is split into words. */
export type Quoting = "shell" | "pairs";

const space = /\s/;
const letterOrDigit = /[\p{L}\p{N}]/u;
const imageMark = /\[image\s+\d+\]/iy;

/** Finds closing quotes from left to right; remembers what it did not find, so that all calls together are linear. */
function quoteFinder(text: string): (open: number) => number {
  const none = new Set<string>();
  let onlyEscaped = false;
  return (open) => {
    const quote = text[open] ?? "";
    if (none.has(quote)) return -1;
    if (quote === '"' && !onlyEscaped) {
      for (let at = text.indexOf(quote, open + 1); at >= 0; at = text.indexOf(quote, at + 1))
        if (text[at - 1] !== "\\") return at;
      onlyEscaped = true;
    }
    // With nothing but `\"` left, the first one closes: a Windows path in quotes ends in a backslash.
    const end = text.indexOf(quote, open + 1);
    if (end < 0) none.add(quote);
    return end;
  };
}

/**
 * Words as a shell would cut them, made tolerant of plain language: a quote that never closes and an apostrophe
 * inside a word are literal, and a backslash is literal except in `"\""`.
 */
function shellWords(text: string): string[] {
  const words: string[] = [];
  let word = "";
  let open = false;
  const closing = quoteFinder(text);
  for (let at = 0; at < text.length; at++) {
    const unit = text[at] ?? "";
    if (space.test(unit)) {
      if (open) words.push(word);
      word = "";
      open = false;
      continue;
    }
    const quotes = unit === '"' || (unit === "'" && !letterOrDigit.test(text[at - 1] ?? ""));
    const end = quotes ? closing(at) : -1;
    if (end >= 0) {
      const inner = text.slice(at + 1, end);
      word += unit === '"' ? inner.replaceAll('\\"', () => '"') : inner;
      at = end;
    } else word += unit;
    open = true;
  }
  if (open) words.push(word);
  return words;
}

/** Words where each pair of quotes is a word of its own, unclosed quotes vanish, and `[Image 1]` is one word. */
function pairedWords(text: string): string[] {
  const words: string[] = [];
  for (let at = 0; at < text.length; ) {
    const unit = text[at] ?? "";
    if (unit === '"' || unit === "'") {
      const end = text.indexOf(unit, at + 1);
      if (end > at) words.push(text.slice(at + 1, end));
      at = end > at ? end + 1 : at + 1;
    } else if (space.test(unit)) at++;
    else {
      imageMark.lastIndex = at;
      const image = imageMark.exec(text);
      let end = at + (image?.[0].length ?? 0);
      if (image === null) while (end < text.length && !/[\s"']/.test(text[end] ?? "")) end++;
      words.push(text.slice(at, end));
      at = end;
    }
  }
  return words;
}

/** Splits what a person typed after a command into words, in order. Never throws. */
export function splitArguments(text: string, quoting: Quoting): readonly string[] {
  return quoting === "shell" ? shellWords(text) : pairedWords(text);
}
