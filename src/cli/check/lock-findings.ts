import { existsSync } from "node:fs";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { SkilletError } from "../../core/error.ts";
import { toNative } from "../../host/native-path.ts";
import type { Skills } from "../../host/skills.ts";
import { installScope } from "../../remote/install/install-scope.ts";
import { loadLock } from "../../remote/install/load-lock.ts";
import { openTreeStore } from "../../remote/install/tree-store.ts";
import { verifySkills } from "../../remote/install/verify.ts";

/** Where installed skills differ from the project's or the user's lock: edited, missing, not ours. Changes nothing. */
export function lockFindings({ environment }: Skills): readonly Diagnostic[] {
  return ["workspace", "user"].flatMap((name): readonly Diagnostic[] => {
    const scope = installScope(name, environment);
    if (!existsSync(toNative(scope.lockPath))) return [];
    try {
      const lock = loadLock(scope);
      const changes = verifySkills(scope, lock, openTreeStore(environment));
      return [...lock.diagnostics, ...changes.flatMap(({ findings }) => findings)];
    } catch (error) {
      if (!(error instanceof SkilletError)) throw error;
      return [makeDiagnostic("lock/unreadable", { path: scope.lockPath, message: error.message })];
    }
  });
}
