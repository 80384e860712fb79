import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { SkilletError } from "../../core/error.ts";
import { join } from "../../core/path.ts";
import { printable } from "../../core/text/printable.ts";
import { fileDigest } from "../digest/file-digest.ts";
import type { SkillFile } from "../digest/skill-file.ts";
import type { LockedEdits, LockedFile, LockedSkill } from "../lock/lock-data.ts";
import { changedFiles } from "./changed-files.ts";
import type { KnownConflict } from "./conflict-memory.ts";
import type { DiskSkill } from "./disk-skill.ts";
import type { Fetched, FetchedSkill } from "./fetched-skill.ts";
import type { InstallScope } from "./install-scope.ts";
import { editsMissing, editsOf, namedEdits, sameEdits } from "./kept-edits.ts";
import { mergeTrees } from "./merge-trees.ts";
import type { PlannedSkill, SkillChange } from "./operation.ts";
import { keptFor, ownThings } from "./own-things.ts";
import { type Take, takeOf } from "./take.ts";

export interface PlanSkillRequest {
  readonly scope: InstallScope;
  readonly fetched: FetchedSkill;
  readonly from: Fetched;
  readonly locked: LockedSkill | null;
  readonly disk: DiskSkill;
  /** Files of the locked digest where they are still known. */
  readonly baseFiles: readonly SkillFile[] | null;
  /** The skill with the edits that the lock speaks of, where it is still known; asked for when nothing is on disk. */
  readonly keptFiles: () => readonly SkillFile[] | null;
  readonly take: Take;
  /** A conflict of this skill that the user was shown before. */
  readonly known: KnownConflict | null;
  /** Agents that the skill is put into, besides those of the lock. */
  readonly agents: readonly string[];
  readonly findings?: readonly Diagnostic[];
}

/**
 * What installing a fetched skill over what stands there comes to: added, updated (three-way, so that the user's edits
 * stay), unchanged, kept (the user's edits become part of the lock), or a conflict in which nothing is done.
 */
export function planSkill(request: PlanSkillRequest): PlannedSkill {
  const { scope, fetched, from, locked, disk, take } = request;
  const target = join(scope.store, fetched.name);
  const entry = lockedFrom(request);
  const base = {
    name: fetched.name,
    from: described(from),
    since: locked?.revision ?? null,
    to: target,
    agents: entry.agents,
    digest: fetched.digest,
    previous: locked?.digest ?? null,
    findings: [...fetched.findings, ...(request.findings ?? [])],
  };
  const standing = disk.kind === "folder" ? disk.digest : null;
  const conflict = (diagnostic: Diagnostic, files: SkillChange["files"] = []): PlannedSkill => ({
    change: { ...base, action: "conflict", files, findings: [diagnostic, ...base.findings] },
    ...{ locked, store: null, standing },
  });
  if (disk.kind === "other") {
    const message = `${disk.what[0]?.toUpperCase()}${disk.what.slice(1)} stands at ${target}; it is left alone.`;
    return conflict(makeDiagnostic("install/in-the-way", { path: target, message }));
  }
  const hasEdits = locked !== null && locked.edits.size > 0 && take.all !== "source";
  const kept = disk.kind === "absent" && hasEdits ? request.keptFiles() : null;
  if (disk.kind === "absent" && kept === null) {
    if (hasEdits) return conflict(editsMissing(fetched.name, target, locked));
    const files = changedFiles([], fetched.files, []);
    const action = locked === null ? "added" : locked.digest === fetched.digest ? "restored" : "updated";
    return { change: { ...base, action, files }, locked: entry, store: fetched.files, standing };
  }
  const mine = disk.kind === "folder" ? disk.files : (kept ?? []);
  const unknown = unknownPath(take, [mine, fetched.files], locked);
  if (unknown !== null) {
    throw new SkilletError("not-found", `"${fetched.name}" has no file ${printable(unknown)}.`, {
      hint: "Nothing was changed. Name a path inside the skill's folder, as `update` shows it.",
    });
  }
  const edits = editsOf(mine, entry.files);
  if (disk.kind === "folder" && edits.size === 0 && disk.digest === fetched.digest) {
    return { change: { ...base, action: "unchanged", files: [] }, locked: entry, store: null, standing };
  }
  const takes = take.all !== null || take.files.size > 0;
  if (locked === null && !takes) {
    const message = `A skill that was not installed by Skillet stands at ${target}; it is left alone.`;
    const hint = "Use --take new to replace it, --take mine to keep it as your edited copy, or move it away";
    return conflict(makeDiagnostic("install/in-the-way", { path: target, message, hint }));
  }
  const isNews = locked === null || locked.digest !== fetched.digest;
  if (!isNews && !takes && disk.kind === "folder") {
    const findings = sameEdits(edits, locked.edits) ? [] : [edited(target, fetched.name, edits, entry)];
    const change = {
      ...base,
      action: "unchanged" as const,
      files: [],
      findings: [...findings, ...base.findings],
    };
    return { change, locked: { ...entry, edits: locked.edits }, store: null, standing };
  }
  const own = ownThings(disk, locked);
  const merged = mergeTrees({
    // A lock without digests says that what stands there is what came; without a lock everything is the user's.
    base: locked === null ? new Map() : locked.digest === null ? filesOf(mine) : locked.files,
    baseFiles: request.baseFiles,
    mine,
    theirs: fetched.files,
    take,
    settled: (path, file) => isSettled(request, path, file),
  });
  const clashes = merged.changes.filter(({ action }) => action === "conflict").map(({ path }) => path);
  if (clashes.length > 0) {
    const files = changedFiles(mine, fetched.files, merged.changes);
    return { ...conflict(clash(fetched.name, target, merged.clashes, clashes), files), clashes };
  }
  const after = editsOf(merged.files, entry.files);
  const rewritten = editsOf(merged.files, filesOf(mine)).size > 0;
  if (rewritten && own.length > 0) return conflict(keptFor(target, own));
  const settled = merged.changes
    .map(({ path }) => path)
    .filter((path) => isDecidedByEdit(request, mine, path));
  const findings = settled.length > 0 ? [...base.findings, settledBy(target, settled)] : base.findings;
  const action = disk.kind === "absent" ? "restored" : rewritten || isNews ? "updated" : "kept";
  return {
    change: { ...base, action, files: changedFiles(mine, merged.files, merged.changes), findings },
    locked: { ...entry, edits: after },
    store: rewritten || disk.kind === "absent" ? merged.files : null,
    standing,
  };
}

/** A path that `--take` names and no side has. */
function unknownPath(
  take: Take,
  sides: readonly (readonly SkillFile[])[],
  locked: LockedSkill | null,
): string | null {
  const isKnown = (path: string): boolean =>
    locked?.files.has(path) === true || sides.some((files) => files.some((file) => file.path === path));
  return [...take.files.keys()].find((path) => !isKnown(path)) ?? null;
}

/** Whether the file was in a conflict with this same state of the source and the user has changed it since. */
function isSettled({ known, fetched }: PlanSkillRequest, path: string, own: SkillFile | undefined): boolean {
  if (known === null || known.theirs !== fetched.digest || !known.files.has(path)) return false;
  return known.files.get(path) !== (own === undefined ? null : fileDigest(own.bytes));
}

function isDecidedByEdit(request: PlanSkillRequest, mine: readonly SkillFile[], path: string): boolean {
  const own = mine.find((file) => file.path === path);
  return takeOf(request.take, path) === null && isSettled(request, path, own);
}

function settledBy(path: string, files: readonly string[]): Diagnostic {
  const message = `You changed ${shortList(files)} since the conflict was shown, so your lines count there.`;
  return makeDiagnostic("install/settled", { path, message });
}

function clash(name: string, path: string, places: readonly string[], files: readonly string[]): Diagnostic {
  const message =
    places.length > 0
      ? `One of you has a file where the other has a folder: ${shortList(places)}.`
      : `Your changes and theirs touch the same lines: ${shortList(files)}.`;
  const one = files[0] ?? "";
  const edit =
    places.length > 0
      ? ""
      : "Change the file until it has what you want of both and run it again, or decide: ";
  const hint = `${edit}skillet update ${name} --take mine (your lines where both changed) or --take new (theirs); for one file --take mine=${printable(one)}`;
  return makeDiagnostic("install/conflict", { path, message, hint });
}

/** An edit that nobody decided about yet. */
function edited(path: string, name: string, edits: LockedEdits, { files }: LockedSkill): Diagnostic {
  const message = `It was changed by hand: ${namedEdits({ files, edits })}.`;
  const hint = `Keep it: skillet update ${name} --take mine. Drop it: skillet update ${name} --take source`;
  return makeDiagnostic("install/edited", { path, message, hint });
}

function shortList(paths: readonly string[]): string {
  const shown = paths.slice(0, 5).map((path) => printable(path));
  return `${shown.join(", ")}${paths.length > 5 ? ` and ${paths.length - 5} more` : ""}`;
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
    files: filesOf(fetched.files),
    edits: new Map(),
    links: fetched.links,
    extra: locked?.extra ?? {},
  };
}

function filesOf(files: readonly SkillFile[]): ReadonlyMap<string, LockedFile> {
  return new Map(
    files.map(({ path, bytes, executable }) => [path, { digest: fileDigest(bytes), executable }]),
  );
}

/** `owner/repo 1a2b3c4d`, for people and reports. */
export function described({ source, revision }: Pick<Fetched, "source" | "revision">): string {
  if (revision === null) return source;
  return `${source} ${shortRevision(revision)}`;
}

/** The first 12 digits of a commit or digest. */
export function shortRevision(revision: string): string {
  return revision.replace(/^sha256:/, "").slice(0, 12);
}
