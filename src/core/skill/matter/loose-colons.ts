const block = /^---\r?\n([\s\S]*?)\r?\n---/;
const field = /^([A-Za-z_][A-Za-z0-9_]*)\s*:\s*(.*)$/;

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
    const [, key, rest] = field.exec(line) ?? [];
    const value = rest?.trim() ?? "";
    if (key === undefined || value === ">" || value === "|" || /^["']/.test(value) || !value.includes(":"))
      return line;
    return `${key}: |-\n  ${value}`;
  });
  const start = match[0].indexOf("\n") + 1;
  return text.slice(0, start) + lines.join("\n") + text.slice(start + frontmatter.length);
}
