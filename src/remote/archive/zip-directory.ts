import { ArchiveFault } from "./archive-fault.ts";
import type { ArchiveLimits } from "./limits.ts";

/** One entry of the central directory, numbers as stated there. */
export interface ZipRecord {
  readonly name: Uint8Array;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  /** Type and permission bits where a Unix program wrote them, else 0. */
  readonly mode: number;
  readonly offset: number;
  readonly extra: Uint8Array;
}

export interface ZipDirectory {
  readonly records: readonly ZipRecord[];
  /** Where the directory begins, which is where the last entry must end. */
  readonly start: number;
}

/**
 * The directory at the end of a zip file. Only the plain form: one volume, no zip64, nothing in front of the end
 * record or behind it that another reader could take for the end. Throws `ArchiveFault`.
 */
export function readZipDirectory(bytes: Uint8Array, limits: ArchiveLimits): ZipDirectory {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endRecord(view);
  const [disk, startDisk] = [view.getUint16(end + 4, true), view.getUint16(end + 6, true)];
  const [here, count] = [view.getUint16(end + 8, true), view.getUint16(end + 10, true)];
  const [length, start] = [view.getUint32(end + 12, true), view.getUint32(end + 16, true)];
  if (disk !== 0 || startDisk !== 0 || here !== count || start + length !== end) {
    throw new ArchiveFault("archive/ambiguous", "The directory of the zip file is not where it says.");
  }
  if (count > limits.entries) {
    throw new ArchiveFault("archive/too-large", `The archive has more than ${limits.entries} entries.`);
  }
  const records: ZipRecord[] = [];
  let at = start;
  while (at < end) {
    if (at + 46 > end || view.getUint32(at, true) !== 0x02014b50) throw damaged();
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) =>
      view.getUint16(at + field, true),
    );
    const nameEnd = at + 46 + (nameLength as number);
    const next = nameEnd + (extraLength as number) + (commentLength as number);
    if (next > end) throw damaged();
    // 3 is Unix, 19 is macOS; others have no permission bits.
    const unix = [3, 19].includes(view.getUint8(at + 5));
    records.push({
      name: bytes.subarray(at + 46, nameEnd),
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      mode: unix ? view.getUint32(at + 38, true) >>> 16 : 0,
      offset: view.getUint32(at + 42, true),
      extra: bytes.subarray(nameEnd, nameEnd + (extraLength as number)),
    });
    at = next;
  }
  if (records.length !== count) {
    throw new ArchiveFault("archive/ambiguous", "The zip file states another number of entries than it has.");
  }
  return { records, start };
}

/** The end record must be the only one that reaches exactly to the end of the file. */
function endRecord(view: DataView): number {
  const last = view.byteLength - 22;
  const found: number[] = [];
  for (let at = last; at >= 0 && at >= last - 0xffff; at--) {
    if (view.getUint32(at, true) === 0x06054b50) found.push(at);
  }
  const [end] = found;
  if (end === undefined) throw new ArchiveFault("archive/damaged", "The end of the zip file is missing.");
  if (found.length > 1) throw new ArchiveFault("archive/ambiguous", "The zip file has two ends.");
  if (end + 22 + view.getUint16(end + 20, true) !== view.byteLength) {
    throw new ArchiveFault("archive/damaged", "Something follows the end of the zip file.");
  }
  return end;
}

function damaged(): ArchiveFault {
  return new ArchiveFault("archive/damaged", "The directory of the zip file is damaged.");
}
