import type { ArchiveEntry } from "./archive-entry.ts";
import { ArchiveFault } from "./archive-fault.ts";
import type { ArchiveLimits } from "./limits.ts";
import { readPaxRecords } from "./pax-records.ts";
import { readTarHeader, text } from "./tar-header.ts";

const block = 512;
const none = new Uint8Array(0);
/** A longer header for one name is an attack on memory. */
const longestMeta = 64 * 1024;

/**
 * Entries of a tar archive in their order. Our own reader, because tar libraries agree with each other on good
 * archives only: this one knows the few forms that writers produce and refuses whatever two readers could see
 * differently (sizes stated twice, data after the end, missing end; rows D06 to D13). Throws `ArchiveFault`.
 */
export function readTar(bytes: Uint8Array, limits: ArchiveLimits): readonly ArchiveEntry[] {
  const entries: ArchiveEntry[] = [];
  let unpacked = 0;
  let next: { path?: string; link?: string } = {};
  for (let at = 0; ; ) {
    if (at + block > bytes.length) throw new ArchiveFault("archive/damaged", "The archive is cut off.");
    const head = bytes.subarray(at, at + block);
    if (head.every((byte) => byte === 0)) {
      if (bytes.length < at + 2 * block || bytes.subarray(at).some((byte) => byte !== 0)) {
        throw new ArchiveFault("archive/damaged", "The end of the archive is not where its end mark is.");
      }
      if (next.path !== undefined || next.link !== undefined) throw lost();
      return entries;
    }
    const header = readTarHeader(head);
    at += block;
    const size = "123456".includes(header.type) ? emptySize(header.size) : header.size;
    if (size > limits.bytes - unpacked) {
      throw new ArchiveFault(
        "archive/too-large",
        `The files are larger than ${limits.bytes} bytes together.`,
      );
    }
    if (at + size > bytes.length) throw new ArchiveFault("archive/damaged", "The archive is cut off.");
    const data = bytes.subarray(at, at + size);
    at += Math.ceil(size / block) * block;
    if ("xgLK".includes(header.type)) {
      if (size > longestMeta)
        throw new ArchiveFault("archive/too-large", "A name in the archive is far too long.");
      next = { ...next, ...meta(header.type, data) };
      continue;
    }
    unpacked += size;
    const target = next.link ?? header.link;
    entries.push(entry({ ...header, name: next.path ?? header.name, link: target }, data));
    next = {};
    if (entries.length > limits.entries) {
      throw new ArchiveFault("archive/too-large", `The archive has more than ${limits.entries} entries.`);
    }
  }
}

function entry(
  header: { readonly name: string; readonly type: string; readonly mode: number; readonly link: string },
  data: Uint8Array,
): ArchiveEntry {
  const path = header.name.replaceAll("\\", "/");
  const plain = { path, bytes: none, executable: false, target: null };
  // Old writers mark a folder by the slash alone.
  if (header.type === "5" || (header.type === "0" && path.endsWith("/"))) return { ...plain, kind: "folder" };
  if (header.type === "0")
    return { ...plain, kind: "file", bytes: data, executable: (header.mode & 0o111) !== 0 };
  if (header.type === "1" || header.type === "2") return { ...plain, kind: "link", target: header.link };
  throw new ArchiveFault(
    "archive/special-entry",
    "The archive holds an entry that is neither a file nor a folder.",
  );
}

function meta(type: string, data: Uint8Array): { path?: string; link?: string } {
  if (type === "L") return { path: text(data) };
  if (type === "K") return { link: text(data) };
  return readPaxRecords(data, type === "g");
}

function emptySize(size: number): number {
  if (size !== 0)
    throw new ArchiveFault("archive/ambiguous", "A folder, link or device in the archive states a size.");
  return 0;
}

function lost(): ArchiveFault {
  return new ArchiveFault("archive/damaged", "A name in the archive belongs to no file.");
}
