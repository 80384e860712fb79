import { crc32 } from "node:zlib";
import type { ArchiveEntry } from "./archive-entry.ts";
import { ArchiveFault } from "./archive-fault.ts";
import { type ArchiveLimits, allowedBytes } from "./limits.ts";
import { decodeName } from "./tar-header.ts";
import { inflateBounded } from "./unpack-gzip.ts";
import { readZipDirectory, type ZipRecord } from "./zip-directory.ts";

const none = new Uint8Array(0);
const [typeBits, folderType, linkType, fileType] = [0o170000, 0o040000, 0o120000, 0o100000];

/**
 * Entries of a zip file in the order of their data. Every statement is made twice in a zip, so both are compared, and
 * the entries must fill the file without gap or overlap: nothing hides in between, nothing is counted twice (rows D18
 * to D23). Throws `ArchiveFault`.
 */
export function readZip(bytes: Uint8Array, limits: ArchiveLimits): readonly ArchiveEntry[] {
  const { records, start } = readZipDirectory(bytes, limits);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: ArchiveEntry[] = [];
  const allowed = allowedBytes(bytes.length, limits);
  let at = 0;
  let unpacked = 0;
  for (const record of records.toSorted((a, b) => a.offset - b.offset)) {
    const dataStart = checkedLocal(view, { record, at, start });
    const packed = bytes.subarray(dataStart, dataStart + record.packed);
    const content = unpack(record, packed, allowed - unpacked);
    unpacked += content.length;
    entries.push(entry(record, content));
    at = dataStart + record.packed + descriptorLength(view, record, dataStart + record.packed);
  }
  if (at !== start)
    throw new ArchiveFault("archive/ambiguous", "The zip file holds data that belongs to no entry.");
  return entries;
}

/** Where the data of an entry begins; its local header must stand at `at` and say what the directory says. */
function checkedLocal(
  view: DataView,
  { record, at, start }: { readonly record: ZipRecord; readonly at: number; readonly start: number },
): number {
  if ((record.flags & 0x2041) !== 0) throw new ArchiveFault("archive/encrypted", "The archive is encrypted.");
  if (record.offset !== at || at + 30 > start || view.getUint32(at, true) !== 0x04034b50) {
    throw new ArchiveFault("archive/ambiguous", "Entries of the zip file overlap or leave a gap.");
  }
  const nameLength = view.getUint16(at + 26, true);
  const dataStart = at + 30 + nameLength + view.getUint16(at + 28, true);
  if (dataStart + record.packed > start) throw new ArchiveFault("archive/damaged", "The archive is cut off.");
  const name = new Uint8Array(view.buffer, view.byteOffset + at + 30, nameLength);
  const later = (record.flags & 8) !== 0;
  const stated = [14, 18, 22].map((field) => view.getUint32(at + field, true));
  const said = [record.crc, record.packed, record.size];
  const same = stated.every((value, index) => value === said[index] || (later && value === 0));
  const [flags, method] = [view.getUint16(at + 6, true), view.getUint16(at + 8, true)];
  if (
    !same ||
    Buffer.compare(name, record.name) !== 0 ||
    method !== record.method ||
    flags !== record.flags
  ) {
    throw new ArchiveFault("archive/ambiguous", "The zip file says two things about one entry.");
  }
  return dataStart;
}

/** Writers that stream put sizes behind the data, with or without a mark in front. */
function descriptorLength(view: DataView, record: ZipRecord, at: number): number {
  if ((record.flags & 8) === 0) return 0;
  const marked = at + 4 <= view.byteLength && view.getUint32(at, true) === 0x08074b50;
  const from = marked ? at + 4 : at;
  const said = [record.crc, record.packed, record.size];
  if (
    from + 12 > view.byteLength ||
    said.some((value, index) => view.getUint32(from + 4 * index, true) !== value)
  ) {
    throw new ArchiveFault("archive/ambiguous", "The zip file says two things about one entry.");
  }
  return marked ? 16 : 12;
}

function unpack(record: ZipRecord, packed: Uint8Array, most: number): Uint8Array {
  if (record.size > most)
    throw new ArchiveFault("archive/too-large", "The archive unpacks to more than allowed.");
  if (record.method !== 0 && record.method !== 8) {
    throw new ArchiveFault(
      "archive/format",
      "The zip file uses a packing method that is not in general use.",
    );
  }
  const { content, used } =
    record.method === 0 ? { content: packed, used: packed.length } : inflateBounded(packed, record.size + 1);
  if (content.length !== record.size || used !== packed.length) {
    throw new ArchiveFault("archive/ambiguous", "An entry of the zip file has another size than it says.");
  }
  if (crc32(content) !== record.crc)
    throw new ArchiveFault("archive/damaged", "A check sum in the zip file is wrong.");
  return content;
}

function entry(record: ZipRecord, content: Uint8Array): ArchiveEntry {
  const path = nameOf(record).replaceAll("\\", "/");
  const plain = { path, bytes: none, executable: false, target: null };
  const type = record.mode & typeBits;
  const slash = path.endsWith("/");
  if (type === linkType) return { ...plain, kind: "link", target: decodeName(content) };
  if ((slash && type === 0) || type === folderType) {
    if (!slash || content.length > 0)
      throw new ArchiveFault("archive/ambiguous", "A folder of the zip file has content.");
    return { ...plain, kind: "folder" };
  }
  if (slash || (type !== 0 && type !== fileType)) {
    throw new ArchiveFault(
      "archive/special-entry",
      "The archive holds an entry that is neither a file nor a folder.",
    );
  }
  return { ...plain, kind: "file", bytes: content, executable: (record.mode & 0o111) !== 0 };
}

/** Names are UTF-8 or plain ASCII; a second name in the extra data (0x7075) must be the same. */
function nameOf(record: ZipRecord): string {
  const { extra } = record;
  const view = new DataView(extra.buffer, extra.byteOffset, extra.byteLength);
  for (let at = 0; at + 4 <= extra.length; ) {
    const [id, length] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
    if (id === 1)
      throw new ArchiveFault("archive/too-large", "The zip file has the form for files beyond every limit.");
    if (id === 0x7075 && Buffer.compare(extra.subarray(at + 9, at + 4 + length), record.name) !== 0) {
      throw new ArchiveFault("archive/ambiguous", "An entry of the zip file has two names.");
    }
    at += 4 + length;
  }
  if (record.name.includes(0))
    throw new ArchiveFault("archive/unsafe-path", "A name in the archive has a zero byte in it.");
  return decodeName(record.name);
}
