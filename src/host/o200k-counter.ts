import { createRequire } from "node:module";
import { type TokenCounter, utf8Length } from "../core/catalog/token-counter.ts";

/** Letters or digits in a row, in code points, above which a text is counted by its bytes: merging such a run is quadratic. */
const longestRun = 4_096;

interface Encoder {
  countTokens(text: string, options: { readonly allowedSpecial: "all" }): number;
}

let made: TokenCounter | null = null;

/**
 * Counts by `o200k_base`, as MiniMax Code does (spec minimax 4.1): names of special tokens are allowed (the
 * library takes one for a token only at the very start of a text), and a text with an endless word, or one that the
 * tokeniser cannot take, counts as its UTF-8 bytes. The tokeniser's tables
 * take some 60 MB and a noticeable moment, so they load at the first call of `count`, not before.
 */
export function o200kCounter(): TokenCounter {
  made ??= createCounter();
  return made;
}

function createCounter(): TokenCounter {
  let encoder: Encoder | null = null;
  const tokens = (part: string): number | null => {
    if (hasLongRun(part)) return null;
    encoder ??= createRequire(import.meta.url)("gpt-tokenizer/encoding/o200k_base") as Encoder;
    try {
      return encoder.countTokens(part, { allowedSpecial: "all" });
    } catch {
      // What the tokeniser cannot take is counted in bytes, as in the mirrored program.
      return null;
    }
  };
  return {
    id: "o200k_base",
    count: (text) => tokens(text) ?? utf8Length(text),
    seams: {
      in: (text) => {
        // A part that starts with the name of a special token would count it as one token.
        if (text.includes("<|")) return () => false;
        return (index) => isSeam(text, index);
      },
      count: tokens,
    },
  };
}

const letterOrDigit = /[\p{L}\p{N}]/u;
/** What can belong to one piece with a letter or digit in front of it; the apostrophe for `'s` and the like. */
const continues = /[\p{L}\p{N}\p{M}']/u;

/** The encoding first splits a text into words and signs; a letter or digit never ends a piece that goes on with a sign. */
function isSeam(text: string, index: number): boolean {
  const before = text[index - 1] ?? "";
  if (!letterOrDigit.test(before)) return false;
  const after = text.codePointAt(index);
  return after !== undefined && !continues.test(String.fromCodePoint(after));
}

function hasLongRun(text: string): boolean {
  if (text.length <= longestRun) return false;
  for (const [run] of text.matchAll(/[\p{L}\p{N}]+/gu))
    if (run.length > longestRun && [...run].length > longestRun) return true;
  return false;
}
