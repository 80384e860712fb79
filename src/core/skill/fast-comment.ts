import { indentedLine, plainEnd, reservedStart, type Scan } from "./fast-scan.ts";
import type { ScalarNode } from "./frontmatter-node.ts";
import { keyShapes, skillKey } from "./skill-keys.ts";

/** A plain text on one line with a comment behind it; null = declined, as for free text, where a ` #` belongs to it. */
export function commented(scan: Scan, start: number, key: string): ScalarNode | null {
  const { text } = scan;
  const lineEnd = text.indexOf("\n", start);
  const hash = text.indexOf(" #", start);
  if (hash < 0 || hash >= lineEnd || reservedStart.has(text.charCodeAt(start)) || !hasComments(key))
    return null;
  // A comment may hold anything that is printed; what stands in front of it is looked at as the line that it would be.
  const comment = text.slice(hash + 2, lineEnd);
  const line = `${text.slice(start, hash)}\n`;
  const inner: Scan = { text: line, at: 0, line: 0, end: 0, count: 0 };
  const end = plainEnd(inner, 0);
  if (end <= 0 || inner.end !== line.length - 1 || !/^[ -~]*$/.test(comment)) return null;
  scan.at = lineEnd + 1;
  scan.line++;
  if (indentedLine(scan)) return null;
  return { kind: "scalar", style: "plain", text: line.slice(0, end), start, end: start + end };
}

function hasComments(key: string): boolean {
  const known = skillKey(key);
  if (known === null) return true;
  return keyShapes[known] !== "prose" && known !== "displayNames" && known !== "descriptions";
}

/** Most lines of a text in quotes that are read here. */
const mostLines = 50;

/** A text in double quotes without escapes and empty lines, over several indented lines; null = declined. */
export function quotedLines(scan: Scan, start: number): ScalarNode | null {
  const { text } = scan;
  if (text.charCodeAt(start) !== 0x22) return null;
  const close = text.indexOf('"', start + 1);
  if (close < 0) return null;
  const lines = text.slice(start + 1, close).split("\n");
  if (lines.length < 2 || lines.length > mostLines) return null;
  const indented = lines.every((line, index) => index === 0 || line.startsWith(" "));
  const words = lines.map((line) => line.trim());
  const whole = words.every(
    (line) =>
      line !== "" && !/[\\\0-\x1f\x7f\u0080-\u00a0\u1680-\u200f\u2028-\u202f\u205f\u3000\ufeff]/.test(line),
  );
  // A blank at either end of the whole text is kept by YAML, one at a line break is not.
  if (!indented || !whole || lines[0] !== lines[0]?.trimStart() || lines.at(-1) !== lines.at(-1)?.trimEnd())
    return null;
  // Three dashes or dots at the first column would end the document; here every line is indented.
  scan.line += lines.length - 1;
  return { kind: "scalar", style: "quoted", text: words.join(" "), start, end: close + 1 };
}
