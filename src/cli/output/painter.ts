import { createColors } from "picocolors";
import type { FlagValues } from "../flags.ts";
import type { Io, Sink } from "../io.ts";
import { asciiSymbols, type Painter, unicodeSymbols } from "./paint.ts";

/** `flags` decide before the environment does: --no-color, --color, NO_COLOR, FORCE_COLOR, then whether it is a terminal. */
export function painterFor(sink: Sink, io: Io, flags: FlagValues): Painter {
  const colors = createColors(wantsColor(sink, io, flags));
  const width = sink.isTTY ? Math.max(sink.columns ?? 80, 20) : Number.POSITIVE_INFINITY;
  return {
    bold: colors.bold,
    dim: colors.dim,
    red: colors.red,
    green: colors.green,
    yellow: colors.yellow,
    cyan: colors.cyan,
    symbols: speaksUnicode(io.env) ? unicodeSymbols : asciiSymbols,
    isTTY: sink.isTTY,
    width,
    textWidth: Math.min(width, 100),
  };
}

/** Whether a stream is coloured: flags first, then NO_COLOR and FORCE_COLOR, then what it is. */
export function wantsColor(sink: Sink, io: Io, flags: FlagValues): boolean {
  if (flags.on("no-color")) return false;
  if (flags.on("color")) return true;
  if ((io.env.NO_COLOR ?? "") !== "") return false;
  const forced = io.env.FORCE_COLOR ?? "";
  if (forced !== "") return forced !== "0" && forced !== "false";
  return sink.isTTY && io.env.TERM !== "dumb";
}

/** The first of the locale's variables that is set decides, as in POSIX; where none is set, the system's habit. */
function speaksUnicode(env: Io["env"]): boolean {
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find((value) => (value ?? "") !== "");
  if (locale !== undefined) return /utf-?8/i.test(locale);
  return process.platform === "darwin" || (process.platform === "win32" && (env.WT_SESSION ?? "") !== "");
}
