/** A text as a quoted YAML scalar on one line that every reader understands the same way. */
export function quotedYaml(text: string): string {
  if (text.includes('"') && !/['\\\n\r\t]/.test(text) && printableAscii(text)) return `'${text}'`;
  let result = '"';
  for (const character of text) {
    const codePoint = character.codePointAt(0) as number;
    if (character === '"' || character === "\\") result += `\\${character}`;
    else if (character === "\n") result += "\\n";
    else if (character === "\t") result += "\\t";
    else if (codePoint < 0x20 || (codePoint >= 0x7f && codePoint <= 0xa0))
      result += `\\x${hex(codePoint, 2)}`;
    else if (needsEscape(codePoint)) result += `\\u${hex(codePoint, 4)}`;
    else result += character;
  }
  return `${result}"`;
}

function printableAscii(text: string): boolean {
  return !/[^\x20-\x7e\u00a1-\uffff]/.test(text);
}

function needsEscape(codePoint: number): boolean {
  return (
    codePoint === 0x2028 ||
    codePoint === 0x2029 ||
    codePoint === 0xfeff ||
    (codePoint >= 0xd800 && codePoint <= 0xdfff)
  );
}

function hex(codePoint: number, digits: number): string {
  return codePoint.toString(16).padStart(digits, "0");
}

/** Words that some YAML version reads as something else than a text. */
const loaded = /^(?:~|null|true|false|yes|no|on|off|y|n|\.nan|[-+]?\.inf)$/i;

/**
 * A text as YAML, plain where every reader agrees that it is a text, else quoted. For one-word values and list items.
 */
export function yamlText(text: string): string {
  const plain = /^[\p{L}_][\p{L}\p{N}_ ./()*+-]*$/u.test(text) && !text.endsWith(" ") && !loaded.test(text);
  return plain ? text : quotedYaml(text);
}

/** A text as the value of a key: plain if it is safe there, else quoted. Plain prose may hold commas and the like. */
export function yamlProse(text: string): string {
  const plain =
    /^[\p{L}(<$_][^\n\r\t\0-\x1f\x7f-\xa0\u2028\u2029\ufeff]*$/u.test(text) &&
    !/:(?=\s|$)|\s#|\s$/.test(text) &&
    !loaded.test(text);
  return plain ? text : quotedYaml(text);
}
