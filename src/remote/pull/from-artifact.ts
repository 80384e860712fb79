import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { SkilletError } from "../../core/error.ts";
import type { PulledRecord } from "../../core/remote/pulled-record.ts";
import { showSource } from "../../core/remote/pulled-roots.ts";
import type { RemoteSource } from "../../core/remote/remote-source.ts";
import { toNative } from "../../host/native-path.ts";
import { extractArchive } from "../archive/extract-archive.ts";
import { bytesDigest, isPage } from "../index/entry-findings.ts";
import type { Candidate } from "../install/candidate.ts";
import { judgeAll } from "../install/judge-all.ts";
import { inside, skillFolders } from "../install/skill-folders.ts";
import { type Collected, collected, skillLimits } from "./collected.ts";
import type { PullContext } from "./pull-types.ts";
import { requestHeaders } from "./request-headers.ts";

/** The skills of an archive or a single SKILL.md, from a server or from disk; all that an archive holds, each judged for itself. */
export async function fromArtifact(
  source: RemoteSource,
  before: PulledRecord | null,
  context: PullContext,
): Promise<Collected> {
  const path = showSource(source);
  const artifact = await artifactBytes(source, before, context);
  if (artifact.kind !== "bytes") return artifact;
  const { bytes, etag, modified } = artifact;
  const digest = bytesDigest(bytes);
  if (source.digest !== null && source.digest !== digest) {
    const message = `${path}: the digest differs from the one in \`sources\`: ${digest} came.`;
    return { kind: "failed", diagnostic: makeDiagnostic("remote/digest", { path, message }) };
  }
  const limits = skillLimits(context.policy.limits);
  const name = basename(path.replace(/[?#].*$/, "")).replace(/\.(?:zip|tgz|tar\.gz|tar|md|skill)$/i, "");
  const folderName = source.kind === "file" ? (path.split("/").at(-2) ?? name) : name;
  let candidates: readonly Candidate[];
  let found: readonly Diagnostic[] = [];
  if (source.kind === "file") {
    if (isPage(bytes)) {
      const message = `${path}: a web page stands where SKILL.md should be.`;
      return { kind: "failed", diagnostic: makeDiagnostic("remote/not-a-skill", { path, message }) };
    }
    const files = [{ path: "SKILL.md", bytes, executable: false }];
    candidates = [{ folder: "", folderName, files, links: [] }];
  } else {
    const all = { ...limits, entries: limits.entries * 10, bytes: limits.bytes * 4 };
    const { files, links, diagnostics } = extractArchive(bytes, { ...all, label: path });
    const fatal = diagnostics.find(({ severity }) => severity === "error");
    if (fatal !== undefined) return { kind: "failed", diagnostic: fatal };
    found = diagnostics;
    const within = (one: string): boolean =>
      source.folder === null || one === source.folder || inside(source.folder, one) !== null;
    candidates = skillFolders(files.map((file) => file.path))
      .outer.filter(within)
      .map((folder) => ({
        folder,
        folderName: folder === "" ? folderName : (folder.split("/").at(-1) ?? ""),
        files: relative(files, folder),
        links: relative(links, folder),
      }));
  }
  const judged = judgeAll(candidates, { label: path, limits, links: "refuse", wanted: null });
  return {
    ...collected(source, {
      skills: judged.skills,
      diagnostics: [...found, ...judged.diagnostics],
      stated: source.digest,
      revision: null,
    }),
    etag,
    modified,
    digest,
  };
}

function relative<Entry extends { readonly path: string }>(
  entries: readonly Entry[],
  folder: string,
): Entry[] {
  return entries.flatMap((entry) => {
    const path = inside(folder, entry.path);
    return path === null || path === "" ? [] : [{ ...entry, path }];
  });
}

async function artifactBytes(source: RemoteSource, before: PulledRecord | null, context: PullContext) {
  const limits = context.policy.limits;
  const most = source.kind === "file" ? limits.fileBytes : limits.archiveBytes;
  if (!/^https?:/i.test(source.address)) {
    const native = toNative(source.address);
    const stats = statSync(native, { throwIfNoEntry: false });
    if (stats?.isFile() !== true) throw new SkilletError("failed", `There is no file ${showSource(source)}.`);
    if (stats.size > most)
      throw new SkilletError("failed", `${showSource(source)} is larger than ${most} bytes.`);
    return {
      kind: "bytes",
      bytes: new Uint8Array(readFileSync(native)),
      etag: null,
      modified: null,
    } as const;
  }
  const headers = requestHeaders(source, context.environment);
  if ("problem" in headers) return { kind: "failed", diagnostic: headers.problem } as const;
  const whole =
    before !== null &&
    before.problems.length === 0 &&
    before.skills.every((skill) => context.store.holds(skill));
  const known = whole && before.skills.length > 0 && (before.etag !== null || before.modified !== null);
  const answer = await context.client.fetch({
    url: source.address,
    headers: headers.value,
    limits: { bytes: most },
    refuseTypes: ["text/html", "application/xhtml+xml"],
    signal: context.signal,
    ...(known ? { known: { etag: before.etag, modified: before.modified } } : {}),
  });
  if (answer.kind === "failed") return { kind: "failed", diagnostic: answer.diagnostic } as const;
  return answer;
}
