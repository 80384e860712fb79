import type { Repository } from "../core/discovery/repository.ts";
import type { Environment } from "../core/environment.ts";
import { dataFolder } from "../core/places.ts";
import { withApprovals, withoutApproval } from "../core/visibility/stored-state.ts";
import { updateState } from "./state.ts";

/** The folder that an answer "always" is stored for: the repository, or the working folder where there is none. */
export function approvalFolder(repository: Repository | null, environment: Environment): string {
  return repository?.root ?? environment.cwd;
}

/**
 * Stores that the user allowed something for good in one project and for one profile (`DATA/state`). Read by
 * `openSkills` and `reload`. A rule that denies stands all the same. Throws `SkilletError` when it cannot be stored.
 */
export function approveAlways(
  environment: Environment,
  approval: {
    readonly profile: string;
    readonly folder: string;
    readonly permission: string;
    readonly always: readonly string[];
  },
): void {
  const { profile, folder, permission, always } = approval;
  const approvals = always.map((pattern) => ({ folder, permission, pattern }));
  updateState(dataFolder(environment), (state) => withApprovals(state, profile, approvals));
}

/** Takes one such answer back. */
export function revokeApproval(
  environment: Environment,
  approval: {
    readonly profile: string;
    readonly folder: string;
    readonly permission: string;
    readonly pattern: string;
  },
): void {
  const { profile, ...stored } = approval;
  updateState(dataFolder(environment), (state) => withoutApproval(state, profile, stored));
}
