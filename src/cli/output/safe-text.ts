import { printable } from "../../core/text/printable.ts";
import { singleLine } from "../../core/text/single-line.ts";

/** Foreign text as one line that a terminal cannot be moved, coloured or fooled by. */
export function safeLine(text: string): string {
  return printable(singleLine(text));
}

/** Foreign text of several lines: line breaks stay, tabs become blanks, all else as in `safeLine`. */
export function safeLines(text: string): readonly string[] {
  return text.split(/\r\n|\n/).map((line) => printable(line.replaceAll("\t", "    ")));
}
