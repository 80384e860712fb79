import type { Environment } from "../../core/environment.ts";
import { SkilletError } from "../../core/error.ts";
import { installScope } from "../../remote/install/install-scope.ts";
import { loadLock } from "../../remote/install/load-lock.ts";
import { carryOut, hasWork } from "../../remote/install/plan.ts";
import { planRemove } from "../../remote/install/remove.ts";
import { openTreeStore } from "../../remote/install/tree-store.ts";

export interface ResetInstalled {
  readonly remove: readonly { readonly path: string; readonly files: number }[];
  readonly keep: readonly { readonly path: string; readonly reason: string }[];
}

/** Takes back the skills that `add --to user` installed; what was edited stays, and so does what is not ours. */
export async function resetInstalled(environment: Environment, dryRun: boolean): Promise<ResetInstalled> {
  const scope = installScope("user", environment);
  try {
    if (loadLock(scope).data.skills.size === 0) return { remove: [], keep: [] };
    const plan = planRemove({ scope, names: [], agents: null, edited: false });
    if (!dryRun && hasWork(plan)) await carryOut(plan, openTreeStore(environment));
    const places = plan.changes.map(({ action, to, files }) => ({
      action,
      path: to ?? scope.store,
      files: files.length,
    }));
    return {
      remove: places.filter(({ action }) => action === "removed").map(({ path, files }) => ({ path, files })),
      keep: places
        .filter(({ action }) => action !== "removed")
        .map(({ path }) => ({ path, reason: "You changed it." })),
    };
  } catch (error) {
    if (!(error instanceof SkilletError) || error.code !== "config") throw error;
    return {
      remove: [],
      keep: [{ path: scope.lockPath, reason: "It is not understood, so nothing of it is removed." }],
    };
  }
}
