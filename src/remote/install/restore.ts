import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { join } from "../../core/path.ts";
import type { SkillFile } from "../digest/skill-file.ts";
import { treeDigest } from "../digest/tree-digest.ts";
import type { LockedSkill } from "../lock/lock-data.ts";
import { differences, diskSkill } from "./disk-skill.ts";
import { fetchAll, sourceKey } from "./fetch-all.ts";
import type { Fetched, FetchedSkill } from "./fetched-skill.ts";
import type { InstallScope } from "./install-scope.ts";
import type { InstallTools } from "./install-tools.ts";
import { editsKept, editsMissing, expectedDigest, expectedFiles } from "./kept-edits.ts";
import { loadLock } from "./load-lock.ts";
import { lookAt } from "./look-at.ts";
import type { SkillChange } from "./operation.ts";
import { keptFor, ownThings } from "./own-things.ts";
import type { Plan } from "./plan.ts";
import { type Arrival, planArrivals, unfetched } from "./plan-add.ts";
import { planPlaces } from "./plan-places.ts";
import { sourceOfLock } from "./source-of-lock.ts";
import { takeNothing } from "./take.ts";

export interface RestoreRequest {
  readonly scope: InstallScope;
  /** Also put back what was edited by hand and is not in the lock. */
  readonly edited: boolean;
  /** Ask no source; what the cache does not have fails. */
  readonly offline?: boolean;
}

/**
 * Plans exactly what the lock says: every skill from the cache, else from its source at the locked revision, proven by
 * its digest either way, with the edits that the lock knows. The lock itself stays as it is. A skill with other edits is a
 * conflict unless `edited`.
 */
export async function planRestore(request: RestoreRequest, tools: InstallTools): Promise<Plan> {
  const { scope } = request;
  const before = loadLock(scope);
  const arrivals: Arrival[] = [];
  const others: SkillChange[] = [];
  const toFetch: (readonly [string, LockedSkill])[] = [];
  for (const [name, locked] of before.data.skills) {
    const files =
      whole(name, locked, scope) ?? (locked.digest === null ? null : tools.store.load(locked.digest));
    if (files !== null) arrivals.push(arrival(name, locked, files));
    else if (request.offline !== true) toFetch.push([name, locked]);
    else
      others.push(unfetched(name, locked, { action: "failed", scope, findings: [notCached(name, scope)] }));
  }
  const groups = groupBy(toFetch);
  const members = [...groups.values()];
  const answers = await fetchAll(
    members.map((group) => {
      const [, locked] = group[0] as readonly [string, LockedSkill];
      const source = () => sourceOfLock(locked, scope, lookAt, tools.environment);
      return { source, options: { revision: locked.revision } };
    }),
    tools,
  );
  for (const [index, group] of members.entries()) {
    const answer = answers[index];
    for (const [name, locked] of group) {
      const found = answer?.kind === "fetched" ? proven(name, locked, answer.fetched) : null;
      if (found !== null && "files" in found) arrivals.push(arrival(name, locked, found.files));
      else {
        const findings = found !== null ? [found.finding] : answer?.kind === "failed" ? [answer.finding] : [];
        others.push(unfetched(name, locked, { action: "failed", scope, findings }));
      }
    }
  }
  const plan = planArrivals(
    {
      scope,
      before,
      arrivals,
      agents: [],
      method: "link",
      take: takeNothing,
      diagnostics: before.diagnostics,
      others,
    },
    tools,
  );
  const { conflicts: _, ...exact } = { ...plan, after: before.data };
  return withEdited(exact, request, arrivals, tools);
}

function keyOf([, locked]: readonly [string, LockedSkill]): string {
  return sourceKey(locked, locked.revision);
}

/** Node 20 has no grouping of its own. */
function groupBy(
  entries: readonly (readonly [string, LockedSkill])[],
): Map<string, (readonly [string, LockedSkill])[]> {
  const groups = new Map<string, (readonly [string, LockedSkill])[]>();
  for (const entry of entries) groups.set(keyOf(entry), [...(groups.get(keyOf(entry)) ?? []), entry]);
  return groups;
}

/** Files on disk when they are what the lock says: nothing needs to be fetched then. Edits that were kept are not judged. */
function whole(name: string, locked: LockedSkill, scope: InstallScope): readonly SkillFile[] | null {
  const disk = diskSkill(join(scope.store, name));
  if (disk.kind !== "folder") return null;
  if (locked.edits.size === 0)
    return locked.digest === null || disk.digest === locked.digest ? disk.files : null;
  return disk.digest === expectedDigest(locked)
    ? disk.files.filter(({ path }) => locked.files.has(path))
    : null;
}

function proven(
  name: string,
  locked: LockedSkill,
  from: Fetched,
): { readonly files: readonly SkillFile[] } | { readonly finding: Diagnostic } {
  const skill =
    from.skills.find((one) => one.name === name && one.path === locked.path) ??
    from.skills.find((one) => one.name === name);
  if (skill === undefined) {
    const [reason] = from.diagnostics.filter(({ severity }) => severity === "error");
    const message = `"${name}" is not there at the locked revision.`;
    return { finding: reason ?? makeDiagnostic("install/fetch-failed", { path: from.source, message }) };
  }
  if (locked.digest === null || skill.digest === locked.digest) return { files: skill.files };
  const message = `"${name}" has the digest ${skill.digest}, but the lock says ${locked.digest}.`;
  return { finding: makeDiagnostic("install/digest-mismatch", { path: from.source, message }) };
}

/** A locked skill as if it had just come: the lock decides the name, the content is proven. */
function arrival(name: string, locked: LockedSkill, files: readonly SkillFile[]): Arrival {
  const skill: FetchedSkill = {
    ...{ name, description: null, path: locked.path, files: withModes(files, locked), links: locked.links },
    digest: locked.digest ?? treeDigest(files),
    findings: [],
  };
  const { kind, source, url, ref, revision } = locked;
  return {
    skill,
    from: {
      kind,
      source,
      url,
      ref,
      revision,
      stated: locked.digest !== null,
      skills: [skill],
      diagnostics: [],
    },
  };
}

function withModes(files: readonly SkillFile[], locked: LockedSkill): readonly SkillFile[] {
  const expected = expectedFiles(locked);
  return files.map((file) => ({
    ...file,
    executable: expected.get(file.path)?.executable ?? file.executable,
  }));
}

/** Skills whose disk state is not the lock's although nothing came: put back where that is wanted, else a conflict. */
function withEdited(
  plan: Plan,
  request: RestoreRequest,
  arrivals: readonly Arrival[],
  tools: InstallTools,
): Plan {
  const folders = [...plan.work.folders];
  const changes = plan.changes.map((change): SkillChange => {
    const path = join(plan.scope.store, change.name);
    const locked = plan.before.data.skills.get(change.name);
    const skill = arrivals.find((one) => one.skill.name === change.name)?.skill;
    if (change.action !== "unchanged" || locked === undefined || skill === undefined) return change;
    const disk = diskSkill(path);
    if (disk.kind !== "folder" || differences(disk.files, locked).length === 0) {
      const findings = locked.edits.size > 0 ? [editsKept(path, locked)] : [];
      // What stands there is what the lock says, edits and all: there is nothing left to decide.
      const others = change.findings.filter(({ code }) => code !== "install/edited");
      return { ...change, findings: [...findings, ...others] };
    }
    const conflict = (finding: Diagnostic): SkillChange => ({
      ...change,
      action: "conflict",
      findings: [finding],
    });
    const came =
      disk.digest === locked.digest && differences(disk.files, { ...locked, edits: new Map() }).length === 0;
    if (!request.edited && !came) {
      const message = "It was changed by hand, so it was not put back.";
      const hint = `Use --yes to take the locked version; skillet update ${change.name} --take mine makes your edits part of the lock`;
      return conflict(makeDiagnostic("install/edited", { path, message, hint }));
    }
    const own = ownThings(disk, locked);
    if (own.length > 0) return conflict(keptFor(path, own));
    const digest = expectedDigest(locked);
    const kept = locked.edits.size === 0 ? skill.files : digest === null ? null : tools.store.load(digest);
    if (kept === null) return conflict(editsMissing(change.name, path, locked));
    const from = arrivals.find((one) => one.skill === skill)?.from;
    const judged = from === undefined ? [] : tools.approve({ ...skill, files: kept }, from);
    if (judged.some(({ severity }) => severity === "error"))
      return { ...change, action: "failed", findings: judged };
    const files = withModes(kept, locked);
    const places = planPlaces({
      ...{ scope: plan.scope, name: change.name, locked, asked: [], method: "link", content: files },
      known: [locked.digest, disk.digest],
    });
    folders.push({ target: path, files, from: disk.digest }, ...places.folders);
    return { ...change, action: "restored" };
  });
  return { ...plan, changes, work: { ...plan.work, folders: lastOfEach(folders) } };
}

/** A copy that was planned with what stood there is planned anew with what is put back. */
function lastOfEach(folders: Plan["work"]["folders"]): Plan["work"]["folders"] {
  return [...new Map(folders.map((folder) => [folder.target, folder])).values()];
}

function notCached(name: string, scope: InstallScope): Diagnostic {
  const message = `"${name}" is not in the cache.`;
  return makeDiagnostic("install/fetch-failed", {
    path: scope.lockPath,
    message,
    hint: "Run it once with the network",
  });
}
