import { ArchiveFault } from "./archive-fault.ts";

export interface TarHeader {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly mode: number;
  readonly link: string;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads one 512-byte header block. Throws `ArchiveFault` when the check sum, a number or a name is not right. */
export function readTarHeader(block: Uint8Array): TarHeader {
  if (!hasTarCheckSum(block)) throw damaged("The check sum of a tar entry is wrong.");
  const magic = latin(block.subarray(257, 263));
  const posix = magic === "ustar\0";
  if (!posix && magic !== "ustar " && magic !== "\0\0\0\0\0\0")
    throw damaged("A tar entry has an unknown form.");
  const prefix = posix ? text(block.subarray(345, 500)) : "";
  const name = text(block.subarray(0, 100));
  return {
    name: prefix === "" ? name : `${prefix}/${name}`,
    type: latin(block.subarray(156, 157)).replace("\0", "0"),
    size: number(block.subarray(124, 136)),
    mode: number(block.subarray(100, 108)),
    link: text(block.subarray(157, 257)),
  };
}

/** True when a block is a tar header by its check sum: how an uncompressed tar is recognised. */
export function hasTarCheckSum(block: Uint8Array): boolean {
  if (block.length < 512) return false;
  const stated = /^[ 0]*([0-7]+)[ \0]/.exec(latin(block.subarray(148, 156)));
  if (stated === null) return false;
  let sum = 8 * 0x20;
  for (let index = 0; index < 512; index++) if (index < 148 || index >= 156) sum += block[index] as number;
  return Number.parseInt(stated[1] as string, 8) === sum;
}

/** Text up to the first zero byte; what stands behind it must be zeros, or readers would differ on the name. */
export function text(field: Uint8Array): string {
  const zero = field.indexOf(0);
  const end = zero < 0 ? field.length : zero;
  if (field.subarray(end).some((byte) => byte !== 0)) {
    throw new ArchiveFault("archive/unsafe-path", "A name in the archive has a zero byte in it.");
  }
  return decodeName(field.subarray(0, end));
}

/** A name as UTF-8. Throws `ArchiveFault` for other bytes. */
export function decodeName(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ArchiveFault("archive/unsafe-path", "A name in the archive is not valid UTF-8.");
  }
}

function number(field: Uint8Array): number {
  if (((field[0] as number) & 0x80) !== 0) {
    throw new ArchiveFault("archive/too-large", "A tar entry states a size beyond every limit.");
  }
  const digits = /^[ 0]*([0-7]*)[ \0]*$/.exec(latin(field));
  if (digits === null) throw damaged("A number in a tar entry is not octal.");
  return digits[1] === "" ? 0 : Number.parseInt(digits[1] as string, 8);
}

function latin(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

function damaged(message: string): ArchiveFault {
  return new ArchiveFault("archive/damaged", message);
}
