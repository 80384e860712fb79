/** Closing brackets that a value lacks at its end; "" when it lacks none or they don't match. */
export function missingBrackets(value: string): string {
  const open: string[] = [];
  let quote = "";
  for (let index = 0; index < value.length && open.length < 32; index++) {
    const character = value.charAt(index);
    if (quote !== "") {
      if (character === "\\" && quote === '"') index++;
      else if (character === quote) quote = "";
    } else if ((character === '"' || character === "'") && /[\s[{,:(]/.test(value.charAt(index - 1)))
      quote = character;
    else if (character === "[") open.push("]");
    else if (character === "{") open.push("}");
    else if ((character === "]" || character === "}") && open.pop() !== character) return "";
  }
  return quote === "" ? open.reverse().join("") : "";
}

/** Index of the bracket that closes the one at the start, else -1. Quoted parts count as text. */
export function closingIndex(value: string): number {
  let depth = 0;
  let quote = "";
  for (let index = 0; index < value.length; index++) {
    const character = value.charAt(index);
    if (quote !== "") {
      if (character === "\\" && quote === '"') index++;
      else if (character === quote) quote = "";
    } else if ((character === '"' || character === "'") && /[\s[{,:(]/.test(value.charAt(index - 1))) {
      if (value.indexOf(character, index + 1) > 0) quote = character;
    } else if (character === "[" || character === "{") depth++;
    else if (character === "]" || character === "}") {
      depth--;
      if (depth === 0) return index;
    }
  }
  return -1;
}

/** An item without the quotes around it. */
export function unquote(item: string): string {
  const first = item.charAt(0);
  if (item.length < 2 || (first !== '"' && first !== "'") || !item.endsWith(first)) return item;
  const inner = item.slice(1, -1);
  return first === "'" ? inner.replaceAll("''", "'") : inner.replaceAll('\\"', '"').replaceAll("\\\\", "\\");
}
