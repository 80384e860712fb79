import { readFileSync, rmSync } from "node:fs";
import { writeFileAtomic } from "../../host/atomic-write.ts";
import { fileError, systemCode } from "../../host/file-error.ts";
import { toNative } from "../../host/native-path.ts";
import type { InstallScope } from "./install-scope.ts";

/** The conflict of one skill that a user was shown: against which state of the source, and how the files were then. */
export interface KnownConflict {
  /** Tree digest of what the source had. */
  readonly theirs: string;
  /** The user's files in conflict, by path; null = he had removed it. */
  readonly files: ReadonlyMap<string, string | null>;
}

export type KnownConflicts = ReadonlyMap<string, KnownConflict>;

/** Conflicts that were shown in this scope, by the names of the skills. What cannot be read counts as none. */
export function readConflicts(scope: InstallScope): KnownConflicts {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(toNative(pathOf(scope)), "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError || systemCode(error) !== "unknown error") return new Map();
    throw error;
  }
  const found = new Map<string, KnownConflict>();
  for (const [name, entry] of Object.entries(isFields(value) ? value : {})) {
    if (!isFields(entry) || typeof entry.theirs !== "string" || !isFields(entry.files)) continue;
    const files = Object.entries(entry.files).flatMap(([path, digest]) =>
      typeof digest === "string" || digest === null ? [[path, digest] as const] : [],
    );
    found.set(name, { theirs: entry.theirs, files: new Map(files) });
  }
  return found;
}

/** Replaces what is known by the conflicts there are now. Throws `SkilletError`. */
export function writeConflicts(scope: InstallScope, conflicts: KnownConflicts): void {
  const path = pathOf(scope);
  if (conflicts.size === 0) {
    try {
      rmSync(toNative(path), { force: true });
      return;
    } catch (error) {
      throw fileError(error, { action: "forget the conflict", path });
    }
  }
  const value = [...conflicts].map(([name, { theirs, files }]) => [
    name,
    { theirs, files: Object.fromEntries(files) },
  ]);
  writeFileAtomic(path, JSON.stringify(Object.fromEntries(value)), {
    action: "note the conflict",
    mode: 0o600,
    folderMode: 0o700,
  });
}

/** Private to the user, beside the journal: a project could not be trusted with it. */
function pathOf(scope: InstallScope): string {
  return scope.journal.replace(/\.json$/, ".conflicts.json");
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
