import type { FlagValues } from "../flags.ts";
import { safeLine } from "./safe-text.ts";

/** A word as a shell takes it, quoted only where it must be. Control characters are never part of the result. */
export function shellWord(word: string): string {
  const safe = safeLine(word);
  return /^[\w@%+=:,./~-]+$/.test(safe) && !safe.startsWith("-")
    ? safe
    : `'${safe.replaceAll("'", `'\\''`)}'`;
}

/** A command line to suggest: the profile that was asked for stays the same. */
export function skilletLine(rest: string, flags: FlagValues): string {
  const profile = flags.text("as");
  return ["skillet", rest, ...(profile === undefined ? [] : ["--as", shellWord(profile)])]
    .filter((part) => part !== "")
    .join(" ");
}
