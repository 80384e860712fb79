import { SkilletError, type SkilletErrorCode } from "../core/error.ts";
import { flagValues } from "./flags.ts";
import type { Io } from "./io.ts";
import { jsonText } from "./output/json-text.ts";
import { ownText } from "./output/own-text.ts";
import { painterFor } from "./output/painter.ts";
import { safeText } from "./output/safe-text.ts";
import { wrap } from "./output/text-width.ts";

const exitCodes: Readonly<Record<SkilletErrorCode, number>> = {
  usage: 2,
  config: 2,
  environment: 2,
  "not-found": 3,
  denied: 1,
  failed: 1,
  cancelled: 130,
};

/**
 * Says what went wrong, on stderr for people, on stdout as `{"error":…}` with --json, and gives the exit code. Works
 * from the raw arguments, because they may be what is wrong.
 */
export function reportError(error: unknown, args: readonly string[], io: Io): number {
  const end = args.indexOf("--");
  const flags = (end < 0 ? args : args.slice(0, end)).flatMap((arg) => arg.match(/^--([a-z-]+)$/)?.[1] ?? []);
  const given = flagValues(new Map(flags.map((name) => [name, []])));
  const known = error instanceof SkilletError;
  const code = known ? error.code : "internal";
  const message = error instanceof Error ? error.message : String(error);
  const hint = known ? error.hint : "This is a defect in Skillet. -v shows where.";
  if (given.on("json")) io.stdout.write(jsonText({ error: { code, message, hint } }));
  else {
    const paint = painterFor(io.stderr, io, given);
    const lines = wrap(`skillet: ${ownText(safeText(message), paint)}`, paint.textWidth);
    io.stderr.write(`${lines.join("\n").replace(/^skillet:/, paint.red)}\n`);
    if (hint !== null)
      for (const text of hint
        .split("\n")
        .flatMap((row) => wrap(ownText(safeText(row), paint), paint.textWidth - 2)))
        io.stderr.write(`  ${paint.dim(text)}\n`);
    const verbose = given.on("verbose") || args.includes("-v");
    if (!known && verbose && error instanceof Error) io.stderr.write(`${safeText(error.stack ?? "")}\n`);
  }
  return known ? exitCodes[error.code] : 1;
}
