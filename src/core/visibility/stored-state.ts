import type { Repository } from "../discovery/repository.ts";
import type { FileSystem } from "../file-system.ts";
import { contains } from "../path.ts";
import type { PermissionRule } from "./permission.ts";

/** What was switched on or off: every skill of a name, or the one at a location (path of SKILL.md as found). */
export type StateEntry =
  | { readonly name: string; readonly location?: never }
  | { readonly location: string; readonly name?: never };

/** Decisions for one profile. An entry is in at most one of the lists. */
export interface ProfileState {
  readonly disabled: readonly StateEntry[];
  /** Switched on by hand; stands above a switch-off by settings. */
  readonly enabled: readonly StateEntry[];
  /** Answers "always" to questions of permission; absent = none. */
  readonly approvals?: readonly StoredApproval[];
}

/** What a user allowed for good, for work in one project only: another project may have another skill of that name. */
export interface StoredApproval {
  /** The repository, or the working folder where there is none. */
  readonly folder: string;
  readonly permission: string;
  readonly pattern: string;
}

/** A folder that the user trusts, by real path. */
export interface TrustedFolder {
  readonly path: string;
  /** Digests of what was approved, by path relative to the folder; null: whatever is in it. */
  readonly approved: Readonly<Record<string, string>> | null;
}

/** What the user decided and Skillet keeps; never holds times (feature X15, rows G04, G05). */
export interface StoredState {
  readonly profiles: ReadonlyMap<string, ProfileState>;
  readonly trusted: readonly TrustedFolder[];
}

export const emptyState: StoredState = { profiles: new Map(), trusted: [] };

const nothingSet: ProfileState = { disabled: [], enabled: [] };

/** Decisions for one profile, empty lists where there are none. */
export function profileState(state: StoredState, profile: string): ProfileState {
  return state.profiles.get(profile) ?? nothingSet;
}

/**
 * What the stored state says of a skill, null when it says nothing. A location counts more than a name; of two entries
 * of one kind only one can be there.
 */
export function storedSwitch(
  state: ProfileState,
  skill: { readonly name: string; readonly location: string },
): "enabled" | "disabled" | null {
  for (const key of ["location", "name"] as const) {
    const value = skill[key];
    if (state.disabled.some((entry) => entry[key] === value)) return "disabled";
    if (state.enabled.some((entry) => entry[key] === value)) return "enabled";
  }
  return null;
}

/** The state with one skill switched on or off. */
export function withSwitch(
  state: StoredState,
  profile: string,
  change: { readonly entry: StateEntry; readonly to: "enabled" | "disabled" },
): StoredState {
  const { disabled, enabled } = profileState(state, profile);
  const others = (entries: readonly StateEntry[]) =>
    entries.filter((entry) => !sameEntry(entry, change.entry));
  const lists = { disabled: others(disabled), enabled: others(enabled) };
  const changed = {
    ...profileState(state, profile),
    ...lists,
    [change.to]: [...lists[change.to], change.entry],
  };
  return { ...state, profiles: new Map(state.profiles).set(profile, changed) };
}

/** Rules from the answers "always" that a user gave in a folder. */
export function approvedRules(
  state: StoredState,
  profile: string,
  folder: string,
): readonly PermissionRule[] {
  return (
    (profileState(state, profile).approvals ?? [])
      // A name may hold a star; taken as a pattern it would allow others too.
      .filter((one) => one.folder === folder && !/[*?]/.test(one.pattern))
      .map(({ permission, pattern }) => ({ permission, pattern, action: "allow" }))
  );
}

/** The state without one answer "always". */
export function withoutApproval(state: StoredState, profile: string, approval: StoredApproval): StoredState {
  const own = profileState(state, profile);
  const approvals = (own.approvals ?? []).filter(
    ({ folder, permission, pattern }) =>
      folder !== approval.folder || permission !== approval.permission || pattern !== approval.pattern,
  );
  return { ...state, profiles: new Map(state.profiles).set(profile, { ...own, approvals }) };
}

/** The state with answers "always" added; what is there already is not added again. */
export function withApprovals(
  state: StoredState,
  profile: string,
  approvals: readonly StoredApproval[],
): StoredState {
  const own = profileState(state, profile);
  const known = own.approvals ?? [];
  const fresh = approvals.filter(
    ({ folder, permission, pattern }) =>
      !known.some((one) => one.folder === folder && one.permission === permission && one.pattern === pattern),
  );
  if (fresh.length === 0) return state;
  const profiles = new Map(state.profiles).set(profile, { ...own, approvals: [...known, ...fresh] });
  return { ...state, profiles };
}

/** The state with a folder trusted; `path` is its real path. An earlier record of it is replaced. */
export function withTrust(
  state: StoredState,
  path: string,
  approved: Readonly<Record<string, string>> | null = null,
): StoredState {
  return { ...state, trusted: [...withoutTrust(state, path).trusted, { path, approved }] };
}

/** The state with trust of exactly this folder taken back. */
export function withoutTrust(state: StoredState, path: string): StoredState {
  return { ...state, trusted: state.trusted.filter((folder) => folder.path !== path) };
}

/**
 * The record by which a folder is trusted: its own, a parent's, or that of the main checkout whose linked worktree it
 * is in (case d-worktree). Null when there is none. Compared by real path.
 */
export function trustOf(
  folder: string,
  state: StoredState,
  at: { readonly repository: Repository | null; readonly fileSystem: FileSystem },
): TrustedFolder | null {
  const { repository, fileSystem } = at;
  const real = realPath(fileSystem, folder);
  const covering = (path: string) => state.trusted.find((trusted) => contains(trusted.path, path)) ?? null;
  const direct = covering(real);
  if (direct !== null || repository === null || repository.mainCheckout === null) return direct;
  if (!contains(realPath(fileSystem, repository.root), real)) return null;
  return covering(realPath(fileSystem, repository.mainCheckout));
}

/** Whether a folder is trusted, see `trustOf`. */
export function isTrusted(...parameters: Parameters<typeof trustOf>): boolean {
  return trustOf(...parameters) !== null;
}

function realPath(fileSystem: FileSystem, path: string): string {
  const real = fileSystem.realPath(path);
  return real.kind === "path" ? real.path : path;
}

function sameEntry(one: StateEntry, other: StateEntry): boolean {
  return one.name === other.name && one.location === other.location;
}
