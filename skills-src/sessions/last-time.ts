import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { SessionFormat } from "./transcript.ts";

const pieces = [16 * 1024, 512 * 1024];

/**
 * When the last record of a session file was made, in milliseconds since 1970: the file's own time changes when it is
 * copied or restored. Null when its last records do not say.
 */
export function lastTime(path: string, format: SessionFormat): number | null {
  let handle: number;
  try {
    handle = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch {
    return null;
  }
  try {
    const stat = fstatSync(handle);
    if (!stat.isFile()) return null;
    for (const length of pieces) {
      const from = Math.max(0, stat.size - length);
      const buffer = Buffer.alloc(stat.size - from);
      const read = readSync(handle, buffer, 0, buffer.length, from);
      const time = inPiece(buffer.toString("utf8", 0, read), format);
      if (time !== null || from === 0) return time;
    }
    return null;
  } catch {
    return null;
  } finally {
    closeSync(handle);
  }
}

function inPiece(piece: string, format: SessionFormat): number | null {
  for (const line of piece.split("\n").reverse()) {
    try {
      const time = timeOf(format.read(JSON.parse(line)).time);
      if (time !== null) return time;
    } catch {
      // Cut off, or not to be understood: the line before may be.
    }
  }
  return null;
}

/** A recorded time in milliseconds since 1970; null when there is none. */
export function timeOf(recorded: string | undefined): number | null {
  const time = recorded === undefined ? Number.NaN : Date.parse(recorded);
  return Number.isNaN(time) ? null : time;
}
