import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { judgeOrigin } from "../../core/policy/judge.ts";
import type { PulledProblem, PulledRecord } from "../../core/remote/pulled-record.ts";
import { realSource, showSource } from "../../core/remote/pulled-roots.ts";
import type { RemoteSource } from "../../core/remote/remote-source.ts";
import { readRecord, writeRecord } from "../cache/records.ts";
import { acceptSkill } from "./accept-skill.ts";
import { changeOf, type Gathered } from "./gathered.ts";
import { pullIndex } from "./pull-index.ts";
import { collect } from "./pull-other.ts";
import type { PullChange, PullContext, PullOutcome } from "./pull-types.ts";

/**
 * Pulls one source into the cache. What is offered changes in one moment, when the record is replaced; until then, and
 * when anything fails before, the last good copy stays. Throws `SkilletError` when the disk refuses or it was stopped.
 */
export async function pullSource(source: RemoteSource, context: PullContext): Promise<PullOutcome> {
  const path = showSource(source);
  const before = readRecord(source, context);
  const origin = judgeOrigin(context.policy, realSource(source, context.fileSystem));
  if (!origin.allowed) {
    const message = `${path}: ${origin.message}`;
    return {
      source,
      status: "refused",
      changes: [],
      diagnostics: [makeDiagnostic("policy/origin", { path, message })],
    };
  }
  if (source.kind === "oci") {
    const message = `${path}: sources of kind oci are not pulled; \`skillet add\` installs from a registry.`;
    return {
      source,
      status: "failed",
      changes: [],
      diagnostics: [makeDiagnostic("remote/source", { path, message })],
    };
  }
  const gathered =
    source.kind === "index"
      ? await pullIndex(source, before, context)
      : await gather(source, before, context);
  context.signal.throwIfAborted();
  if (gathered.kind === "failed") return failed(source, { before, diagnostic: gathered.diagnostic, context });
  if (gathered.kind === "unchanged") return unchanged(source, before, context);
  return finished(source, { before, gathered, context });
}

async function gather(
  source: RemoteSource,
  before: PulledRecord | null,
  context: PullContext,
): Promise<Gathered> {
  const found = await collect(source, before, context);
  if (found.kind !== "collected") return found;
  // A source of which nothing can be used is no reason to drop what it had.
  const reason = found.diagnostics.find(({ severity }) => severity === "error");
  if (found.incoming.length === 0 && reason !== undefined) return { kind: "failed", diagnostic: reason };
  const skills = [];
  const changes: PullChange[] = [];
  for (const [done, incoming] of found.incoming.entries()) {
    const earlier = before?.skills.find(({ name }) => name === incoming.name) ?? null;
    const accepted = acceptSkill(incoming, source, context);
    context.progress({ label: source.label, done: done + 1, total: found.incoming.length });
    const { findings } = accepted;
    if (accepted.kind !== "accepted") {
      changes.push(changeOf(incoming.name, accepted.kind, { before: earlier, findings }));
      continue;
    }
    const { skill } = accepted;
    const same = earlier !== null && earlier.content === skill.content;
    skills.push(same ? { ...skill, arrived: earlier.arrived } : skill);
    const action = earlier === null ? "added" : same ? "unchanged" : "updated";
    changes.push(changeOf(incoming.name, action, { before: earlier, after: skill, findings }));
  }
  const { etag, modified, digest, revision } = found;
  return {
    kind: "gathered",
    skills,
    changes,
    diagnostics: found.diagnostics,
    facts: { form: null, found: null, etag, modified, digest, newest: null, revision },
  };
}

function failed(
  source: RemoteSource,
  at: {
    readonly before: PulledRecord | null;
    readonly diagnostic: PullOutcome["diagnostics"][number];
    readonly context: PullContext;
  },
): PullOutcome {
  const { before, diagnostic, context } = at;
  if (before === null || before.skills.length === 0)
    return { source, status: "failed", changes: [], diagnostics: [diagnostic] };
  const path = showSource(source);
  const message = `${path}: the copy of ${before.pulled.slice(0, 16).replace("T", " ")} UTC is used (${before.skills.length} skills).`;
  if (!context.dryRun) writeRecord(source, { ...before, stale: diagnostic.message }, context);
  return {
    source,
    status: "stale",
    changes: before.skills.map((skill) => changeOf(skill.name, "kept", { before: skill, after: skill })),
    diagnostics: [{ ...diagnostic, severity: "warning" }, makeDiagnostic("remote/stale", { path, message })],
  };
}

function unchanged(source: RemoteSource, before: PulledRecord | null, context: PullContext): PullOutcome {
  if (before === null) return { source, status: "unchanged", changes: [], diagnostics: [] };
  if (!context.dryRun) writeRecord(source, { ...before, pulled: context.now, stale: null }, context);
  return {
    source,
    status: "unchanged",
    changes: before.skills.map((skill) => changeOf(skill.name, "unchanged", { before: skill, after: skill })),
    diagnostics: [],
  };
}

function finished(
  source: RemoteSource,
  at: {
    readonly before: PulledRecord | null;
    readonly gathered: Extract<Gathered, { kind: "gathered" }>;
    readonly context: PullContext;
  },
): PullOutcome {
  const { before, gathered, context } = at;
  const seen = new Set(gathered.changes.map(({ name }) => name));
  const gone = (before?.skills ?? []).filter(({ name }) => !seen.has(name));
  const changes = [
    ...gathered.changes,
    ...gone.map((skill) => changeOf(skill.name, "removed", { before: skill })),
  ];
  const record: PulledRecord = {
    version: 1,
    kind: source.kind,
    address: source.address,
    ...gathered.facts,
    pulled: context.now,
    stale: null,
    skills: gathered.skills,
    problems: problemsOf(gathered),
  };
  if (!context.dryRun) writeRecord(source, record, context);
  const same = changes.every(({ action }) => action === "unchanged");
  return { source, status: same ? "unchanged" : "pulled", changes, diagnostics: gathered.diagnostics };
}

/** Why entries are not there, kept so that `why` can tell it later. */
function problemsOf({
  changes,
  diagnostics,
}: Extract<Gathered, { kind: "gathered" }>): readonly PulledProblem[] {
  const ofSkills = changes
    .filter(({ action }) => action !== "added" && action !== "updated" && action !== "unchanged")
    .flatMap(({ name, findings }) =>
      findings.map(({ code, message }) => ({ name, code, message: withoutName(message, name) })),
    );
  const ofIndex = diagnostics
    .filter(({ severity }) => severity !== "info")
    .map(({ code, message }) => {
      const cut = message.indexOf(": ");
      const name = cut > 0 && cut <= 100 ? message.slice(0, cut) : "";
      return { name, code, message: withoutName(message, name) };
    });
  return [...ofSkills, ...ofIndex].slice(0, 1_000);
}

function withoutName(message: string, name: string): string {
  return name !== "" && message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message;
}
