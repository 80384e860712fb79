import type { DiagnosticCode } from "../diagnostics/table.ts";
import type { TextCodec } from "../file-system.ts";

/**
 * The code units of a file: bytes for UTF-8, 16-bit units for UTF-16. Fences and line ends are ASCII, so they are
 * found without decoding; only the part that is needed becomes a string.
 */
export interface SourceText {
  readonly kind: "text";
  readonly units: Uint8Array | Uint16Array;
  /** Where the text begins: behind a byte order mark. */
  readonly start: number;
  readonly encoding: "utf-8" | "utf-16le" | "utf-16be";
  /** Only ASCII: characters and units are the same. */
  readonly ascii: boolean;
  slice(from: number, to: number): string;
}

/** Why the bytes are not text. */
export interface SourceFailure {
  readonly kind: "failure";
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/**
 * Bytes as text, or the reason why not. UTF-8 with or without mark and UTF-16 with mark are read; anything else is
 * named, never guessed and never patched with U+FFFD (cases p-bom, p-encodings; security.md A09). Only one leading
 * mark counts; a mark elsewhere is data.
 */
export function sourceText(bytes: Uint8Array, codec: TextCodec): SourceText | SourceFailure {
  if (codec.isAscii(bytes)) {
    const nul = bytes.indexOf(0);
    if (nul >= 0) return binaryOrUnmarked(bytes, nul);
    return utf8Text(bytes, 0, true, codec);
  }
  const first = bytes[0];
  const second = bytes[1];
  if (first === 0xff && second === 0xfe) {
    if (bytes.length >= 4 && bytes[2] === 0 && bytes[3] === 0)
      return failure("text/utf32", "the file is UTF-32; save it as UTF-8");
    return utf16Text(bytes, true, codec);
  }
  if (first === 0xfe && second === 0xff) return utf16Text(bytes, false, codec);
  const nul = bytes.indexOf(0);
  if (nul >= 0) return binaryOrUnmarked(bytes, nul);
  if (!codec.isUtf8(bytes)) return notUtf8(bytes);
  const marked = first === 0xef && second === 0xbb && bytes[2] === 0xbf;
  return utf8Text(bytes, marked ? 3 : 0, false, codec);
}

function utf8Text(bytes: Uint8Array, start: number, ascii: boolean, codec: TextCodec): SourceText {
  return {
    kind: "text",
    units: bytes,
    start,
    encoding: "utf-8",
    ascii,
    slice: (from, to) => codec.decode(bytes, from, to),
  };
}

function utf16Text(bytes: Uint8Array, littleEndian: boolean, codec: TextCodec): SourceText | SourceFailure {
  if (bytes.length % 2 === 1)
    return failure("text/not-utf8", "the file begins with a UTF-16 mark but ends inside a character");
  const text = codec.decodeUtf16(bytes.subarray(2), littleEndian);
  if (text.includes("\0")) return failure("text/not-text", "the file is not text: it holds NUL characters");
  if (text.includes("\ufffd") || /[\ud800-\udfff]/u.test(text))
    return failure("text/not-utf8", "the file begins with a UTF-16 mark but is not valid UTF-16");
  const units = new Uint16Array(text.length);
  for (let index = 0; index < text.length; index++) units[index] = text.charCodeAt(index);
  return {
    kind: "text",
    units,
    start: 0,
    encoding: littleEndian ? "utf-16le" : "utf-16be",
    ascii: false,
    slice: (from, to) => text.slice(from, to),
  };
}

function failure(code: DiagnosticCode, message: string, line = 1, column = 1): SourceFailure {
  return { kind: "failure", code, message, line, column };
}

/** NUL bytes at every other place are UTF-16 that lost its mark; anywhere else they mean a binary file. */
function binaryOrUnmarked(bytes: Uint8Array, nul: number): SourceFailure {
  const length = Math.min(bytes.length & ~1, 512);
  let even = 0;
  let odd = 0;
  for (let index = 0; index < length; index += 2) {
    if (bytes[index] === 0) even++;
    if (bytes[index + 1] === 0) odd++;
  }
  const pairs = length / 2;
  if (
    pairs >= 4 &&
    ((odd > pairs * 0.6 && even < pairs * 0.1) || (even > pairs * 0.6 && odd < pairs * 0.1))
  ) {
    const order = odd > even ? "little" : "big";
    return failure(
      "text/utf16-unmarked",
      `the file looks like UTF-16 (${order} endian) without a byte order mark; save it as UTF-8`,
    );
  }
  const place = placeOf(bytes, nul);
  return failure("text/not-text", "the file is not text: it holds NUL bytes", place.line, place.column);
}

function notUtf8(bytes: Uint8Array): SourceFailure {
  for (let index = 0; index < Math.min(bytes.length, 1024); index++) {
    const byte = bytes[index] as number;
    // Controls that no text editor writes.
    if (byte < 0x20 && (byte < 0x07 || byte > 0x0d) && byte !== 0x1b && byte !== 0x1a)
      return failure("text/not-text", "the file is not text: it holds binary data");
  }
  const bad = invalidUtf8At(bytes);
  const { line, column } = placeOf(bytes, bad);
  const shown = Array.from(bytes.subarray(bad, bad + 2), (byte) =>
    byte.toString(16).toUpperCase().padStart(2, "0"),
  );
  return failure(
    "text/not-utf8",
    `the file is not valid UTF-8 (bytes ${shown.join(" ")} in line ${line}); save it as UTF-8`,
    line,
    column,
  );
}

function placeOf(bytes: Uint8Array, at: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let index = 0; index < at; index++) {
    if (bytes[index] === 0x0a) {
      line++;
      lineStart = index + 1;
    }
  }
  return { line, column: at - lineStart + 1 };
}

/** Index of the first byte that no valid UTF-8 sequence explains (overlong forms and surrogates included). */
function invalidUtf8At(bytes: Uint8Array): number {
  for (let index = 0; index < bytes.length; ) {
    const lead = bytes[index] as number;
    if (lead < 0x80) {
      index++;
      continue;
    }
    const length =
      lead >= 0xc2 && lead <= 0xdf
        ? 2
        : lead >= 0xe0 && lead <= 0xef
          ? 3
          : lead >= 0xf0 && lead <= 0xf4
            ? 4
            : 0;
    if (length === 0) return index;
    const second = bytes[index + 1] ?? 0;
    const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    if (second < low || second > high) return index;
    for (let offset = 2; offset < length; offset++) {
      const next = bytes[index + offset] ?? 0;
      if (next < 0x80 || next > 0xbf) return index;
    }
    index += length;
  }
  return bytes.length;
}
