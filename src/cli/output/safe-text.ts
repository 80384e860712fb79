import { printable } from "../../core/text/printable.ts";
import { singleLine } from "../../core/text/single-line.ts";

/** The tag characters of a flag are no danger, but no terminal shows them, and they look like the ones that hide text. */
const tags = /[\u{e0000}-\u{e007f}]/gu;

/** Foreign text with every character that could move, colour or hide something made visible; blanks stay as they are. */
export function safeText(text: string): string {
  const safe = printable(text);
  return safe.includes("\udb40") ? safe.replace(tags, "") : safe;
}

/** Foreign text as one line that a terminal cannot be moved, coloured or fooled by. */
export function safeLine(text: string): string {
  return safeText(singleLine(text));
}

/** Foreign text of several lines: line breaks stay, tabs become blanks, all else as in `safeLine`. */
export function safeLines(text: string): readonly string[] {
  return text.split(/\r\n|\n/).map((line) => safeText(line.replaceAll("\t", "    ")));
}
