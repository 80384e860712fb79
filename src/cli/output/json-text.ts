/** Control, direction and other invisible characters that JSON.stringify leaves as they are. */
const unsafe =
  /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udfff]/g;

/**
 * A value as JSON for stdout: indented, every control and invisible character as an escape, so that the same data
 * is read back and nothing reaches a terminal that could move its cursor or hide text.
 */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replace(unsafe, escaped)}\n`;
}

/** The same on one line, for output of one value a line. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value).replace(unsafe, escaped)}\n`;
}

function escaped(match: string): string {
  return [...Array(match.length).keys()]
    .map((index) => `\\u${match.charCodeAt(index).toString(16).padStart(4, "0")}`)
    .join("");
}
