/**
 * Splits at a separator outside of brackets, braces, parentheses and quotes; parts are trimmed, empty ones stay. With
 * `"blank"` every run of white space and every comma separates. When brackets do not balance they count as ordinary
 * characters, so that one slip does not swallow the rest (case p-allowed-tools). Linear.
 */
export function splitOutside(text: string, separator: "," | "blank"): readonly string[] {
  return split(text, separator, true) ?? split(text, separator, false) ?? [text.trim()];
}

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

function split(text: string, separator: "," | "blank", nested: boolean): readonly string[] | null {
  const parts: string[] = [];
  const open: string[] = [];
  let from = 0;
  let quote = "";
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (quote !== "") {
      if (character === "\\" && quote === '"') index++;
      else if (character === quote) quote = "";
      continue;
    }
    if (
      (character === '"' || character === "'") &&
      (index === from || /[\s([{,]/.test(text.charAt(index - 1)))
    ) {
      if (text.indexOf(character, index + 1) > 0) quote = character;
      continue;
    }
    if (nested && closers[character] !== undefined) open.push(closers[character] as string);
    else if (open.length > 0 && character === open.at(-1)) open.pop();
    else if (open.length === 0 && (character === "," || (separator === "blank" && /\s/.test(character)))) {
      parts.push(text.slice(from, index).trim());
      from = index + 1;
    }
  }
  if (open.length > 0) return null;
  parts.push(text.slice(from).trim());
  return parts;
}
