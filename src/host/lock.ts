import { randomBytes } from "node:crypto";
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { SkilletError } from "../core/error.ts";
import { pause } from "./atomic-write.ts";
import { fileError, systemCode } from "./file-error.ts";
import { toNative } from "./native-path.ts";

export interface LockOptions {
  /** Completes "Cannot …" in an error. */
  readonly action: string;
  /** Milliseconds to wait for another holder; default 5000. */
  readonly wait?: number;
  /** Milliseconds after which a holder that says nothing counts as dead; default 30000. */
  readonly staleAfter?: number;
}

export interface Lock {
  readonly token: string;
  /** Gives the lock back; does nothing when somebody took it over meanwhile. */
  release(): void;
}

interface Holder {
  readonly token: string;
  readonly pid: number;
  readonly host: string;
}

/** A lock without readable owner was cut off while it was made, which takes microseconds. */
const ownerlessAfter = 2000;

/**
 * Takes an advisory lock: a file with an owner token, the process and the machine. It only saves work and keeps two
 * changes from crossing; every change behind it is whole and merges what is on disk, so two holders at once do no harm
 * (rows G06, G10). Age is measured against the disk's own clock, so a wrong system clock changes nothing. Throws
 * `SkilletError` "failed" when the other holder does not finish in time.
 */
export function acquireLock(path: string, options: LockOptions): Lock {
  const native = toNative(path);
  const token = randomBytes(12).toString("hex");
  const started = performance.now();
  const wait = options.wait ?? 5000;
  try {
    mkdirSync(dirname(native), { recursive: true, mode: 0o700 });
    for (let attempt = 0; ; attempt++) {
      if (create(native, token)) return { token, release: () => release(native, token) };
      if (isStale(native, token, options.staleAfter ?? 30_000)) takeAway(native, token);
      else if (performance.now() - started >= wait) break;
      else pause(Math.min(5 + attempt * 5, 50));
    }
  } catch (error) {
    throw fileError(error, { action: options.action, path });
  }
  const holder = holderOf(native);
  const who = holder === null ? "Another process" : `Process ${holder.pid} on ${holder.host}`;
  throw new SkilletError("failed", `Cannot ${options.action}: ${who} is changing it and does not finish.`, {
    hint: `Try again. If no Skillet is running, remove ${path}`,
  });
}

/** Runs `work` under the lock and gives it back whatever happens. */
export function withLock<T>(path: string, options: LockOptions, work: () => T): T {
  const lock = acquireLock(path, options);
  try {
    return work();
  } finally {
    lock.release();
  }
}

function create(path: string, token: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, "wx", 0o600);
  } catch (error) {
    // A folder in its place (an older version's kind of lock) is handled like any other holder.
    if (["EEXIST", "EISDIR"].includes(systemCode(error))) return false;
    throw error;
  }
  try {
    writeSync(descriptor, JSON.stringify({ token, pid: process.pid, host: hostname() }));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  return true;
}

function release(path: string, token: string): void {
  try {
    if (holderOf(path)?.token === token) unlinkSync(path);
  } catch {
    // Left behind, it is taken over as the lock of a dead process.
  }
}

function holderOf(path: string): Holder | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof value !== "object" || value === null) return null;
    const { token, pid, host } = value as Partial<Record<keyof Holder, unknown>>;
    const whole = typeof token === "string" && typeof pid === "number" && typeof host === "string";
    return whole ? { token, pid, host } : null;
  } catch {
    return null;
  }
}

function isStale(path: string, token: string, staleAfter: number): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  const holder = holderOf(path);
  if (holder !== null && holder.host === hostname() && !isAlive(holder.pid)) return true;
  // A lock "from the future" is as old as the clock is wrong.
  const age = Math.abs(diskTime(path, token) - stats.mtimeMs);
  return age > (holder === null ? Math.min(ownerlessAfter, staleAfter) : staleAfter);
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== "ESRCH";
  }
}

/** What time it is for the disk that holds the lock. */
function diskTime(path: string, token: string): number {
  const probe = `${path}.probe-${token}`;
  const descriptor = openSync(probe, "w", 0o600);
  try {
    return fstatSync(descriptor).mtimeMs;
  } finally {
    closeSync(descriptor);
    rmSync(probe, { force: true });
  }
}

/**
 * Moves a stale lock aside and looks at what was moved: when it is not the one that was judged, somebody was faster
 * and gets it back, unless a third one has taken its place by then.
 */
function takeAway(path: string, token: string): void {
  const judged = holderOf(path)?.token ?? null;
  const aside = `${path}.stale-${token}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return;
    throw error;
  }
  const moved = holderOf(aside)?.token ?? null;
  if (moved !== judged) {
    try {
      linkSync(aside, path);
    } catch {
      // A third holder is there already.
    }
  }
  rmSync(aside, { recursive: true, force: true });
}
