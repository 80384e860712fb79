import {
  closeSync,
  fstatSync,
  futimesSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** A file's time says when it was used last, to this many milliseconds. */
export const usedWithin = 86_400_000;

/** A kept vector, marked as used; null where there is none or it is damaged. */
export function readVector(path: string): Float32Array | null {
  let file: number | null = null;
  try {
    file = openSync(path, "r");
    const bytes = readFileSync(file);
    if (bytes.length === 0 || bytes.length % 4 !== 0) return null;
    const vector = new Float32Array(bytes.length / 4);
    for (let at = 0; at < vector.length; at++) vector[at] = bytes.readFloatLE(at * 4);
    markUsed(file);
    return vector.every(Number.isFinite) ? vector : null;
  } catch {
    return null;
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** A folder that only can be read stays as it is. */
function markUsed(file: number): void {
  try {
    const now = Date.now();
    if (now - fstatSync(file).mtimeMs > usedWithin) futimesSync(file, now / 1000, now / 1000);
  } catch {
    // It may be removed earlier, and is then made again.
  }
}

/** Keeps a vector; it appears whole, or not at all. */
export function keepVector(path: string, vector: Float32Array): void {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4);
  try {
    mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, bytes, { mode: 0o600 });
    renameSync(temporary, path);
  } catch {
    // The vector is at hand all the same.
  }
}
