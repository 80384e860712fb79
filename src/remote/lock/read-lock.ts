import type { Diagnostic, Result } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { printable } from "../../core/text/printable.ts";
import {
  emptyLock,
  type LockData,
  type LockedEdits,
  type LockedFile,
  type LockedSkill,
  type SourceKind,
} from "./lock-data.ts";
import { isLockedPath, isSkillName } from "./safe-names.ts";
import { withoutConflicts } from "./without-conflicts.ts";

const kinds: readonly SourceKind[] = ["git", "site", "archive", "file", "folder", "oci"];
const own = new Set("source kind url ref path revision digest agents copies links edits files".split(" "));
const digestForm = /^sha256:[0-9a-f]{64}$/;

export interface ReadLock extends Result<LockData> {
  /** Why the lock must not be written: it is of a newer version, or it was not understood. */
  readonly readOnly: string | null;
}

/**
 * Reads the text of a `skillet.lock`. Never throws: what is not understood is left out with a diagnostic, and then the
 * lock is read-only, so that nothing in it gets lost. Conflict marks of a merge are resolved where the two sides
 * speak of different skills.
 */
export function readLock(text: string, path: string): ReadLock {
  const diagnostics: Diagnostic[] = [];
  const refuse = (message: string): ReadLock => {
    diagnostics.push(makeDiagnostic("lock/unreadable", { path, message }));
    return { value: emptyLock, diagnostics, readOnly: message };
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const merged = withoutConflicts(text);
    if (merged === null) {
      return refuse(
        /^<{7} /m.test(text) ? "The lock has conflict marks of a merge." : "The lock is not valid JSON.",
      );
    }
    diagnostics.push(
      makeDiagnostic("lock/merged", { path, message: "Both sides of a merge conflict were taken." }),
    );
    value = merged;
  }
  if (!isRecord(value)) return refuse("The lock is not a JSON object.");
  const { version, skills, ...extra } = value;
  if (typeof version === "number" && version > 1) {
    return refuse(`The lock has version ${version}; this Skillet knows version 1.`);
  }
  if (version !== 1 || !isRecord(skills)) return refuse("The lock has no version or no skills.");
  const found = new Map<string, LockedSkill>();
  let readOnly: string | null = null;
  for (const [name, entry] of Object.entries(skills)) {
    const skill = isSkillName(name) ? skillFrom(entry) : null;
    if (skill !== null) {
      found.set(name, skill);
      continue;
    }
    readOnly = `The entry "${printable(name).slice(0, 64)}" of the lock is not understood.`;
    diagnostics.push(makeDiagnostic("lock/unreadable", { path, message: readOnly }));
  }
  return { value: { skills: found, extra }, diagnostics, readOnly };
}

function skillFrom(entry: unknown): LockedSkill | null {
  if (!isRecord(entry) || typeof entry.source !== "string") return null;
  const { kind, agents = [], copies = [], files = {}, links = {}, edits = {} } = entry;
  const word = (key: string): string | null => (typeof entry[key] === "string" ? entry[key] : null);
  const lockedFiles = isRecord(files) ? filesFrom(files) : null;
  const lockedEdits = isRecord(edits) ? editsFrom(edits) : null;
  const path = word("path");
  const digest = word("digest");
  if (!isNames(agents) || !isNames(copies) || lockedFiles === null || !isRecord(links)) return null;
  if (lockedEdits === null) return null;
  if (path !== null && path !== "" && !isLockedPath(path)) return null;
  if (digest !== null && !digestForm.test(digest)) return null;
  const extra = Object.fromEntries(Object.entries(entry).filter(([key]) => !own.has(key)));
  return {
    source: entry.source,
    kind: kinds.find((one) => one === kind) ?? "git",
    url: word("url"),
    ref: word("ref"),
    path,
    revision: word("revision"),
    digest,
    agents,
    copies,
    files: lockedFiles,
    edits: lockedEdits,
    links: new Map(
      Object.entries(links).flatMap(([from, to]) => (typeof to === "string" ? [[from, to]] : [])),
    ),
    extra,
  };
}

function filesFrom(files: Readonly<Record<string, unknown>>): ReadonlyMap<string, LockedFile> | null {
  const found = new Map<string, LockedFile>();
  for (const [path, value] of Object.entries(files)) {
    const parts = typeof value === "string" ? /^(644|755) (sha256:[0-9a-f]{64})$/.exec(value) : null;
    if (parts === null || !isLockedPath(path)) return null;
    found.set(path, { digest: parts[2] as string, executable: parts[1] === "755" });
  }
  return found;
}

function editsFrom(edits: Readonly<Record<string, unknown>>): LockedEdits | null {
  const found = new Map<string, LockedFile | null>();
  for (const [path, value] of Object.entries(edits)) {
    if (value === "removed" && isLockedPath(path)) {
      found.set(path, null);
      continue;
    }
    const file = filesFrom({ [path]: value })?.get(path);
    if (file === undefined) return null;
    found.set(path, file);
  }
  return found;
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string" && isSkillName(one));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
