import { createInterface } from "node:readline/promises";
import type { Context } from "../command.ts";

/**
 * Whether a person agrees. `--yes` answers for them; without a terminal nobody can be asked and nothing is done, which
 * is said on stderr (row H12).
 */
export async function confirm(context: Context, question: string): Promise<boolean> {
  if (context.flags.on("yes")) return true;
  if (!context.io.interactive || context.json) {
    context.note("Nothing was written, since nobody can be asked here. With --yes it is done.", "warning");
    return false;
  }
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await asking.question(`${question} [y/N] `);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    asking.close();
  }
}
