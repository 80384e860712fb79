import { closeSync, openSync, readFileSync, unlinkSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { SkilletError } from "../../core/error.ts";
import { systemCode } from "../../host/file-error.ts";
import { toNative } from "../../host/native-path.ts";

/**
 * Keeps two processes from writing to one session: a file beside it with the process that has it. One that is no longer
 * running is taken over. Returns what gives it back. Throws `SkilletError` when the session is open elsewhere.
 */
export function lockSession(path: string): () => void {
  const lock = toNative(`${path}.lock`);
  const own = `${process.pid} ${hostname()}`;
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const descriptor = openSync(lock, "wx", 0o600);
      writeSync(descriptor, own);
      closeSync(descriptor);
      return () => {
        if (holder(lock) === own) unlinkQuietly(lock);
      };
    } catch (error) {
      if (systemCode(error) !== "EEXIST") throw error;
      const held = holder(lock);
      if (held !== null && isRunning(held))
        throw new SkilletError(
          "failed",
          `This session is open in another Skillet (process ${held.split(" ")[0]}).`,
          {
            hint: "Close it there, or begin a new session.",
          },
        );
      unlinkQuietly(lock);
    }
  }
  throw new SkilletError("failed", "The session could not be locked.", { hint: "Try again." });
}

function holder(lock: string): string | null {
  try {
    return readFileSync(lock, "utf8");
  } catch {
    return null;
  }
}

/** A process of another machine cannot be asked; its lock counts. */
function isRunning(held: string): boolean {
  const [pid = "", host = ""] = held.split(" ");
  if (!/^\d+$/.test(pid)) return false;
  if (host !== hostname()) return true;
  if (Number(pid) === process.pid) return true;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return systemCode(error) === "EPERM";
  }
}

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Somebody was faster.
  }
}
