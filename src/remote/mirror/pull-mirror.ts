import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { judgeName, judgeOrigin, policyDiagnostics } from "../../core/policy/judge.ts";
import type { Policy } from "../../core/policy/policy.ts";
import { baseOf, type MirrorNote, mirrorFolder, notePath } from "../../core/remote/mirror-notes.ts";
import { showSource } from "../../core/remote/pulled-roots.ts";
import type { MirrorCache, RemoteSource } from "../../core/remote/remote-source.ts";
import { printable } from "../../core/text/printable.ts";
import { writeFileAtomic } from "../../host/atomic-write.ts";
import { toNative } from "../../host/native-path.ts";
import { nodeCodec } from "../../host/node-file-system.ts";
import { ensureOwnFolder } from "../../host/own-folder.ts";
import type { HttpClient } from "../http/http-types.ts";
import { eachLimited } from "../index/each-limited.ts";
import { ofEntry } from "../index/entry-findings.ts";
import type { PullChange, PullOutcome, PullProgress } from "../pull/pull-types.ts";
import { pullMirrorEntry } from "./mirror-entry.ts";
import { readMirrorIndex } from "./mirror-index.ts";

/** Entries that are fetched at once, as with the agents. */
const entriesAtOnce = 4;

export interface PullMirrorContext {
  readonly client: HttpClient;
  readonly policy: Policy;
  /** ISO 8601. */
  readonly now: string;
  readonly signal: AbortSignal;
  readonly progress: (progress: PullProgress) => void;
}

/**
 * Pulls one address into a mirrored agent's cache, by that agent's rules (golden `*.remote`), and notes what the agent would
 * offer now. Throws `SkilletError` when the disk refuses or it was stopped.
 */
export async function pullMirror(
  source: RemoteSource,
  cache: MirrorCache,
  context: PullMirrorContext,
): Promise<PullOutcome> {
  const { policy, client, signal } = context;
  const written = baseOf(source.address);
  const path = showSource(source);
  const refused = (diagnostic: Diagnostic): PullOutcome => ({
    source,
    status: "refused",
    changes: [],
    diagnostics: [diagnostic],
  });
  if (!URL.canParse(written)) {
    const message = `${path === "" ? "An empty text" : path} is no address.`;
    return refused(makeDiagnostic("remote/address", { path, message }));
  }
  const origin = judgeOrigin(policy, written);
  if (!origin.allowed)
    return refused(makeDiagnostic("policy/origin", { path, message: `${path}: ${origin.message}` }));
  const base = new URL(written);
  const folder = mirrorFolder(cache, written, nodeCodec);
  const answer = await client.fetch({
    url: new URL("index.json", base).href,
    accept: "application/json",
    limits: { bytes: policy.limits.indexBytes, tries: cache.tries },
    signal,
  });
  signal.throwIfAborted();
  const index =
    answer.kind !== "bytes"
      ? null
      : readMirrorIndex(answer.bytes, { base, written, folder: toNative(folder), cache });
  if (index === null || "problem" in index) {
    const diagnostic =
      answer.kind === "failed"
        ? answer.diagnostic
        : makeDiagnostic("remote/index", {
            path,
            message: `The index of ${path} cannot be used: ${index === null ? "nothing came" : index.problem}.`,
          });
    writeNote(cache, { written, folders: [], failed: diagnostic.message, refused: [], now: context.now });
    return { source, status: "failed", changes: [], diagnostics: [diagnostic] };
  }
  const get = async (url: string): Promise<Uint8Array | Diagnostic> => {
    const file = await client.fetch({
      url,
      limits: { bytes: policy.limits.fileBytes, tries: cache.tries },
      signal,
    });
    signal.throwIfAborted();
    return file.kind === "bytes" ? file.bytes : file.kind === "failed" ? file.diagnostic : new Uint8Array();
  };
  let done = 0;
  const results = await eachLimited(index.entries, entriesAtOnce, async (entry) => {
    const named = judgeName(policy, entry.name);
    const excess = entry.files.length > policy.limits.files;
    const findings = !named.allowed
      ? policyDiagnostics({ allowed: false, steps: [named] }, { name: entry.name, path, policy })
      : excess
        ? [
            makeDiagnostic("policy/size", {
              path,
              message: `${printable(entry.name)}: it lists too many files.`,
            }),
          ]
        : null;
    const result =
      findings === null
        ? await pullMirrorEntry(entry, { cache, fetch: get })
        : ({ offered: false, action: "refused", diagnostics: findings } as const);
    context.progress({ label: source.label, done: ++done, total: index.entries.length });
    return { entry, result };
  });
  const offered = results.filter(({ result }) => result.offered).map(({ entry }) => entry.name);
  writeNote(cache, { written, folders: offered, failed: null, refused: index.refused, now: context.now });
  const changes = results.map(
    ({ entry, result }): PullChange => ({
      name: entry.name,
      action: result.action,
      from: null,
      to: null,
      files: entry.files.length,
      findings: result.diagnostics.map((diagnostic) => ofEntry(entry.name, diagnostic)),
    }),
  );
  const diagnostics = index.refused.map(({ name, message }) =>
    makeDiagnostic("remote/entry", { path, message: `${printable(name)}: ${message}.` }),
  );
  const same = changes.every(({ action }) => action === "unchanged") && diagnostics.length === 0;
  return { source, status: same ? "unchanged" : "pulled", changes, diagnostics };
}

function writeNote(
  cache: MirrorCache,
  note: Pick<MirrorNote, "folders" | "failed" | "refused"> & {
    readonly written: string;
    readonly now: string;
  },
): void {
  const { written: base, now, folders, failed } = note;
  const content: MirrorNote = {
    version: 1,
    base,
    folders: [...new Set(folders)],
    pulled: now,
    failed,
    refused: note.refused.slice(0, 1_000),
  };
  ensureOwnFolder(cache.notes, "note what was pulled");
  writeFileAtomic(notePath(cache, base, nodeCodec), `${JSON.stringify(content)}\n`, {
    action: "note what was pulled",
    mode: 0o600,
  });
}
