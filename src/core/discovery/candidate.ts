import type { FileIdentity } from "../file-system.ts";
import type { SkillRead } from "../skill/document.ts";
import type { Root } from "./root.ts";

/** A SKILL.md that was found and read under a root (DESIGN word "candidate"). */
export interface Candidate {
  /** As found, links not resolved. */
  readonly location: string;
  readonly directory: string;
  readonly realPath: string;
  readonly root: Root;
  readonly flat: boolean;
  readonly digest: string;
  readonly identity: FileIdentity;
  readonly read: SkillRead;
}

/** What an earlier discovery knows of a file; reused while the identity is equal. */
export interface KnownFile {
  readonly identity: FileIdentity;
  readonly digest: string;
  readonly read: SkillRead;
}

/** Cache of one profile's reads, keyed by location. Never written to disk. */
export type DocumentCache = Map<string, KnownFile>;

export function sameFile(a: FileIdentity, b: FileIdentity): boolean {
  return a.inode === b.inode && a.modified === b.modified && a.size === b.size && a.device === b.device;
}
