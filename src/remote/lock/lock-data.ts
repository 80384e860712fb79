/** Where a skill comes from; decides how it is fetched again. */
export type SourceKind = "git" | "site" | "archive" | "file" | "folder" | "oci";

/** One skill of a lock. Nothing in it depends on the moment or the machine. */
export interface LockedSkill {
  /** As it was asked for: `owner/repo`, an address, a folder relative to the lock. Never with a password. */
  readonly source: string;
  readonly kind: SourceKind;
  /** What was really asked: the repository's address, the index, the archive. Null for a folder. */
  readonly url: string | null;
  /** Branch, tag or version that updates follow; null = what the source offers by itself. */
  readonly ref: string | null;
  /** The skill's folder inside the source; null = the source itself. */
  readonly path: string | null;
  /** Git commit, or the digest of what was downloaded; null for a folder. */
  readonly revision: string | null;
  /** Tree digest of the skill as it came (docs/lock.md); null in a lock that says less. */
  readonly digest: string | null;
  /** Agents whose folders it was put into, ordered; the shared store is not among them. */
  readonly agents: readonly string[];
  /** Those of them that got a copy in place of a link. */
  readonly copies: readonly string[];
  /** By path: mode (`644`, `755`) and digest. */
  readonly files: ReadonlyMap<string, LockedFile>;
  /** What the user changed in it and keeps, as it stands on disk; null = removed. `files` has what came. */
  readonly edits: LockedEdits;
  /** Links of the source that lead to a file of the same skill and came as that file. */
  readonly links: ReadonlyMap<string, string>;
  /** Keys of a newer version, kept as they are. */
  readonly extra: Readonly<Record<string, unknown>>;
}

export interface LockedFile {
  readonly digest: string;
  readonly executable: boolean;
}

export type LockedEdits = ReadonlyMap<string, LockedFile | null>;

/** What a lock holds, by the names of the skills. */
export interface LockData {
  readonly skills: ReadonlyMap<string, LockedSkill>;
  /** Keys of a newer version at the top, kept as they are. */
  readonly extra: Readonly<Record<string, unknown>>;
}

export const emptyLock: LockData = { skills: new Map(), extra: {} };
