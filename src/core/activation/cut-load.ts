import type { TokenCounter } from "../catalog/token-counter.ts";

/** The end of a load (folder, files, closing tag) is kept when it takes at most this share of the room. */
const tailShare = 0.3;

/**
 * A load's text shortened to at most `tokens`: whole lines from the start, a line that says how much is missing and how to
 * get it, and the end of the frame. "" when not even that fits. Never a silent cut (case b-long-body).
 */
export function cutLoad(
  text: string,
  options: { readonly name: string; readonly tokens: number; readonly counter: TokenCounter },
): string {
  const { tokens, counter } = options;
  const tail = tailOf(text, (part) => counter.count(part) <= tokens * tailShare);
  const head = text.slice(0, text.length - tail.length);
  const lines = head.split("\n");
  const fits = (count: number): boolean => counter.count(shortened(lines, count, tail)) <= tokens;
  if (!fits(1)) return "";
  let [low, high] = [1, lines.length];
  // The longest start that fits; counting each candidate whole keeps the bound exact for every counter.
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return shortened(lines, low, tail);
}

function shortened(lines: readonly string[], count: number, tail: string): string {
  const missing = lines.length - count;
  const note = `[${missing} of ${lines.length} lines are left out here to save room. Load the skill again with the skill tool to read all of it.]`;
  return `${lines.slice(0, count).join("\n")}\n\n${note}${tail === "" ? "" : `\n${tail.replace(/^\n+/, "")}`}`;
}

/** What follows the last empty line, else the last line, where it is short enough. */
function tailOf(text: string, fits: (part: string) => boolean): string {
  const paragraph = text.slice(Math.max(0, text.lastIndexOf("\n\n")));
  if (paragraph.length < text.length && fits(paragraph)) return paragraph;
  const line = text.slice(Math.max(0, text.lastIndexOf("\n")));
  return line.length < text.length && line.trimStart().startsWith("</") && fits(line) ? line : "";
}
