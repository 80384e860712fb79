import { exitCodes } from "../../src/cli/commands/help.ts";

/** `docs/exit-codes.md`, from the table that `skillet help exit-codes` prints. */
export function exitCodePage(): string {
  return [
    "# Exit codes",
    "",
    "| code | meaning |",
    "|---|---|",
    ...exitCodes.map(([code, meaning]) => `| ${code} | ${meaning} |`),
    "",
    'With `--json` an error is `{"error":{"code","message","hint"}}` on stdout, with the same exit code.',
    "",
  ].join("\n");
}
