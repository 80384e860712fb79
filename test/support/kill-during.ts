import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** The longest that each operation took in this test, in milliseconds, as its worker said. */
export type Durations = Map<string, number>;

/**
 * Starts a worker that says `begin NAME` and `end NAME MILLISECONDS`, and kills it at `part` (0 to 1) of the first
 * `operation`; a worker whose operation never ended yet is left alone until it did. Gives what it was at when it died:
 * null = between two operations.
 */
export function killDuring(
  args: readonly string[],
  { operation, part, durations }: { operation: string; part: number; durations: Durations },
): Promise<string | null> {
  return new Promise((done, reject) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    let at: string | null = null;
    let set = false;
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [word, name = "", time] = line.split(" ");
      at = word === "begin" ? name : null;
      if (time !== undefined) durations.set(name, Math.max(durations.get(name) ?? 0, Number(time)));
      const usual = durations.get(operation);
      if (at !== operation || set || usual === undefined) return;
      set = true;
      setTimeout(() => child.kill("SIGKILL"), part * usual);
    });
    child.once("error", reject);
    child.once("close", (_code, signal) =>
      signal === "SIGKILL" ? done(at) : reject(new Error("the worker ended by itself")),
    );
  });
}
