import { createHash } from "node:crypto";
import { basename } from "node:path";
import { SkilletError } from "../../core/error.ts";
import type { RemoteLimits } from "../../core/policy/policy.ts";
import { printable } from "../../core/text/printable.ts";
import { fileError } from "../../host/file-error.ts";
import { toNative } from "../../host/native-path.ts";
import { extractArchive } from "../archive/extract-archive.ts";
import type { ArchiveLimits } from "../archive/limits.ts";
import type { HttpClient } from "../http/http-types.ts";
import { showAddress } from "../http/show-address.ts";
import type { Candidate } from "./candidate.ts";
import type { Fetched } from "./fetched-skill.ts";
import { judgeAll } from "./judge-all.ts";
import { readRegular } from "./read-folder.ts";
import { inside, skillFolders } from "./skill-folders.ts";
import type { ArchiveSource, FileSource } from "./source.ts";

export interface FetchWebOptions {
  readonly client: HttpClient;
  readonly limits: ArchiveLimits;
  readonly remote: RemoteLimits;
  readonly signal?: AbortSignal | undefined;
}

/** The skills of a packed file, from an address or from disk. Throws `SkilletError` when it cannot be had or read. */
export async function fetchArchiveSource(source: ArchiveSource, options: FetchWebOptions): Promise<Fetched> {
  const { limits } = options;
  const bytes = await contentOf(source, { ...options, most: limits.packedBytes });
  const label = labelOf(source);
  const { files, links, diagnostics } = extractArchive(bytes, { ...limits, label });
  const base = {
    kind: "archive",
    source: source.text,
    url: source.url,
    ref: null,
    revision: rawDigest(bytes),
  } as const;
  if (diagnostics.some(({ severity }) => severity === "error")) return { ...base, skills: [], diagnostics };
  const { outer, inner } = skillFolders(files.map(({ path }) => path));
  const named = inner.filter((folder) => folder.split("/").at(-1) === source.skill);
  const name = basename(source.path ?? new URL(source.url ?? "").pathname).replace(
    /\.(?:zip|skill|tgz|tar\.gz|tar)$/i,
    "",
  );
  const candidates = [...outer, ...named].map(
    (folder): Candidate => ({
      folder,
      folderName: folder.split("/").at(-1) || name,
      files: files.flatMap((file) => relative(folder, file)),
      links: links.flatMap((link) => relative(folder, link)),
    }),
  );
  const judged = judgeAll(candidates, { label, limits, links: "refuse", wanted: source.skill });
  return { ...base, ...judged, diagnostics: [...diagnostics, ...judged.diagnostics] };
}

/** A single SKILL.md as a skill of its own. Throws `SkilletError` when it cannot be had. */
export async function fetchFileSource(source: FileSource, options: FetchWebOptions): Promise<Fetched> {
  const bytes = await contentOf(source, { ...options, most: options.remote.fileBytes });
  const label = labelOf(source);
  if (/^\ufeff?\s*<(?:!doctype|html)/i.test(Buffer.from(bytes.subarray(0, 256)).toString("utf8"))) {
    throw new SkilletError("failed", `${label} is a web page, no SKILL.md.`, {
      hint: "Use the address of the raw file, or of the repository.",
    });
  }
  const parent = (source.path ?? new URL(source.url ?? "").pathname).split(/[/\\]/).at(-2) ?? "";
  const candidate: Candidate = {
    folder: "",
    folderName: parent,
    files: [{ path: "SKILL.md", bytes, executable: false }],
    links: [],
  };
  const judged = judgeAll([candidate], {
    label,
    limits: options.limits,
    links: "refuse",
    wanted: source.skill,
  });
  return {
    kind: "file",
    source: source.text,
    url: source.url,
    ref: null,
    revision: rawDigest(bytes),
    ...judged,
  };
}

/** `sha256:…` of bytes as they came. */
export function rawDigest(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

function labelOf(source: ArchiveSource | FileSource): string {
  return source.url === null ? printable(source.text) : showAddress(source.url);
}

function relative<T extends { readonly path: string }>(folder: string, entry: T): readonly T[] {
  const path = inside(folder, entry.path);
  return path === null ? [] : [{ ...entry, path }];
}

async function contentOf(
  source: ArchiveSource | FileSource,
  options: FetchWebOptions & { readonly most: number },
): Promise<Uint8Array> {
  if (source.url === null) return localBytes(source.path ?? "", options.most);
  const answer = await options.client.fetch({
    url: source.url,
    limits: { bytes: options.most },
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  if (answer.kind === "bytes") return answer.bytes;
  if (options.signal?.aborted === true) throw new SkilletError("cancelled", "Cancelled.");
  if (answer.kind === "unchanged") throw new SkilletError("failed", `${labelOf(source)} gave no content.`);
  const { message, hint } = answer.diagnostic;
  throw new SkilletError("failed", message, hint === null ? {} : { hint });
}

function localBytes(path: string, most: number): Uint8Array {
  let read: ReturnType<typeof readRegular>;
  try {
    read = readRegular(toNative(path), most);
  } catch (error) {
    throw fileError(error, { action: "read the file", path });
  }
  if (read === "too-large") throw new SkilletError("failed", `${path} is larger than ${most} bytes.`);
  if (read === "other") throw new SkilletError("failed", `${path} is no regular file.`);
  return read.bytes;
}
