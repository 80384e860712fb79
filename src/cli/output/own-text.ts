import { asciiSymbols, type Painter } from "./paint.ts";

const ascii: Readonly<Record<string, string>> = {
  "…": "...",
  "–": "-",
  "—": "-",
  "“": '"',
  "”": '"',
  "„": '"',
  "‘": "'",
  "’": "'",
  "·": "-",
  "→": "->",
  "×": "x",
  "≥": ">=",
  "≤": "<=",
};

/** A text for people in the characters that the terminal has: where it does not speak Unicode, its marks become ASCII. */
export function ownText(text: string, { symbols }: Pick<Painter, "symbols">): string {
  if (symbols.ellipsis !== asciiSymbols.ellipsis) return text;
  return text.replace(/[…–—“”„‘’·→×≥≤]/g, (mark) => ascii[mark] ?? mark);
}
