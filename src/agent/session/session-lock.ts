import { closeSync, openSync, readFileSync, statSync, unlinkSync, utimesSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { SkilletError } from "../../core/error.ts";
import { systemCode } from "../../host/file-error.ts";
import { toNative } from "../../host/native-path.ts";

/** Milliseconds between two signs of life of a holder, and after which one of another machine counts as gone. */
const beat = 10_000;
const goneAfter = 60_000;

/**
 * Keeps two processes from writing to one session: a file beside it with the process that has it, when that began, and
 * its machine; touched from time to time. A holder that does not run any more is taken over: on this machine at once,
 * also when its number went to another process; one elsewhere (a container that is gone, a shared disk) when it gave no
 * sign of life for a minute. Returns what gives the lock back. Throws `SkilletError` when the session is open elsewhere.
 */
export function lockSession(path: string): () => void {
  const lock = toNative(`${path}.lock`);
  const own = `${process.pid} ${hostname()} ${startOf(process.pid) ?? "-"}`;
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const descriptor = openSync(lock, "wx", 0o600);
      writeSync(descriptor, own);
      closeSync(descriptor);
      const timer = setInterval(() => touch(lock), beat).unref();
      return () => {
        clearInterval(timer);
        if (holder(lock) === own) unlinkQuietly(lock);
      };
    } catch (error) {
      if (systemCode(error) !== "EEXIST") throw error;
      const held = holder(lock);
      if (held !== null && isRunning(held, lock))
        throw new SkilletError(
          "failed",
          `This session is open in another Skillet (process ${held.split(" ")[0]}).`,
          {
            hint: "Close it there, begin a new session, or go on with another one: skillet chat --sessions lists them, --resume ID opens one.",
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

function isRunning(held: string, lock: string): boolean {
  const [pid = "", host = "", start = "-"] = held.split(" ");
  if (!/^\d+$/.test(pid)) return false;
  if (host !== hostname()) return age(lock) < goneAfter;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    return systemCode(error) === "EPERM";
  }
  // A lock without a beginning is of an earlier version, or of a system that does not tell.
  const now = startOf(Number(pid));
  return start === "-" || now === null || now === start;
}

/** When a process began, as Linux tells it: the boot, and ticks since then; null elsewhere. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program may hold blanks and brackets; behind it stand plain numbers.
    const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return ticks === undefined ? null : `${boot}/${ticks}`;
  } catch {
    return null;
  }
}

/** Milliseconds since the holder's last sign of life; a lock "from the future" is as old as the clock is wrong. */
function age(lock: string): number {
  try {
    return Math.abs(Date.now() - statSync(lock).mtimeMs);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function touch(lock: string): void {
  try {
    const now = new Date();
    utimesSync(lock, now, now);
  } catch {
    // It was taken over or removed; nothing is left to keep.
  }
}

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Somebody was faster.
  }
}
