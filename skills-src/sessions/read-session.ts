import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { lastTime, timeOf } from "./last-time.ts";
import type { LineReading, SessionEvent, SessionFacts, SessionFormat } from "./transcript.ts";

export interface SessionFile {
  readonly id: string;
  readonly path: string;
  /** Milliseconds since 1970, of the last record; of the file where the records do not say. */
  readonly changed: number;
  readonly bytes: number;
}

export interface Session extends SessionFile {
  readonly facts: SessionFacts;
  readonly events: readonly SessionEvent[];
  /** For each event its time in milliseconds since 1970; null where the record does not say. */
  readonly times: readonly (number | null)[];
  /** Lines that were no JSON (a crash cuts the last one off), too long, or not to be understood. */
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
        found.push({ id, path, changed: lastTime(path, format) ?? mtimeMs, bytes: size });
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
  const times: (number | null)[] = [];
  let facts: SessionFacts = { id: file.id, folder: null, branch: null, commit: null, started: null };
  let unreadable = 0;
  let whole = true;
  for (const line of lines(file.path)) {
    if (line === null) {
      unreadable++;
      continue;
    }
    if (line.trim() === "") continue;
    let reading: LineReading;
    try {
      // Also what is JSON can be beyond understanding, nested two hundred thousand deep for one.
      reading = options.format.read(JSON.parse(line));
    } catch {
      unreadable++;
      continue;
    }
    const time = timeOf(reading.time);
    facts = {
      ...facts,
      ...reading.facts,
      id: file.id,
      started: facts.started ?? reading.facts?.started ?? null,
    };
    for (const event of reading.events ?? []) {
      events.push(event);
      times.push(time);
    }
    if (options.enough?.(events, facts) === true) {
      whole = false;
      break;
    }
  }
  return { ...file, facts, events, times, unreadable, whole };
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
