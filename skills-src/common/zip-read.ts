import { crc32, inflateRawSync } from "node:zlib";
import { Failure, refused } from "./failure.ts";

/** Bounds of what a document may unpack to. */
const limits = {
  entries: 20_000,
  entryBytes: 512 * 1024 * 1024,
  totalBytes: 1024 * 1024 * 1024,
  /** Beyond this many bytes, no entry may have been packed more tightly than `ratio`. */
  ratioFrom: 24 * 1024 * 1024,
  ratio: 150,
};

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly headerAt: number;
}

/** Files of a ZIP package in their order; contents are unpacked, and checked, when asked for. */
export interface ZipFiles {
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Bytes of a file; its absence is a failure. */
  bytes(name: string): Uint8Array;
  text(name: string): string;
}

/**
 * Reads the directory of a ZIP file that others made. Refused are: names that leave the package, a name that occurs
 * twice, overlapping entries, encrypted entries, and sizes or ratios that only a bomb has.
 */
export function readZip(bytes: Buffer, what: string): ZipFiles {
  const entries = readDirectory(bytes, what);
  const byName = new Map<string, Entry>();
  let total = 0;
  for (const entry of entries) {
    checkName(entry.name, what);
    if (byName.has(entry.name)) throw refused(`${what} holds "${entry.name}" twice`);
    if (entry.size > limits.entryBytes)
      throw refused(`"${entry.name}" in ${what} would unpack to ${entry.size} bytes`);
    if (entry.size > limits.ratioFrom && entry.size > entry.packed * limits.ratio)
      throw refused(
        `"${entry.name}" in ${what} is packed like a bomb (${entry.packed} to ${entry.size} bytes)`,
      );
    total += entry.size;
    byName.set(entry.name, entry);
  }
  if (total > limits.totalBytes) throw refused(`${what} would unpack to ${total} bytes`);
  checkOverlap(entries, bytes.length, what);
  const read = (name: string): Uint8Array => {
    const entry = byName.get(name);
    if (entry === undefined) throw new Failure(`${what} has no part "${name}"`);
    return unpack(bytes, entry, what);
  };
  return {
    names: [...byName.keys()],
    has: (name) => byName.has(name),
    bytes: read,
    text: (name) => new TextDecoder("utf-8").decode(read(name)),
  };
}

function checkName(name: string, what: string): void {
  const parts = name.split(/[\\/]/);
  const leaves = parts.includes("..") || /^[\\/]|^[A-Za-z]:/.test(name) || name.includes("\0");
  if (leaves || name === "")
    throw refused(`${what} holds the entry "${printable(name)}", which leads out of the package`);
}

const printable = (text: string): string => JSON.stringify(text).slice(1, -1).slice(0, 100);

function readDirectory(bytes: Buffer, what: string): readonly Entry[] {
  const end = findEnd(bytes, what);
  let count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  if (count === 0xffff || at === 0xffffffff) [count, at] = readEnd64(bytes, end, what);
  if (count > limits.entries) throw refused(`${what} has ${count} entries`);
  const entries: Entry[] = [];
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) throw damaged(what);
    const flags = bytes.readUInt16LE(at + 8);
    if (flags & 1) throw new Failure(`${what} is encrypted; remove the password first`);
    const nameLength = bytes.readUInt16LE(at + 28);
    const extraLength = bytes.readUInt16LE(at + 30);
    const name = bytes.toString("utf8", at + 46, at + 46 + nameLength);
    const entry = {
      name,
      method: bytes.readUInt16LE(at + 10),
      crc: bytes.readUInt32LE(at + 16),
      packed: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      headerAt: bytes.readUInt32LE(at + 42),
    };
    const extra = bytes.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength);
    if (!name.endsWith("/")) entries.push(withSizes64(entry, extra));
    at += 46 + nameLength + extraLength + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

function findEnd(bytes: Buffer, what: string): number {
  if (bytes.length >= 8 && bytes.readUInt32BE(0) === 0xd0cf11e0)
    throw new Failure(`${what} is in the old binary Office format, or protected by a password`, {
      hint: "open it in Office or LibreOffice and save it as .docx, .xlsx or .pptx without a password",
    });
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 22 - 0xffff); at -= 1)
    if (bytes.readUInt32LE(at) === 0x06054b50) return at;
  throw damaged(what);
}

function damaged(what: string): Failure {
  return new Failure(`${what} is damaged or no Office document: its ZIP directory cannot be read`);
}

function readEnd64(bytes: Buffer, end: number, what: string): [count: number, at: number] {
  if (end < 20 || bytes.readUInt32LE(end - 20) !== 0x07064b50) throw damaged(what);
  const record = Number(bytes.readBigUInt64LE(end - 12));
  if (record + 56 > bytes.length || bytes.readUInt32LE(record) !== 0x06064b50) throw damaged(what);
  return [Number(bytes.readBigUInt64LE(record + 32)), Number(bytes.readBigUInt64LE(record + 48))];
}

/** Sizes and offset beyond 4 GiB stand in an extra field, in this order and only where the plain field is full. */
function withSizes64(entry: Entry, extra: Buffer): Entry {
  for (let at = 0; at + 4 <= extra.length; ) {
    const size = extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === 1) {
      let field = at + 4;
      const take = (value: number): number => {
        if (value !== 0xffffffff || field + 8 > extra.length) return value;
        field += 8;
        return Number(extra.readBigUInt64LE(field - 8));
      };
      const unpacked = take(entry.size);
      const packed = take(entry.packed);
      return { ...entry, size: unpacked, packed, headerAt: take(entry.headerAt) };
    }
    at += 4 + size;
  }
  return entry;
}

function checkOverlap(entries: readonly Entry[], length: number, what: string): void {
  const sorted = [...entries].sort((a, b) => a.headerAt - b.headerAt);
  let end = 0;
  for (const { headerAt, packed } of sorted) {
    if (headerAt < end) throw refused(`entries of ${what} overlap`);
    end = headerAt + 30 + packed;
    if (end > length) throw damaged(what);
  }
}

function unpack(bytes: Buffer, entry: Entry, what: string): Uint8Array {
  const { headerAt } = entry;
  if (bytes.readUInt32LE(headerAt) !== 0x04034b50) throw damaged(what);
  const start = headerAt + 30 + bytes.readUInt16LE(headerAt + 26) + bytes.readUInt16LE(headerAt + 28);
  const packed = bytes.subarray(start, start + entry.packed);
  let content: Buffer;
  if (entry.method === 0) content = packed;
  else if (entry.method === 8) {
    try {
      content = inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.size) });
    } catch (error) {
      const grows = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
      if (grows) throw refused(`"${entry.name}" in ${what} is larger than it says`);
      throw new Failure(`"${entry.name}" in ${what} is damaged`);
    }
  } else throw new Failure(`"${entry.name}" in ${what} is packed by an unknown method (${entry.method})`);
  if (content.length !== entry.size || crc32(content) !== entry.crc)
    throw new Failure(`"${entry.name}" in ${what} is damaged: size or checksum is wrong`);
  return content;
}
