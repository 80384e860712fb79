import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { join } from "../../core/path.ts";
import { printable } from "../../core/text/printable.ts";
import type { SkillFile } from "../digest/skill-file.ts";
import { treeDigestOf } from "../digest/tree-digest.ts";
import type { LockedSkill } from "../lock/lock-data.ts";
import { changedFiles } from "./changed-files.ts";
import { type DiskDifference, type DiskSkill, differences, diskSkill } from "./disk-skill.ts";
import type { InstallScope } from "./install-scope.ts";
import { editsKept } from "./kept-edits.ts";
import type { LoadedLock } from "./load-lock.ts";
import type { SkillChange } from "./operation.ts";
import { planPlaces } from "./plan-places.ts";
import { described } from "./plan-skill.ts";
import type { TreeStore } from "./tree-store.ts";

/**
 * Compares what is on disk with the lock, digest by digest, and the lock with itself; nothing is changed and no network is used. A skill with edits that the lock knows is "kept". An edited skill
 * tells which files differ, and how where the cache still knows the original.
 */
export function verifySkills(
  scope: InstallScope,
  lock: LoadedLock,
  store: TreeStore,
): readonly SkillChange[] {
  return [...lock.data.skills].map(([name, locked]) => verifySkill(scope, { name, locked, store }));
}

function verifySkill(
  scope: InstallScope,
  { name, locked, store }: { readonly name: string; readonly locked: LockedSkill; readonly store: TreeStore },
): SkillChange {
  const change = verifyOnDisk(scope, { name, locked, store });
  if (isConsistent(locked)) return change;
  const message = `"${name}": the digest in the lock does not follow from the files that the lock lists.`;
  const finding = makeDiagnostic("lock/digest", { path: scope.lockPath, message });
  const action = change.action === "unchanged" ? "edited" : change.action;
  return { ...change, action, findings: [finding, ...change.findings] };
}

/** A lock without digests claims nothing. */
function isConsistent({ digest, files }: LockedSkill): boolean {
  return (
    digest === null || treeDigestOf([...files].map(([path, file]) => [path, file.digest] as const)) === digest
  );
}

function verifyOnDisk(
  scope: InstallScope,
  { name, locked, store }: { readonly name: string; readonly locked: LockedSkill; readonly store: TreeStore },
): SkillChange {
  const path = join(scope.store, name);
  const disk = diskSkill(path);
  const base = {
    ...{ name, from: described(locked), to: path, agents: locked.agents, digest: locked.digest },
    previous: disk.kind === "folder" ? disk.digest : null,
  };
  if (disk.kind !== "folder")
    return { ...base, action: "missing", files: [], findings: [missing(path, disk)] };
  const edits = differences(disk.files, locked);
  const places = planPlaces({
    ...{ scope, name, locked, asked: [], method: "link", content: disk.files },
    known: [locked.digest, disk.digest],
  });
  const findings: Diagnostic[] = [...places.findings];
  for (const agent of places.missing) {
    const message = `"${name}" is missing in the folder of ${printable(agent)}.`;
    findings.push(makeDiagnostic("install/place-missing", { path: scope.agentFolder(agent), message }));
  }
  const original = locked.digest === null ? null : store.load(locked.digest);
  if (edits.length === 0) {
    const kept = locked.edits.size > 0;
    const action = places.missing.length > 0 ? "missing" : kept ? "kept" : "unchanged";
    const files = kept
      ? editedFiles(differences(disk.files, { ...locked, edits: new Map() }), original, disk.files)
      : [];
    return { ...base, action, files, findings: kept ? [editsKept(path, locked), ...findings] : findings };
  }
  const shown = edits
    .slice(0, 5)
    .map(({ path, action }) => `${printable(path)} (${action})`)
    .join(", ");
  const more = edits.length > 5 ? ` and ${edits.length - 5} more` : "";
  const since = locked.edits.size > 0 ? " since your edits were kept" : "";
  const message = `It was changed by hand${since}: ${shown}${more}.`;
  const hint = `If that is meant: skillet update ${name} --take mine. Else: skillet ci --yes`;
  return {
    ...base,
    action: "edited",
    files: editedFiles(edits, original, disk.files),
    findings: [makeDiagnostic("install/edited", { path, message, hint }), ...findings],
  };
}

/** With the lines that differ, where the original is still known. */
function editedFiles(
  edits: readonly DiskDifference[],
  original: readonly SkillFile[] | null,
  now: readonly SkillFile[],
): SkillChange["files"] {
  return original === null
    ? edits.map((edit) => ({ ...edit, bytes: 0, executable: false, diff: [] }))
    : changedFiles(original, now, []);
}

function missing(path: string, disk: DiskSkill): Diagnostic {
  const what = disk.kind === "other" ? `${disk.what} stands in its place` : "it is not there";
  return makeDiagnostic("install/missing", { path, message: `The lock has it, but ${what}.` });
}
