import type { TextCodec } from "../file-system.ts";
import type { ReadContext, ReadLimits, SkillRead, SkillSource } from "./document.ts";
import { lenientReader } from "./lenient-reader.ts";

/** A codec of web globals, for tests of the core without the host. */
export const testCodec: TextCodec = {
  isAscii: (bytes) => bytes.every((byte) => byte < 0x80),
  isUtf8(bytes) {
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      return true;
    } catch {
      return false;
    }
  },
  decode: (bytes, start, end) =>
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(start, end)),
  ascii: (bytes, start, end) => new TextDecoder("latin1").decode(bytes.subarray(start, end)),
  decodeUtf16: (bytes, littleEndian) =>
    new TextDecoder(littleEndian ? "utf-16le" : "utf-16be", { ignoreBOM: true }).decode(bytes),
  digest: () => `sha256:${"0".repeat(64)}`,
  sha1: () => "0".repeat(40),
};

export const testLimits: ReadLimits = { frontmatterBytes: 65536, depth: 32, keys: 512, aliases: 0 };

export const testContext: ReadContext = { codec: testCodec, limits: testLimits };

/** A skill file of text or bytes in a folder. */
export function skillFile(
  content: string | Uint8Array,
  folder = "seed-sort",
  file: string | null = null,
): SkillSource {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return { path: `/skills/${folder}/SKILL.md`, folder, file, bytes };
}

/** Reads a file of profile `skillet`. */
export function readSkill(content: string | Uint8Array, folder?: string): SkillRead {
  return lenientReader.read(skillFile(content, folder), testContext);
}

/** UTF-16 bytes with or without mark. */
export function utf16(
  text: string,
  options: { readonly littleEndian: boolean; readonly mark: boolean },
): Uint8Array {
  const marked = options.mark ? `\ufeff${text}` : text;
  const bytes = new Uint8Array(marked.length * 2);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < marked.length; index++) {
    view.setUint16(index * 2, marked.charCodeAt(index), options.littleEndian);
  }
  return bytes;
}
