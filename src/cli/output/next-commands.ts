import type { FlagValues } from "../flags.ts";
import type { Painter } from "./paint.ts";
import { rows } from "./rows.ts";
import { skilletLine } from "./shell-words.ts";

/** The closing lines of an answer: what to type next, and what that gives. */
export function nextCommands(
  commands: readonly (readonly [line: string, meaning: string])[],
  flags: FlagValues,
  paint: Painter,
): readonly string[] {
  const table = commands.map(([line, meaning]) => [
    { text: skilletLine(line, flags), paint: paint.cyan },
    { text: meaning, paint: paint.dim },
  ]);
  return ["", paint.bold("Next"), ...rows(table, paint, { shrink: false })];
}
