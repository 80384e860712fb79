import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { printable } from "../../core/text/printable.ts";
import type { SkillFile } from "../digest/skill-file.ts";
import type { ArchiveEntry } from "./archive-entry.ts";
import { ArchiveFault } from "./archive-fault.ts";
import { type ArchiveLink, judgeEntries } from "./judge-entries.ts";
import { type ArchiveLimits, allowedBytes, archiveLimits } from "./limits.ts";
import { refuseDeepNesting } from "./nesting.ts";
import { readTar } from "./read-tar.ts";
import { readZip } from "./read-zip.ts";
import { hasTarCheckSum } from "./tar-header.ts";
import { unpackGzip } from "./unpack-gzip.ts";

export interface ExtractedArchive {
  /** Ordered by path; empty when the archive was refused. Paths are safe to join to a folder on every system. */
  readonly files: readonly SkillFile[];
  /** Links are never made. A chosen skill that has one is refused (`skillsIn`); elsewhere they don't matter. */
  readonly links: readonly ArchiveLink[];
  /** An error means that the archive was refused as a whole. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface ExtractOptions extends Partial<ArchiveLimits> {
  /** What the archive is called in diagnostics: its address or path. */
  readonly label?: string | null;
}

/**
 * Reads a zip, tar or tar.gz archive wholly in memory; the content decides which it is. All or nothing: one unsafe
 * path, twin, special entry, disagreement or excess refuses everything with one diagnostic. Never throws for any
 * bytes, never writes, never unpacks more than the limits. Linear in the bytes allowed.
 */
export function extractArchive(bytes: Uint8Array, options: ExtractOptions = {}): ExtractedArchive {
  const limits = { ...archiveLimits, ...options };
  const path = options.label == null ? null : printable(options.label);
  try {
    const { files, links, junk } = judgeEntries(readEntries(bytes, limits), limits);
    let budget = limits.bytes;
    refuseDeepNesting(files, (inner) => {
      const found = quietly(inner, { ...limits, bytes: budget });
      budget -= found.reduce((sum, file) => sum + file.bytes.length, 0);
      return found;
    });
    const message = `Left out: ${junk.slice(0, 5).map(printable).join(", ")}${junk.length > 5 ? " and more" : ""}.`;
    const diagnostics = junk.length === 0 ? [] : [makeDiagnostic("archive/junk", { path, message })];
    return { files, links, diagnostics };
  } catch (error) {
    if (!(error instanceof ArchiveFault)) throw error;
    return {
      files: [],
      links: [],
      diagnostics: [makeDiagnostic(error.code, { path, message: error.message })],
    };
  }
}

/** Files of an inner archive; none when it is damaged, since it is only a file then. */
function quietly(bytes: Uint8Array, limits: ArchiveLimits): readonly SkillFile[] {
  try {
    return judgeEntries(readEntries(bytes, limits), limits).files;
  } catch (error) {
    if (error instanceof ArchiveFault && error.code !== "archive/too-large") return [];
    throw error;
  }
}

function readEntries(bytes: Uint8Array, limits: ArchiveLimits): readonly ArchiveEntry[] {
  if (bytes.length > limits.packedBytes) {
    throw new ArchiveFault("archive/too-large", `The archive is larger than ${limits.packedBytes} bytes.`);
  }
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return readZip(bytes, limits);
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    // Headers and padding of a tar are no content, but take at most three blocks an entry.
    const overhead = Math.min(limits.entries * 3 * 512 + 10_240, bytes.length * limits.ratio);
    return tarEntries(unpackGzip(bytes, allowedBytes(bytes.length, limits) + overhead), limits);
  }
  return tarEntries(bytes, limits);
}

function tarEntries(bytes: Uint8Array, limits: ArchiveLimits): readonly ArchiveEntry[] {
  if (hasTarCheckSum(bytes.subarray(0, 512))) return readTar(bytes, limits);
  const empty = bytes.length >= 1024 && bytes.every((byte) => byte === 0);
  const text = /^\s*<(?:!doctype|html)/i.test(Buffer.from(bytes.subarray(0, 256)).toString("latin1"));
  const what = empty
    ? "The archive is empty."
    : text
      ? "This is a web page, no archive."
      : "This is no zip, tar or tar.gz archive.";
  throw new ArchiveFault("archive/format", what);
}
