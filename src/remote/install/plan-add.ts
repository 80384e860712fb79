import type { Diagnostic } from "../../core/diagnostic.ts";
import { join } from "../../core/path.ts";
import { fileDigest } from "../digest/file-digest.ts";
import type { SkillFile } from "../digest/skill-file.ts";
import { treeDigest } from "../digest/tree-digest.ts";
import type { LockData, LockedSkill } from "../lock/lock-data.ts";
import { type KnownConflict, readConflicts } from "./conflict-memory.ts";
import { diskSkill } from "./disk-skill.ts";
import type { Fetched, FetchedSkill } from "./fetched-skill.ts";
import type { InstallScope } from "./install-scope.ts";
import type { InstallTools } from "./install-tools.ts";
import { expectedDigest } from "./kept-edits.ts";
import type { LoadedLock } from "./load-lock.ts";
import type { PlannedSkill, SkillChange } from "./operation.ts";
import type { Plan } from "./plan.ts";
import { planPlaces } from "./plan-places.ts";
import { described, planSkill } from "./plan-skill.ts";
import type { Take } from "./take.ts";

/** One skill that was fetched and where from. */
export interface Arrival {
  readonly skill: FetchedSkill;
  readonly from: Fetched;
  readonly findings?: readonly Diagnostic[];
}

export interface PlanArrivalsRequest {
  readonly scope: InstallScope;
  readonly before: LoadedLock;
  readonly arrivals: readonly Arrival[];
  readonly agents: readonly string[];
  readonly method: "link" | "copy";
  readonly take: Take;
  readonly diagnostics: readonly Diagnostic[];
  /** Changes that are decided already: what failed, what is kept. */
  readonly others?: readonly SkillChange[];
}

/** The plan that brings fetched skills into the store, the agents' folders and the lock. Reads the disk, writes nothing. */
export function planArrivals(request: PlanArrivalsRequest, tools: InstallTools): Plan {
  const { scope, before } = request;
  const skills = new Map(before.data.skills);
  const changes: SkillChange[] = [...(request.others ?? [])];
  const folders: Plan["work"]["folders"][number][] = [];
  const links: Plan["work"]["links"][number][] = [];
  const trees = new Map<string, readonly SkillFile[]>();
  const known = readConflicts(scope);
  const conflicts = new Map(known);
  for (const { skill, from, findings = [] } of request.arrivals) {
    const locked = skills.get(skill.name) ?? null;
    const judged = tools.approve(skill, from);
    const refused = judged.some(({ severity }) => severity === "error");
    const disk = diskSkill(join(scope.store, skill.name));
    const entryDigest = locked === null ? null : expectedDigest(locked);
    const planned = planSkill({
      ...{ scope, fetched: skill, from, locked, disk, take: request.take, agents: request.agents },
      baseFiles: locked?.digest == null ? null : tools.store.load(locked.digest),
      keptFiles: () => (entryDigest === null ? null : tools.store.load(entryDigest)),
      known: known.get(skill.name) ?? null,
      findings: [...findings, ...judged],
    });
    if (planned.clashes !== undefined && disk.kind === "folder")
      conflicts.set(skill.name, conflictOf(skill.digest, planned.clashes, disk.files));
    else conflicts.delete(skill.name);
    if (refused || planned.change.action === "conflict" || planned.locked === null) {
      changes.push(refused ? { ...planned.change, action: "failed", files: [] } : planned.change);
      continue;
    }
    const content = contentAfter(planned, disk.kind === "folder" ? disk.files : []);
    // Edits that come from the cache because a lock speaks of them are from elsewhere, too.
    const fromCache = disk.kind === "absent" && planned.locked.edits.size > 0;
    const edits = fromCache ? tools.approve({ ...skill, files: content }, from) : [];
    if (edits.some(({ severity }) => severity === "error")) {
      changes.push({ ...planned.change, action: "failed", files: [], findings: edits });
      continue;
    }
    const places = planPlaces({
      ...{
        scope,
        name: skill.name,
        locked: planned.locked,
        asked: request.agents,
        method: request.method,
        content,
      },
      known: [locked?.digest ?? null, planned.standing],
    });
    const change = withPlaces(planned.change, places.locked, places.findings, places.missing);
    if (places.blocked) {
      changes.push({ ...change, action: "conflict", files: [] });
      continue;
    }
    if (planned.store !== null && planned.store !== "remove") {
      folders.push({ target: join(scope.store, skill.name), files: planned.store, from: planned.standing });
    }
    folders.push(...places.folders);
    links.push(...places.links);
    if (treeDigest(skill.files) === skill.digest) trees.set(skill.digest, skill.files);
    if (planned.locked.edits.size > 0) trees.set(treeDigest(content), content);
    skills.set(skill.name, places.locked);
    changes.push(change);
  }
  const after: LockData = { ...before.data, skills };
  changes.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return {
    scope,
    before,
    after,
    changes,
    trees,
    conflicts,
    diagnostics: request.diagnostics,
    work: { folders, links, unlinks: [] },
  };
}

/** What the user is shown now, so that the next update knows which files he changed since. */
function conflictOf(theirs: string, paths: readonly string[], mine: readonly SkillFile[]): KnownConflict {
  const own = new Map(mine.map((file) => [file.path, file]));
  const digest = (path: string): string | null => {
    const file = own.get(path);
    return file === undefined ? null : fileDigest(file.bytes);
  };
  return { theirs, files: new Map(paths.map((path) => [path, digest(path)])) };
}

function contentAfter({ store }: PlannedSkill, now: readonly SkillFile[]): readonly SkillFile[] {
  return store === null || store === "remove" ? now : store;
}

function withPlaces(
  change: SkillChange,
  locked: LockedSkill,
  findings: readonly Diagnostic[],
  missing: readonly string[],
): SkillChange {
  const action = change.action === "unchanged" && missing.length > 0 ? "restored" : change.action;
  return { ...change, action, agents: locked.agents, findings: [...change.findings, ...findings] };
}

/** A skill that could not be fetched or is not there any more, as a change. */
export function unfetched(
  name: string,
  locked: LockedSkill,
  details: {
    readonly action: "failed" | "kept";
    readonly scope: InstallScope;
    readonly findings: readonly Diagnostic[];
  },
): SkillChange {
  return {
    name,
    action: details.action,
    from: described(locked),
    to: join(details.scope.store, name),
    agents: locked.agents,
    digest: locked.digest,
    previous: locked.digest,
    files: [],
    findings: details.findings,
  };
}
