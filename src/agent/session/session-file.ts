import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { SkilletError } from "../../core/error.ts";
import { fileError, systemCode } from "../../host/file-error.ts";
import { makeFolders } from "../../host/make-folders.ts";
import { toNative } from "../../host/native-path.ts";
import type { SessionHead, SessionRecord } from "./record.ts";
import { lockSession } from "./session-lock.ts";

/** An open session: its records so far, and a way to add to them. */
export interface SessionFile {
  readonly path: string;
  readonly head: SessionHead;
  readonly records: readonly SessionRecord[];
  /** Lines that could not be read and are left out. */
  readonly damaged: number;
  /** Adds a line. It is on the disk when this returns, but for pieces of an answer, which may be lost in a power cut. */
  append(record: SessionRecord): void;
  close(): void;
}

/** Starts a session's file. Throws `SkilletError` when it cannot be written. */
export function createSession(path: string, head: SessionHead): SessionFile {
  const native = toNative(path);
  try {
    makeFolders(dirname(native), 0o700);
    const lock = lockSession(path);
    try {
      const descriptor = openSync(native, "ax", 0o600);
      const file = sessionOver({ path, head, records: [], damaged: 0, descriptor, unlock: lock });
      file.append(head);
      return file;
    } catch (error) {
      lock();
      throw error;
    }
  } catch (error) {
    throw fileError(error, { action: "store the session", path });
  }
}

/**
 * Opens a session to go on with it. A line that was cut off by a crash is removed, and one that is damaged otherwise is
 * left out and counted. Throws `SkilletError` when it is no session, or is open in another process.
 */
export function openSession(path: string): SessionFile {
  const native = toNative(path);
  const lock = lockSession(path);
  try {
    const bytes = readFileSync(native);
    const end = bytes.lastIndexOf(0x0a) + 1;
    const { head, records, damaged } = parseSession(bytes.subarray(0, end).toString("utf8"));
    if (head === null)
      throw new SkilletError("failed", `${path} is no session of Skillet.`, {
        hint: "skillet chat --sessions lists those that there are.",
      });
    const descriptor = openSync(native, "a", 0o600);
    if (end < bytes.length) ftruncateSync(descriptor, end);
    return sessionOver({ path, head, records, damaged, descriptor, unlock: lock });
  } catch (error) {
    lock();
    throw systemCode(error) === "ENOENT"
      ? new SkilletError("not-found", "There is no such session.", {
          hint: "skillet chat --sessions lists those that there are.",
        })
      : fileError(error, { action: "open the session", path });
  }
}

/** Records of a file's whole lines. */
export function parseSession(text: string): {
  readonly head: SessionHead | null;
  readonly records: SessionRecord[];
  readonly damaged: number;
} {
  const records: SessionRecord[] = [];
  let damaged = 0;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const record = parseLine(line);
    if (record === null) damaged += 1;
    else records.push(record);
  }
  const [first] = records;
  return { head: first?.type === "session" && first.version === 1 ? first : null, records, damaged };
}

/** One record, null when the line is none. What it holds was written by this program; its shape is trusted. */
export function parseLine(line: string): SessionRecord | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"
      ? (value as SessionRecord)
      : null;
  } catch {
    return null;
  }
}

function sessionOver(parts: {
  readonly path: string;
  readonly head: SessionHead;
  readonly records: SessionRecord[];
  readonly damaged: number;
  readonly descriptor: number;
  readonly unlock: () => void;
}): SessionFile {
  const { path, head, records, damaged, descriptor } = parts;
  let open = true;
  return {
    path,
    head,
    records,
    damaged,
    append(record) {
      if (!open) return;
      const bytes = Buffer.from(`${JSON.stringify(record)}\n`, "utf8");
      try {
        for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
        if (record.type !== "delta") fsyncSync(descriptor);
      } catch (error) {
        throw fileError(error, { action: "store the session", path });
      }
      records.push(record);
    },
    close() {
      if (!open) return;
      open = false;
      closeSync(descriptor);
      // Nobody goes on with a session in which nothing was said.
      if (!records.some(({ type }) => type === "user")) rmSync(toNative(path), { force: true });
      parts.unlock();
    },
  };
}
