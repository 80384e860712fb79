import { crc32, inflateRawSync } from "node:zlib";
import { ArchiveFault } from "./archive-fault.ts";

/**
 * The content of a gzip file with exactly one member and nothing after it: readers differ on further members, so a
 * second one could hide files from a scanner (row D13). Never unpacks more than `most` bytes. Throws `ArchiveFault`.
 */
export function unpackGzip(bytes: Uint8Array, most: number): Uint8Array {
  const start = headerLength(bytes);
  const packed = bytes.subarray(start);
  const { content, used } = inflateBounded(packed, most);
  const trailer = packed.subarray(used);
  if (trailer.length < 8) throw cutOff();
  if (trailer.length > 8)
    throw new ArchiveFault("archive/damaged", "Something follows the end of the gzip data.");
  const view = new DataView(trailer.buffer, trailer.byteOffset, 8);
  if (view.getUint32(0, true) !== crc32(content) || view.getUint32(4, true) !== content.length % 2 ** 32) {
    throw new ArchiveFault("archive/damaged", "The check sum of the gzip data is wrong.");
  }
  return content;
}

/** Inflates up to `most` bytes and tells how many packed bytes that took. Throws `ArchiveFault`. */
export function inflateBounded(
  packed: Uint8Array,
  most: number,
): { readonly content: Uint8Array; readonly used: number } {
  try {
    // With `info` Node answers with the engine as well, which its types don't know.
    const answer = inflateRawSync(packed, { maxOutputLength: Math.max(1, most), info: true }) as unknown as {
      readonly buffer: Buffer;
      readonly engine: { readonly bytesWritten: number };
    };
    return { content: answer.buffer, used: answer.engine.bytesWritten };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ERR_BUFFER_TOO_LARGE") {
      throw new ArchiveFault("archive/too-large", `The archive unpacks to more than ${most} bytes.`);
    }
    if (code === "Z_BUF_ERROR") throw cutOff();
    throw new ArchiveFault("archive/damaged", "The packed data is damaged.");
  }
}

function cutOff(): ArchiveFault {
  return new ArchiveFault("archive/damaged", "The archive is cut off.");
}

/** RFC 1952: ten fixed bytes, then the optional parts that the flags name. */
function headerLength(bytes: Uint8Array): number {
  const flags = bytes[3] ?? 0;
  if (bytes.length < 18 || bytes[2] !== 8 || (flags & 0xe0) !== 0) throw cutOff();
  let at = 10;
  if ((flags & 4) !== 0) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0);
  for (const flag of [8, 16]) if ((flags & flag) !== 0) at = afterZero(bytes, at);
  if ((flags & 2) !== 0) at += 2;
  if (at >= bytes.length) throw cutOff();
  return at;
}

function afterZero(bytes: Uint8Array, from: number): number {
  const zero = bytes.indexOf(0, from);
  if (zero < 0) throw cutOff();
  return zero + 1;
}
