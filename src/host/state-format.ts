import type { Diagnostic } from "../core/diagnostic.ts";
import { makeDiagnostic } from "../core/diagnostics/make.ts";
import { isAbsolute } from "../core/path.ts";
import {
  emptyState,
  type ProfileState,
  type StateEntry,
  type StoredApproval,
  type StoredState,
  type TrustedFolder,
} from "../core/visibility/stored-state.ts";

/** Version of the file that this program writes. */
export const stateVersion = 1;

/** What a parsed state file is. */
export type DecodedState =
  | {
      readonly kind: "usable";
      readonly state: StoredState;
      /** 0 needs migration before it is written again. */
      readonly version: number;
      /** Fields that this version does not know; kept when the file is written. */
      readonly rest: Readonly<Record<string, unknown>>;
      readonly diagnostics: readonly Diagnostic[];
    }
  | { readonly kind: "unusable"; readonly reason: string };

/**
 * Takes a state file apart. Version 1:
 * `{version, profiles: {NAME: {disabled: [{name}|{location}], enabled: […],
 * approvals?: [{folder, permission, pattern}]}}, trusted: [{path, approved?}]}`.
 * Version 0 was `{version: 0, skills: {NAME: {enabled}}}` for profile `skillet`. Entries that cannot be read are left
 * out with a diagnostic; names like `__proto__` are only ever keys of a Map (row A05).
 */
export function decodeState(value: unknown, path: string): DecodedState {
  if (!isObject(value)) return { kind: "unusable", reason: "It does not hold an object." };
  const version = value.version ?? stateVersion;
  if (typeof version !== "number" || !Number.isInteger(version) || version < 0)
    return { kind: "unusable", reason: "Its version is not a number." };
  const diagnostics: Diagnostic[] = [];
  const drop = (what: string) =>
    diagnostics.push(
      makeDiagnostic("state/entry", { path, message: `${what} cannot be read and is ignored.` }),
    );
  if (version === 0)
    return { kind: "usable", version, rest: {}, diagnostics, state: fromVersion0(value.skills, drop) };

  const { version: _, profiles, trusted, ...rest } = value;
  const state: StoredState = { profiles: profilesOf(profiles, drop), trusted: trustedOf(trusted, drop) };
  return { kind: "usable", version, state, rest, diagnostics };
}

/** The text of a state file. */
export function encodeState(state: StoredState, rest: Readonly<Record<string, unknown>> = {}): string {
  const profiles = Object.fromEntries([...state.profiles].sort(([a], [b]) => (a < b ? -1 : 1)));
  const trusted = state.trusted.map(({ path, approved }) =>
    approved === null ? { path } : { path, approved },
  );
  return `${JSON.stringify({ version: stateVersion, profiles, trusted, ...rest }, null, 2)}\n`;
}

function profilesOf(value: unknown, drop: (what: string) => void): ReadonlyMap<string, ProfileState> {
  const profiles = new Map<string, ProfileState>();
  if (value === undefined) return profiles;
  if (!isObject(value)) {
    drop("The list of profiles");
    return profiles;
  }
  for (const [name, lists] of Object.entries(value)) {
    if (!isObject(lists)) drop("A profile");
    else
      profiles.set(name, {
        disabled: entriesOf(lists.disabled, drop),
        enabled: entriesOf(lists.enabled, drop),
        ...approvalsOf(lists.approvals, drop),
      });
  }
  return profiles;
}

function approvalsOf(value: unknown, drop: (what: string) => void): Pick<ProfileState, "approvals"> {
  if (value === undefined) return {};
  const approvals: StoredApproval[] = [];
  for (const one of Array.isArray(value) ? (value as readonly unknown[]) : [null]) {
    const { folder, permission, pattern } = isObject(one) ? one : {};
    if (typeof folder === "string" && typeof permission === "string" && typeof pattern === "string")
      approvals.push({ folder, permission, pattern });
    else drop("An approval");
  }
  return { approvals };
}

function entriesOf(value: unknown, drop: (what: string) => void): readonly StateEntry[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    drop("A list of skills");
    return [];
  }
  return value.flatMap((entry: unknown): readonly StateEntry[] => {
    if (isObject(entry)) {
      const { name, location } = entry;
      if (typeof location === "string" && name === undefined) return [{ location }];
      if (typeof name === "string" && location === undefined) return [{ name }];
    }
    drop("A skill");
    return [];
  });
}

function trustedOf(value: unknown, drop: (what: string) => void): readonly TrustedFolder[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    drop("The list of trusted folders");
    return [];
  }
  return value.flatMap((entry: unknown): readonly TrustedFolder[] => {
    const path = isObject(entry) ? entry.path : null;
    if (isObject(entry) && typeof path === "string" && isAbsolute(path)) {
      const approved = entry.approved;
      if (approved === undefined || approved === null) return [{ path, approved: null }];
      if (isObject(approved)) {
        const digests = Object.entries(approved).filter(
          (pair): pair is [string, string] => typeof pair[1] === "string",
        );
        return [{ path, approved: Object.fromEntries(digests) }];
      }
    }
    drop("A trusted folder");
    return [];
  });
}

function fromVersion0(value: unknown, drop: (what: string) => void): StoredState {
  const disabled: StateEntry[] = [];
  if (isObject(value))
    for (const [name, skill] of Object.entries(value)) {
      if (!isObject(skill)) drop("A skill");
      else if (skill.enabled === false) disabled.push({ name });
    }
  if (disabled.length === 0) return emptyState;
  return { ...emptyState, profiles: new Map([["skillet", { disabled, enabled: [] }]]) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
