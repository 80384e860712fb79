import { readFileSync } from "node:fs";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { SkilletError } from "../../core/error.ts";
import { fileError, systemCode } from "../../host/file-error.ts";
import { toNative } from "../../host/native-path.ts";
import { formatLock } from "../lock/format-lock.ts";
import { emptyLock, type LockData } from "../lock/lock-data.ts";
import { readLock } from "../lock/read-lock.ts";
import type { InstallScope } from "./install-scope.ts";

export interface LoadedLock {
  readonly data: LockData;
  /** As it stands on disk; null = there is none. */
  readonly text: string | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Bytes; real locks have some hundred a skill. */
const largest = 16 * 1024 * 1024;

/** The lock of a scope. Throws `SkilletError` "config" when it is not understood, since writing it would lose things. */
export function loadLock(scope: InstallScope): LoadedLock {
  let text: string;
  try {
    text = readFileSync(toNative(scope.lockPath), "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return { data: emptyLock, text: null, diagnostics: [] };
    throw fileError(error, { action: "read the lock", path: scope.lockPath });
  }
  if (text.length > largest)
    throw new SkilletError("config", `${scope.lockPath} is far too large for a lock.`);
  const { value, diagnostics, readOnly } = readLock(text, scope.lockPath);
  if (readOnly !== null) {
    throw new SkilletError("config", `${scope.lockPath} cannot be used: ${readOnly}`, {
      hint: "Nothing was changed. Take the file from version control, or resolve the conflict in it.",
    });
  }
  return { data: value, text, diagnostics };
}

/** The lock's text; null when it holds nothing any more and no newer version's keys either. */
export function lockText(data: LockData): string | null {
  return data.skills.size === 0 && Object.keys(data.extra).length === 0 ? null : formatLock(data);
}
