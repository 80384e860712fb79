import type { Painter } from "./paint.ts";
import { wrap } from "./text-width.ts";

/** A blank line and a title, broken where the terminal is very narrow. */
export function heading(title: string, paint: Painter): readonly string[] {
  return ["", ...wrap(title, paint.textWidth).map(paint.bold)];
}
