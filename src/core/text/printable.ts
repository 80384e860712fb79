import { hiddenCharacters } from "./hidden-characters.ts";

const short: Readonly<Record<number, string>> = { 9: "\\t", 10: "\\n", 13: "\\r" };

/**
 * Any foreign text as one safe line for a terminal, a log or an error message: controls (and with them every escape
 * sequence), line breaks, tabs, direction marks, zero-width and tag characters, lone surrogates appear as `\n`,
 * `\u{1b}`, `\u{202e}`. Idempotent; emoji sequences stay whole (security.md B02, B04, B05).
 */
export function printable(text: string): string {
  const found = hiddenCharacters(text);
  if (found.length === 0 && !/[\t\n]/.test(text)) return text;
  let result = "";
  let from = 0;
  for (const { index, codePoint } of found) {
    result += lineOf(text.slice(from, index)) + escaped(codePoint);
    from = index + (codePoint > 0xffff ? 2 : 1);
  }
  return result + lineOf(text.slice(from));
}

function lineOf(text: string): string {
  return text.replace(/[\t\n]/g, (character) => short[character.charCodeAt(0)] as string);
}

function escaped(codePoint: number): string {
  return short[codePoint] ?? `\\u{${codePoint.toString(16)}}`;
}
