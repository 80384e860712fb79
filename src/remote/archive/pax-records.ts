import { ArchiveFault } from "./archive-fault.ts";
import { decodeName } from "./tar-header.ts";

/** Keys that say nothing about which file it is or where it lies. */
const harmless =
  /^(?:[acm]time|comment|uid|gid|uname|gname|charset|hdrcharset|LIBARCHIVE\.|SCHILY\.(?:xattr|fflags|dev|ino|nlink|acl)|RHT\.)/;

/**
 * The path and link of a PAX header. A size, or anything for all files at once, is refused: readers differ on it
 * (row D10). Throws `ArchiveFault`.
 */
export function readPaxRecords(data: Uint8Array, forAll: boolean): { path?: string; link?: string } {
  const found: { path?: string; link?: string } = {};
  for (let at = 0; at < data.length; ) {
    const blank = data.indexOf(0x20, at);
    const digits = blank < 0 ? "" : Buffer.from(data.subarray(at, blank)).toString("latin1");
    const length = /^[1-9][0-9]{0,6}$/.test(digits) ? Number(digits) : 0;
    const end = at + length;
    if (end <= blank + 1 || end > data.length || data[end - 1] !== 0x0a) throw damaged();
    const record = data.subarray(blank + 1, end - 1);
    const equals = record.indexOf(0x3d);
    if (equals <= 0) throw damaged();
    take(found, {
      key: Buffer.from(record.subarray(0, equals)).toString("latin1"),
      value: record.subarray(equals + 1),
      forAll,
    });
    at = end;
  }
  return found;
}

function take(
  found: { path?: string; link?: string },
  { key, value, forAll }: { readonly key: string; readonly value: Uint8Array; readonly forAll: boolean },
): void {
  if (harmless.test(key)) return;
  const field = key === "path" ? "path" : key === "linkpath" ? "link" : null;
  if (field === null || forAll || found[field] !== undefined) {
    throw new ArchiveFault(
      "archive/ambiguous",
      "The archive states a name or size in a way that readers differ on.",
    );
  }
  if (value.includes(0)) {
    throw new ArchiveFault("archive/unsafe-path", "A name in the archive has a zero byte in it.");
  }
  found[field] = decodeName(value);
}

function damaged(): ArchiveFault {
  return new ArchiveFault("archive/damaged", "An extended header of the archive is damaged.");
}
