import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { judgeName, policyDiagnostics } from "../../core/policy/judge.ts";
import type { PulledRecord, PulledSkill } from "../../core/remote/pulled-record.ts";
import { showSource } from "../../core/remote/pulled-roots.ts";
import type { RemoteSource } from "../../core/remote/remote-source.ts";
import { printable } from "../../core/text/printable.ts";
import { eachLimited } from "../index/each-limited.ts";
import { bytesDigest } from "../index/entry-findings.ts";
import { fetchEntry, type KnownFile } from "../index/fetch-entry.ts";
import { type FetchedIndex, fetchIndex } from "../index/fetch-index.ts";
import type { IndexEntry } from "../index/index-types.ts";
import { publisherOf } from "../policy/signature.ts";
import { acceptSkill } from "./accept-skill.ts";
import { compareVersions } from "./compare-versions.ts";
import { changeOf, type Gathered } from "./gathered.ts";
import type { PullChange, PullContext } from "./pull-types.ts";
import { requestHeaders } from "./request-headers.ts";

/** Skills of one index that are fetched at once. */
const skillsAtOnce = 4;

/** Pulls the skills of an index. What is known and unchanged is not fetched again. */
export async function pullIndex(
  source: RemoteSource,
  before: PulledRecord | null,
  context: PullContext,
): Promise<Gathered> {
  const headers = requestHeaders(source, context.environment);
  if ("problem" in headers) return { kind: "failed", diagnostic: headers.problem };
  const fetched = await fetchKnown(source, { before, headers: headers.value, context });
  if (fetched.kind === "failed") return { kind: "failed", diagnostic: fetched.diagnostic };
  if (fetched.kind === "unchanged") return { kind: "unchanged" };
  const { index } = fetched;
  const path = showSource(source);
  const newest = before?.newest ?? null;
  if (
    index.version !== null &&
    newest !== null &&
    compareVersions(index.version, newest) < 0 &&
    !context.acceptOlder
  ) {
    const message = `${path} offers version ${printable(index.version)} of its index; version ${printable(newest)} was seen before.`;
    return { kind: "failed", diagnostic: makeDiagnostic("remote/older", { path, message }) };
  }
  const problems: Diagnostic[] = index.problems
    .filter(({ name }) => source.only === null || source.only.includes(name))
    .map(({ name, code, message }) =>
      makeDiagnostic(code, { path, message: `${printable(name)}: ${message}.` }),
    );
  const wanted = index.entries.filter(({ name }) => source.only === null || source.only.includes(name));
  for (const name of source.only ?? [])
    if (!wanted.some((entry) => entry.name === name))
      problems.push(
        makeDiagnostic("remote/entry", { path, message: `${printable(name)}: the index has no such skill.` }),
      );
  let done = 0;
  const results = await eachLimited(wanted, skillsAtOnce, async (entry) => {
    const result = await pullEntry(entry, {
      source,
      before: before?.skills.find(({ name }) => name === entry.name) ?? null,
      index: fetched.url,
      headers: headers.value,
      context,
    });
    context.progress({ label: source.label, done: ++done, total: wanted.length });
    return result;
  });
  return {
    kind: "gathered",
    skills: results.flatMap(({ skill }) => skill ?? []),
    changes: results.map(({ change }) => change),
    diagnostics: problems,
    facts: {
      form: index.form,
      found: fetched.asked,
      etag: fetched.etag,
      modified: fetched.modified,
      digest: bytesDigest(fetched.bytes),
      newest: index.version ?? newest,
      revision: null,
    },
  };
}

/** A conditional request makes sense only where the index alone tells whether something changed, and all of it is here. */
async function fetchKnown(
  source: RemoteSource,
  at: {
    readonly before: PulledRecord | null;
    readonly headers: Readonly<Record<string, string>>;
    readonly context: PullContext;
  },
): Promise<FetchedIndex> {
  const { before, context } = at;
  const whole =
    before?.form === "0.2" &&
    before.found !== null &&
    before.problems.length === 0 &&
    before.skills.every((skill) => context.store.holds(skill));
  return fetchIndex(source.address, {
    client: context.client,
    limits: context.policy.limits,
    headers: at.headers,
    signal: context.signal,
    known:
      whole && before.found !== null && (before.etag !== null || before.modified !== null)
        ? { url: before.found, etag: before.etag, modified: before.modified }
        : null,
  });
}

interface EntryContext {
  readonly source: RemoteSource;
  readonly before: PulledSkill | null;
  readonly index: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly context: PullContext;
}

interface EntryOutcome {
  readonly skill: PulledSkill | null;
  readonly change: PullChange;
}

async function pullEntry(entry: IndexEntry, at: EntryContext): Promise<EntryOutcome> {
  const { source, before, context } = at;
  const { policy, store } = context;
  const path = showSource(source);
  const { name } = entry;
  const named = judgeName(policy, name);
  if (!named.allowed) {
    const findings = policyDiagnostics({ allowed: false, steps: [named] }, { name, path, policy });
    return { skill: null, change: changeOf(name, "refused", { before, findings }) };
  }
  const held = before !== null && store.holds(before) ? before : null;
  const keep = (findings: readonly Diagnostic[]): EntryOutcome => keptOr(name, { before, held, findings });
  if (isOlder(entry, before) && !context.acceptOlder) {
    const message = `${name}: version ${printable(entry.version ?? "")} is offered; version ${printable(before?.version ?? "")} is here.`;
    return keep([makeDiagnostic("remote/older", { path, message })]);
  }
  if (held !== null && entry.kind !== "files" && held.stated === entry.digest) {
    const files = held.files.map((file) => ({
      path: file.path,
      bytes: store.read(held, file.path) ?? new Uint8Array(),
      executable: false,
    }));
    const publisher = publisherOf(policy, files, entry.signatures);
    const skill = {
      ...held,
      version: entry.version,
      publisher: publisher?.name ?? null,
      key: publisher?.key ?? null,
    };
    return { skill, change: changeOf(name, "unchanged", { before, after: skill }) };
  }
  const fetched = await fetchEntry(entry, {
    client: context.client,
    limits: policy.limits,
    headers: at.headers,
    index: at.index,
    signal: context.signal,
    mayLeave: (url) => policy.redirects.includes(url.hostname) || policy.redirects.includes(url.host),
    ...(held === null ? {} : { known: knownFiles(held, context) }),
  });
  if (fetched.kind === "failed") return keep(fetched.diagnostics);
  const accepted = acceptSkill(
    {
      name,
      files: fetched.files,
      etags: fetched.etags,
      stated: entry.kind === "files" ? null : entry.digest,
      version: entry.version,
      signatures: entry.signatures,
      diagnostics: fetched.diagnostics,
    },
    source,
    context,
  );
  const { findings } = accepted;
  if (accepted.kind === "failed") return keep(findings);
  if (accepted.kind === "refused")
    return { skill: null, change: changeOf(name, "refused", { before, findings }) };
  const { skill } = accepted;
  const action = before === null ? "added" : before.content === skill.content ? "unchanged" : "updated";
  const arrived = action === "unchanged" && before !== null ? before.arrived : skill.arrived;
  return { skill: { ...skill, arrived }, change: changeOf(name, action, { before, after: skill, findings }) };
}

function knownFiles(held: PulledSkill, { store }: PullContext): ReadonlyMap<string, KnownFile> {
  return new Map(
    held.files.flatMap(({ path, etag }) =>
      etag === null ? [] : [[path, { etag, bytes: () => store.read(held, path) }] as const],
    ),
  );
}

function isOlder(entry: IndexEntry, before: PulledSkill | null): boolean {
  return (
    entry.version !== null &&
    before !== null &&
    before.version !== null &&
    compareVersions(entry.version, before.version) < 0
  );
}

function keptOr(
  name: string,
  at: {
    readonly before: PulledSkill | null;
    readonly held: PulledSkill | null;
    readonly findings: readonly Diagnostic[];
  },
): EntryOutcome {
  const { before, held, findings } = at;
  return held === null
    ? { skill: null, change: changeOf(name, "failed", { before, findings }) }
    : { skill: held, change: changeOf(name, "kept", { before, after: held, findings }) };
}
