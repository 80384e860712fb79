import { isAscii, isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
import type { TextCodec } from "../core/file-system.ts";

/** Bytes and text by Node's native functions. */
export const nodeCodec: TextCodec = {
  isAscii,
  isUtf8,
  decode(bytes, start, end) {
    const buffer = asBuffer(bytes);
    // Latin-1 is copied; UTF-8 is decoded byte by byte, at ten times the cost of the look.
    const simple = isAscii(buffer.subarray(start, end));
    return buffer.toString(simple ? "latin1" : "utf8", start, end);
  },
  ascii: (bytes, start, end) => asBuffer(bytes).toString("latin1", start, end),
  decodeUtf16(bytes, littleEndian) {
    return new TextDecoder(littleEndian ? "utf-16le" : "utf-16be").decode(bytes);
  },
  digest(bytes) {
    return `sha256:${hash("sha256", bytes, "hex")}`;
  },
  sha1: (bytes) => hash("sha1", bytes, "hex"),
};

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
