import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { acquireLock, withLock } from "./lock.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "skillet-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
const path = () => join(folder, "deep", "lock");
const action = "change it";

describe("acquireLock", () => {
  it("is held by one, waits no longer than asked, and is free again after release", () => {
    const lock = acquireLock(path(), { action });
    const started = performance.now();
    expect(() => acquireLock(path(), { action, wait: 60 })).toThrow(
      expect.objectContaining({
        code: "failed",
        message: expect.stringContaining(`Process ${process.pid} on `),
      }),
    );
    expect(performance.now() - started).toBeLessThan(3000);
    lock.release();
    lock.release();
    acquireLock(path(), { action, wait: 0 }).release();
    expect(readdirSync(join(folder, "deep"))).toEqual([]);
  });

  it("takes over from a dead process at once, from a living one only after a while", () => {
    const holder = (pid: number, host = hostname()) => {
      rmSync(path(), { force: true });
      acquireLock(path(), { action, wait: 0 });
      writeFileSync(path(), JSON.stringify({ token: "other", pid, host }));
    };
    holder(2 ** 22 + 7);
    acquireLock(path(), { action, wait: 0 }).release();
    holder(process.pid);
    expect(() => acquireLock(path(), { action, wait: 0 })).toThrow();
    holder(1, "another-machine");
    expect(() => acquireLock(path(), { action, wait: 0 })).toThrow(/another-machine/);
    const taken = acquireLock(path(), { action, wait: 2000, staleAfter: 30 });
    expect(readdirSync(join(folder, "deep"))).toEqual(["lock"]);
    taken.release();
  });

  it("does not give back a lock that somebody else took over", () => {
    const lock = acquireLock(path(), { action });
    const second = acquireLock(path(), { action, wait: 2000, staleAfter: 20 });
    lock.release();
    expect(readdirSync(join(folder, "deep"))).toEqual(["lock"]);
    second.release();
    expect(readdirSync(join(folder, "deep"))).toEqual([]);
  });

  it("is given back when the work throws", () => {
    expect(() =>
      withLock(path(), { action }, () => {
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(readdirSync(join(folder, "deep"))).toEqual([]);
  });
});
