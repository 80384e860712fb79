import { ownText } from "./own-text.ts";
import type { Painter } from "./paint.ts";
import { wrap } from "./text-width.ts";

export { painterFor } from "./painter.ts";

/** A note for stderr: wrapped, coloured line by line, ended by a newline. */
export function noteText(text: string, tone: "dim" | "warning" | undefined, paint: Painter): string {
  const color = tone === "dim" ? paint.dim : tone === "warning" ? paint.yellow : (line: string) => line;
  return wrap(ownText(text, paint), paint.textWidth)
    .map((line) => `${color(line)}\n`)
    .join("");
}
