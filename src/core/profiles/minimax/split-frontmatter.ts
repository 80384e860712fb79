/** A file cut at its frontmatter. */
export type FrontmatterSplit =
  | { readonly kind: "none"; readonly body: string }
  | { readonly kind: "unclosed" }
  | {
      readonly kind: "block";
      /** Between the fences, without the line break in front of the closing one. */
      readonly block: string;
      /** UTF-16 offset of the block. */
      readonly start: number;
      readonly body: string;
    };

const opening = /^---\r?\n/;

/**
 * Cuts a text at its frontmatter by MiniMax Code's rule (spec minimax 2.1): the first characters are `---` and a line
 * end, and the block ends at the next line that is exactly `---`. No byte order mark and no blanks are tolerated; a lone
 * carriage return ends no line.
 */
export function splitFrontmatter(text: string): FrontmatterSplit {
  const start = opening.exec(text)?.[0].length;
  if (start === undefined) return { kind: "none", body: text };
  for (let at = start; at <= text.length; ) {
    const feed = text.indexOf("\n", at);
    const end = feed < 0 ? text.length : feed;
    const line = text.slice(at, end);
    if (line === "---" || (feed >= 0 && line === "---\r")) {
      const block = text.slice(start, at).replace(/\r?\n$/, "");
      return { kind: "block", block, start, body: feed < 0 ? "" : text.slice(feed + 1) };
    }
    if (feed < 0) break;
    at = feed + 1;
  }
  return { kind: "unclosed" };
}
