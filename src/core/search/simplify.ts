import { simplified, traditional } from "./traditional.ts";

let forms: Map<string, string> | null = null;

/** The text with every traditional character in its simplified form; one for one, so that places stay. */
export function simplify(text: string): string {
  if (forms === null) {
    const targets = Array.from(simplified);
    forms = new Map(
      Array.from(traditional).map((character, index) => [character, targets[index] ?? character]),
    );
  }
  let changed = "";
  for (const character of text) changed += forms.get(character) ?? character;
  return changed;
}
