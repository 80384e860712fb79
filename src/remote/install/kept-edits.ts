import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { printable } from "../../core/text/printable.ts";
import { comparePaths } from "../digest/compare-paths.ts";
import { fileDigest } from "../digest/file-digest.ts";
import type { SkillFile } from "../digest/skill-file.ts";
import { treeDigestOf } from "../digest/tree-digest.ts";
import type { LockedEdits, LockedFile, LockedSkill } from "../lock/lock-data.ts";
import { isLockedPath } from "../lock/safe-names.ts";

/** The files that stand on disk by the lock: what came, with the edits that were kept. */
export function expectedFiles({
  files,
  edits,
}: Pick<LockedSkill, "files" | "edits">): ReadonlyMap<string, LockedFile> {
  if (edits.size === 0) return files;
  const expected = new Map(files);
  for (const [path, file] of edits) {
    if (file === null) expected.delete(path);
    else expected.set(path, file);
  }
  return expected;
}

/** Tree digest of what stands on disk by the lock; null in a lock that says less. */
export function expectedDigest(locked: LockedSkill): string | null {
  if (locked.digest === null || locked.edits.size === 0) return locked.digest;
  return treeDigestOf([...expectedFiles(locked)].map(([path, { digest }]) => [path, digest] as const));
}

/**
 * How a folder differs from what came, as the lock keeps it. A file of the user's whose name not every system can have
 * cannot stand in a lock; it is left out, and `verify` goes on naming it.
 */
export function editsOf(files: readonly SkillFile[], came: ReadonlyMap<string, LockedFile>): LockedEdits {
  const edits = new Map<string, LockedFile | null>();
  const gone = new Set(came.keys());
  for (const file of files) {
    const path = came.has(file.path) ? file.path : file.path.normalize("NFC");
    gone.delete(path);
    const known = came.get(path);
    // Where the system does not know who may run a file, the lock does.
    const executable = process.platform === "win32" ? (known?.executable ?? false) : file.executable;
    const own = { digest: fileDigest(file.bytes), executable };
    const same = known?.digest === own.digest && known.executable === executable;
    if (!same && isLockedPath(path)) edits.set(path, own);
  }
  for (const path of gone) edits.set(path, null);
  return new Map([...edits].sort(([a], [b]) => comparePaths(a, b)));
}

export function sameEdits(one: LockedEdits, other: LockedEdits): boolean {
  if (one.size !== other.size) return false;
  return [...one].every(([path, file]) => {
    const known = other.get(path);
    if (file === null || known == null) return known === file;
    return known.digest === file.digest && known.executable === file.executable;
  });
}

/** `SKILL.md (changed), notes.md (added)`, at most five of them. */
export function namedEdits(locked: Pick<LockedSkill, "files" | "edits">): string {
  const words = [...locked.edits].map(
    ([path, file]) =>
      `${printable(path)} (${file === null ? "removed" : locked.files.has(path) ? "changed" : "added"})`,
  );
  return `${words.slice(0, 5).join(", ")}${words.length > 5 ? ` and ${words.length - 5} more` : ""}`;
}

/** Said of a skill that stands there with edits that its lock knows. */
export function editsKept(path: string, locked: LockedSkill): ReturnType<typeof makeDiagnostic> {
  const message = `Your edits are kept: ${namedEdits(locked)}.`;
  return makeDiagnostic("install/edits-kept", { path, message });
}

/** Said of a skill whose lock speaks of edits that are neither on disk nor in the cache. */
export function editsMissing(
  name: string,
  path: string,
  locked: LockedSkill,
): ReturnType<typeof makeDiagnostic> {
  const message = `The lock says that "${name}" has edits of yours (${namedEdits(locked)}), but they are neither on disk nor in the cache.`;
  const hint = `Put the folder back from version control, or drop the edits: skillet update ${name} --take source`;
  return makeDiagnostic("install/edits-missing", { path, message, hint });
}
