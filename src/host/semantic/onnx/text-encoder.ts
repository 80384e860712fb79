import { modelError, reasonOf } from "./model-error.ts";
import type { ModelFolder } from "./model-folder.ts";
import type { Tokenizer } from "./optional-packages.ts";

/** Numbers of a text's tokens, special ones included, at most as many as the model takes. */
export type TextEncoder = (text: string) => readonly number[];

/**
 * Cuts texts into tokens as the model wants them. A text that is too long loses the end of its own tokens and keeps the
 * special ones around them. Throws `SkilletError` "failed" where the tokenizer cannot do a text.
 */
export function createTextEncoder(
  tokenizer: Tokenizer,
  model: Pick<ModelFolder, "folder" | "maxLength" | "lowerCase"> & { readonly special: boolean },
): TextEncoder {
  const { folder, maxLength, lowerCase } = model;
  const encode = (text: string, special: boolean): readonly number[] => {
    try {
      // A word that a table without a token for unknown ones does not hold has no number.
      const { ids } = tokenizer.encode(text, { add_special_tokens: special });
      return ids.filter((id) => Number.isInteger(id)) as readonly number[];
    } catch (error) {
      throw modelError(
        `The tokenizer.json of ${folder} failed at a text: ${reasonOf(error)}.`,
        "Download tokenizer.json again, or choose another model.",
        error,
      );
    }
  };
  return (text) => {
    const written = lowerCase ? text.toLowerCase() : text;
    const whole = encode(written, model.special);
    if (whole.length <= maxLength) return whole;
    const bare = encode(written, false);
    const around = whole.length - bare.length;
    const from = startOf(bare, whole);
    if (from < 0 || around >= maxLength) return whole.slice(0, maxLength);
    return [
      ...whole.slice(0, from),
      ...bare.slice(0, maxLength - around),
      ...whole.slice(from + bare.length),
    ];
  };
}

/** Where the one list stands whole in the other; -1 = nowhere. */
function startOf(part: readonly number[], whole: readonly number[]): number {
  for (let start = 0; start + part.length <= whole.length; start++)
    if (part.every((id, place) => whole[start + place] === id)) return start;
  return -1;
}
