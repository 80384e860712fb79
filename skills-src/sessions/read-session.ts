import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import type { SessionEvent, SessionFacts, SessionFormat } from "./transcript.ts";

export interface SessionFile {
  readonly id: string;
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly changed: number;
  readonly bytes: number;
}

export interface Session extends SessionFile {
  readonly facts: SessionFacts;
  readonly events: readonly SessionEvent[];
  /** Lines that were no JSON (a crash cuts the last one off) or too long. */
  readonly unreadable: number;
  /** False when reading ended early because enough was known. */
  readonly whole: boolean;
}

/** Longest line that is read; longer ones hold pictures or dumps. */
const longestLine = 8 * 1024 * 1024;
const deepest = 6;

/** Session files of a format, the last changed first. Links are not followed. */
export function sessionFiles(format: SessionFormat): readonly SessionFile[] {
  const found: SessionFile[] = [];
  const walk = (folder: string, depth: number): void => {
    let entries: import("node:fs").Dirent[];
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch {
      return;
    }
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && depth < deepest) walk(path, depth + 1);
      if (!entry.isFile()) continue;
      const id = format.idOf(path);
      if (id === null) continue;
      try {
        const { mtimeMs, size } = lstatSync(path);
        found.push({ id, path, changed: mtimeMs, bytes: size });
      } catch {
        // It went in the meantime.
      }
    }
  };
  for (const folder of format.folders()) walk(folder, 0);
  return found.sort((one, other) => other.changed - one.changed || (one.path < other.path ? -1 : 1));
}

/** Reads a session; `enough` ends it early. Never holds more than one line and what was understood. */
export function readSession(
  file: SessionFile,
  options: {
    readonly format: SessionFormat;
    readonly enough?: (soFar: readonly SessionEvent[], facts: SessionFacts) => boolean;
  },
): Session {
  const events: SessionEvent[] = [];
  let facts: SessionFacts = { id: file.id, folder: null, branch: null, commit: null, started: null };
  let unreadable = 0;
  let whole = true;
  for (const line of lines(file.path)) {
    if (line === null) {
      unreadable++;
      continue;
    }
    if (line.trim() === "") continue;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      unreadable++;
      continue;
    }
    const reading = options.format.read(value);
    facts = {
      ...facts,
      ...reading.facts,
      id: file.id,
      started: facts.started ?? reading.facts?.started ?? null,
    };
    for (const event of reading.events ?? []) events.push(event);
    if (options.enough?.(events, facts) === true) {
      whole = false;
      break;
    }
  }
  return { ...file, facts, events, unreadable, whole };
}

/** Lines of a file; null stands for one that is too long. */
function* lines(path: string): Generator<string | null> {
  let handle: number;
  try {
    handle = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch {
    return;
  }
  try {
    if (!fstatSync(handle).isFile()) return;
    const decoder = new StringDecoder("utf8");
    const buffer = Buffer.alloc(256 * 1024);
    let rest = "";
    let skipping = false;
    for (;;) {
      const count = readSync(handle, buffer);
      if (count === 0) break;
      const pieces = decoder.write(buffer.subarray(0, count)).split("\n");
      pieces[0] = rest + (pieces[0] ?? "");
      rest = pieces.pop() ?? "";
      for (const piece of pieces) {
        yield skipping ? null : piece;
        skipping = false;
      }
      if (rest.length > longestLine) {
        rest = "";
        skipping = true;
      }
    }
    rest += decoder.end();
    if (skipping) yield null;
    else if (rest !== "") yield rest;
  } finally {
    closeSync(handle);
  }
}
