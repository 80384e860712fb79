import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { join } from "../../core/path.ts";
import { fileDigest } from "../digest/file-digest.ts";
import type { SkillFile } from "../digest/skill-file.ts";
import type { LockedFile, LockedSkill } from "../lock/lock-data.ts";
import { changedFiles } from "./changed-files.ts";
import { type DiskSkill, differences } from "./disk-skill.ts";
import type { Fetched, FetchedSkill } from "./fetched-skill.ts";
import type { InstallScope } from "./install-scope.ts";
import { mergeTrees } from "./merge-trees.ts";
import type { PlannedSkill, SkillChange } from "./operation.ts";
import { keptFor, ownThings } from "./own-things.ts";

export interface PlanSkillRequest {
  readonly scope: InstallScope;
  readonly fetched: FetchedSkill;
  readonly from: Fetched;
  readonly locked: LockedSkill | null;
  readonly disk: DiskSkill;
  /** Files of the locked digest where they are still known. */
  readonly baseFiles: readonly SkillFile[] | null;
  readonly take: "new" | "mine" | null;
  /** Agents that the skill is put into, besides those of the lock. */
  readonly agents: readonly string[];
  readonly findings?: readonly Diagnostic[];
}

/**
 * What installing a fetched skill over what stands there comes to: added, updated (three-way, so that the user's edits
 * stay), unchanged, or a conflict in which nothing is done. Pure.
 */
export function planSkill(request: PlanSkillRequest): PlannedSkill {
  const { scope, fetched, from, locked, disk } = request;
  const target = join(scope.store, fetched.name);
  const entry = lockedFrom(request);
  const base = {
    name: fetched.name,
    from: described(from),
    to: target,
    agents: entry.agents,
    digest: fetched.digest,
    previous: locked?.digest ?? null,
    findings: [...fetched.findings, ...(request.findings ?? [])],
  };
  const conflict = (diagnostic: Diagnostic, files: SkillChange["files"] = []): PlannedSkill => ({
    change: { ...base, action: "conflict", files, findings: [diagnostic, ...base.findings] },
    locked,
    store: null,
    standing: disk.kind === "folder" ? disk.digest : null,
  });
  if (disk.kind === "other") {
    const message = `${disk.what[0]?.toUpperCase()}${disk.what.slice(1)} stands at ${target}; it is left alone.`;
    return conflict(makeDiagnostic("install/in-the-way", { path: target, message }));
  }
  if (disk.kind === "absent") {
    const files = changedFiles([], fetched.files, []);
    const action = locked === null ? "added" : locked.digest === fetched.digest ? "restored" : "updated";
    return { change: { ...base, action, files }, locked: entry, store: fetched.files, standing: null };
  }
  const same = disk.digest === fetched.digest && differences(disk.files, entry).length === 0;
  if (locked === null && !same && request.take === null) {
    const message = `A skill that was not installed by Skillet stands at ${target}; it is left alone.`;
    const hint = "Use --take new to replace it, --take mine to keep it as your edited copy, or move it away";
    return conflict(makeDiagnostic("install/in-the-way", { path: target, message, hint }));
  }
  const unchanged = locked !== null && locked.digest === fetched.digest;
  if (same || unchanged) {
    return {
      change: { ...base, action: "unchanged", files: [] },
      locked: entry,
      store: null,
      standing: disk.digest,
    };
  }
  const own = ownThings(disk, locked);
  if (own.length > 0) return conflict(keptFor(target, own));
  const merged = mergeTrees({
    // A lock without digests says that what stands there is what came; without a lock everything is the user's.
    base: locked === null ? new Map() : locked.digest === null ? baseOf(disk.files) : locked.files,
    baseFiles: request.baseFiles,
    mine: disk.files,
    theirs: fetched.files,
    take: request.take,
  });
  const files = changedFiles(disk.files, merged.files, merged.changes);
  const clashes = merged.changes.filter(({ action }) => action === "conflict");
  if (clashes.length > 0) {
    const shown = clashes
      .slice(0, 5)
      .map(({ path }) => path)
      .join(", ");
    const both = merged.clashes.slice(0, 3).join(", ");
    const message =
      merged.clashes.length > 0
        ? `One of you has a file where the other has a folder: ${both}.`
        : `Your changes and theirs touch the same lines: ${shown}.`;
    return conflict(
      makeDiagnostic("install/conflict", { path: target, message }),
      changedFiles(disk.files, fetched.files, merged.changes),
    );
  }
  return {
    change: { ...base, action: "updated", files },
    locked: entry,
    store: merged.files,
    standing: disk.digest,
  };
}

/** The lock's entry for a fetched skill: what came, not what a merge made of it. */
function lockedFrom({ fetched, from, locked, agents }: PlanSkillRequest): LockedSkill {
  const all = [...new Set([...(locked?.agents ?? []), ...agents])].sort();
  return {
    source: from.source,
    kind: from.kind,
    url: from.url,
    ref: from.ref,
    path: fetched.path,
    revision: locked?.digest === fetched.digest && locked.url === from.url ? locked.revision : from.revision,
    digest: fetched.digest,
    agents: all,
    copies: locked?.copies ?? [],
    files: baseOf(fetched.files),
    links: fetched.links,
    extra: locked?.extra ?? {},
  };
}

function baseOf(files: readonly SkillFile[]): ReadonlyMap<string, LockedFile> {
  return new Map(
    files.map(({ path, bytes, executable }) => [path, { digest: fileDigest(bytes), executable }]),
  );
}

/** `owner/repo 1a2b3c4d`, for people and reports. */
export function described({ source, revision }: Pick<Fetched, "source" | "revision">): string {
  if (revision === null) return source;
  return `${source} ${revision.replace(/^sha256:/, "").slice(0, 12)}`;
}
