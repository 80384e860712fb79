import type { Diagnostic } from "../../core/diagnostic.ts";
import { SkilletError } from "../../core/error.ts";
import type { SkillFile } from "../digest/skill-file.ts";
import type { LockData } from "../lock/lock-data.ts";
import type { KnownConflicts } from "./conflict-memory.ts";
import type { InstallScope } from "./install-scope.ts";
import { type LoadedLock, loadLock, lockText } from "./load-lock.ts";
import type { SkillChange } from "./operation.ts";
import { type Changes, exclusively, transact } from "./transact.ts";
import type { TreeStore } from "./tree-store.ts";

/** An operation that is decided and not yet done. */
export interface Plan {
  readonly scope: InstallScope;
  readonly changes: readonly SkillChange[];
  /** Of sources and the lock, beside those of single skills. */
  readonly diagnostics: readonly Diagnostic[];
  /** The lock that the plan was made for, and the one afterwards. */
  readonly before: LoadedLock;
  readonly after: LockData;
  readonly work: Omit<Changes, "lock">;
  /** Trees that belong into the cache, by digest. */
  readonly trees: ReadonlyMap<string, readonly SkillFile[]>;
  /** Conflicts that the user is shown by it; absent = what is known of them stays. */
  readonly conflicts?: KnownConflicts;
}

/** True when carrying it out would write anything. */
export function hasWork({ before, after, work }: Plan): boolean {
  return work.folders.length + work.links.length + work.unlinks.length > 0 || lockText(after) !== before.text;
}

/**
 * Carries a plan out: the cache first, then all of it in one transaction. Throws `SkilletError` when the lock changed
 * since the plan was made. Gives what there is to say afterwards.
 */
export async function carryOut(plan: Plan, store: TreeStore): Promise<readonly Diagnostic[]> {
  for (const [digest, files] of plan.trees) await store.save(digest, files);
  return exclusively(plan.scope, (finished) => {
    const now = loadLock(plan.scope);
    if (now.text !== plan.before.text) {
      throw new SkilletError("failed", `${plan.scope.lockPath} has changed meanwhile.`, {
        hint: "Nothing was changed. Run it again.",
      });
    }
    return [...finished, ...transact(plan.scope, { ...plan.work, lock: lockText(plan.after) })];
  });
}
