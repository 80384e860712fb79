import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import type { RemoteLimits } from "../../core/policy/policy.ts";
import type { SkillFile } from "../digest/skill-file.ts";
import type { HttpClient } from "../http/http-types.ts";
import { showAddress } from "../http/show-address.ts";
import { eachLimited } from "./each-limited.ts";
import { isPage, notASkill, ofEntry } from "./entry-findings.ts";
import { fetchArtifact } from "./fetch-artifact.ts";
import type { FilesEntry, IndexEntry } from "./index-types.ts";

/** A file that was fetched before, so that only a change has to come. */
export interface KnownFile {
  readonly etag: string;
  /** Null = it is no longer there. */
  bytes(): Uint8Array | null;
}

export interface FetchEntryOptions {
  readonly client: HttpClient;
  readonly limits: RemoteLimits;
  readonly headers?: Readonly<Record<string, string>>;
  /** By path. */
  readonly known?: ReadonlyMap<string, KnownFile>;
  /** Whether an artifact may lie on another server than the index. */
  readonly mayLeave: (url: URL) => boolean;
  /** Address of the index. */
  readonly index: string;
  readonly signal?: AbortSignal;
}

/** All files of an entry, or why there are none: whole or not at all. */
export type FetchedEntry =
  | {
      readonly kind: "files";
      readonly files: readonly SkillFile[];
      /** Validators by path, where the server gave one. */
      readonly etags: ReadonlyMap<string, string>;
      readonly diagnostics: readonly Diagnostic[];
    }
  | { readonly kind: "failed"; readonly diagnostics: readonly Diagnostic[] };

/** Files of one entry that are fetched at once. */
const filesAtOnce = 8;

/**
 * Fetches one entry of an index and proves it: digests over the bytes as they came, sizes counted while they come, nothing
 * from other servers unless allowed (rows E04, E05, E11, E21). Writes nothing. Never throws.
 */
export async function fetchEntry(entry: IndexEntry, options: FetchEntryOptions): Promise<FetchedEntry> {
  return entry.kind === "files" ? fetchFiles(entry, options) : fetchArtifact(entry, options);
}

async function fetchFiles(entry: FilesEntry, options: FetchEntryOptions): Promise<FetchedEntry> {
  const { client, limits, known } = options;
  const etags = new Map<string, string>();
  const failures: Diagnostic[] = [];
  const ending = new AbortController();
  const signal =
    options.signal === undefined ? ending.signal : AbortSignal.any([options.signal, ending.signal]);
  let left = limits.skillBytes;
  const fail = (diagnostic: Diagnostic): null => {
    if (failures.length === 0) failures.push(diagnostic);
    ending.abort();
    return null;
  };
  const files = await eachLimited(entry.files, filesAtOnce, async ({ path, url }) => {
    if (failures.length > 0) return null;
    const before = known?.get(path);
    const main = path.toLowerCase() === "skill.md";
    const answer = await client.fetch({
      url,
      limits: { bytes: Math.min(limits.fileBytes, Math.max(1, left)) },
      signal,
      ...(main || !/\.html?$/i.test(path) ? { refuseTypes: ["text/html", "application/xhtml+xml"] } : {}),
      ...(options.headers === undefined ? {} : { headers: options.headers }),
      ...(before === undefined ? {} : { known: { etag: before.etag, modified: null } }),
    });
    if (answer.kind === "failed") return fail(ofEntry(entry.name, answer.diagnostic));
    const bytes = answer.kind === "unchanged" ? (before?.bytes() ?? null) : answer.bytes;
    if (bytes === null)
      return fail(notASkill(entry.name, url, "the server says that nothing changed, but it is not here"));
    left -= bytes.length;
    if (left < 0)
      return fail(
        makeDiagnostic("remote/too-large", {
          path: showAddress(url),
          message: `${entry.name}: its files are larger than ${limits.skillBytes} bytes together.`,
        }),
      );
    if (main && isPage(bytes))
      return fail(notASkill(entry.name, url, "a web page stands where SKILL.md should be"));
    const etag = answer.kind === "unchanged" ? (before?.etag ?? null) : answer.etag;
    if (etag !== null) etags.set(path, etag);
    return { path, bytes, executable: false };
  });
  if (failures.length > 0) return { kind: "failed", diagnostics: failures };
  return { kind: "files", files: files.filter((file) => file !== null), etags, diagnostics: [] };
}
