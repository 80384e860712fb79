import { fstatSync } from "node:fs";
import type { Context } from "./command.ts";

/** After so many milliseconds a person is told what is waited for. */
const patience = 3_000;
/** Bytes of input that are taken. */
const limit = 10 * 1024 * 1024;

/** What is piped into the command, null when nothing is: a terminal, `/dev/null`, or no stdin at all. */
export async function readInput(context: Context): Promise<string | null> {
  if (context.io.input !== undefined) return context.io.input;
  if (process.stdin.isTTY === true || context.io.cwd !== null) return null;
  try {
    const stats = fstatSync(0);
    if (!stats.isFIFO() && !stats.isFile() && !stats.isSocket()) return null;
  } catch {
    return null;
  }
  const timer = setTimeout(() => context.note("Waiting for the input to end.", "dim"), patience);
  try {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of process.stdin) {
      const bytes = Buffer.from(chunk);
      chunks.push(bytes);
      length += bytes.length;
      if (length > limit) break;
    }
    return Buffer.concat(chunks).subarray(0, limit).toString("utf8");
  } finally {
    clearTimeout(timer);
  }
}
