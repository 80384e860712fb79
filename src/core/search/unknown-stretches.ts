import type { GlossTable } from "./gloss-table.ts";
import { meaningfulPieces } from "./han-stop-words.ts";
import { simplify } from "./simplify.ts";

const runs = /\p{Script=Han}+/gu;

/**
 * The parts of a Chinese request that nothing here understands, in its order: characters in no pair that the index knows
 * (`pairKnown`) and in no word of the table. A piece of one character is compared as it is and is never among them.
 */
export function unknownStretches(
  query: string,
  options: { readonly table: GlossTable; readonly pairKnown: (pair: string) => boolean },
): readonly string[] {
  const { table, pairKnown } = options;
  const found: string[] = [];
  for (const [run] of query.matchAll(runs))
    for (const piece of meaningfulPieces(simplify(run))) {
      const characters = Array.from(piece);
      if (characters.length === 1) continue;
      const known = new Uint8Array(characters.length);
      for (let at = 1; at < characters.length; at++)
        if (pairKnown(`${characters[at - 1]}${characters[at]}`)) known.fill(1, at - 1, at + 1);
      let from = 0;
      for (const { word } of table.words(piece)) {
        const start = piece.indexOf(word, from);
        from = start + word.length;
        const before = Array.from(piece.slice(0, start)).length;
        known.fill(1, before, before + Array.from(word).length);
      }
      for (let at = 0; at < known.length; at++) {
        if (known[at] === 1) continue;
        const end = known.indexOf(1, at);
        const stop = end < 0 ? known.length : end;
        found.push(characters.slice(at, stop).join(""));
        at = stop;
      }
    }
  return found;
}
