import { createHash } from "node:crypto";

const [lineFeed, carriageReturn] = [0x0a, 0x0d];

/**
 * `sha256:…` of a file as a lock records it: CR LF counts as LF, so that a checkout with other line ends is the same
 * skill; a file with a zero byte in it is hashed as it is (case r-lock-hash).
 */
export function fileDigest(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(withLineFeeds(bytes)).digest("hex")}`;
}

/** The bytes with CR LF made LF; the same array for a binary file or when there is nothing to do. Linear. */
export function withLineFeeds(bytes: Uint8Array): Uint8Array {
  if (bytes.includes(0) || !bytes.includes(carriageReturn)) return bytes;
  const result = new Uint8Array(bytes.length);
  let length = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] as number;
    if (byte === carriageReturn && bytes[index + 1] === lineFeed) continue;
    result[length++] = byte;
  }
  return result.subarray(0, length);
}
