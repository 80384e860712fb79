import { brotliDecompressSync } from "node:zlib";

const signs = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

/**
 * Bytes that the build embedded: packed with Brotli, then written as five signs for four bytes, which takes less room than
 * base64. The first sign is the number of bytes that fill up the last four.
 */
export function unpackBytes(text: string): Buffer {
  const values = new Uint8Array(128);
  for (let at = 0; at < signs.length; at += 1) values[signs.charCodeAt(at)] = at;
  const bytes = Buffer.alloc(((text.length - 1) / 5) * 4);
  for (let at = 0, from = 1; at < bytes.length; at += 4, from += 5) {
    let value = 0;
    for (let sign = 0; sign < 5; sign += 1) value = value * 85 + (values[text.charCodeAt(from + sign)] ?? 0);
    bytes.writeUInt32BE(value, at);
  }
  return brotliDecompressSync(bytes.subarray(0, bytes.length - Number(text[0])));
}
