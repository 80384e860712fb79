const block = /^---\r?\n([\s\S]*?)\r?\n---/;
const fieldStart = /^([A-Za-z_][A-Za-z0-9_]*)\s*:/;
/** The mirrored program's pattern does not match a value with one of these in it. */
const otherBreaks = /[\r\u2028\u2029]/;

/**
 * The text with every top-level `key: value` of its frontmatter whose value holds a colon turned into a block text,
 * so that the colon is text (spec mimo-opencode 1.6, golden `fm.colon*`). Only unindented keys of word characters;
 * not values that are empty, quoted or just `>` or `|`. The same text when there is nothing to do, also when the
 * block has a language, a byte order mark in front or no closing fence.
 */
export function blockScalarColons(text: string): string {
  const match = block.exec(text);
  const frontmatter = match?.[1];
  if (match === null || frontmatter === undefined) return text;
  const lines = frontmatter.split(/\r?\n/).map((line) => {
    if (/^\s/.test(line) || line.startsWith("#")) return line;
    // Cut by hand: one pattern for the whole line is quadratic on blanks before such a break.
    const [start = "", key] = fieldStart.exec(line) ?? [];
    const rest = line.slice(start.length).trimStart();
    const value = rest.trimEnd();
    if (
      key === undefined ||
      otherBreaks.test(rest) ||
      value === ">" ||
      value === "|" ||
      /^["']/.test(value) ||
      !value.includes(":")
    )
      return line;
    return `${key}: |-\n  ${value}`;
  });
  const start = match[0].indexOf("\n") + 1;
  return text.slice(0, start) + lines.join("\n") + text.slice(start + frontmatter.length);
}
