import type { Diagnostic } from "../diagnostic.ts";
import type { FileIdentity } from "../file-system.ts";
import type { SkillRead } from "../skill/document.ts";
import type { Root } from "./root.ts";
import type { FoundSkill } from "./skill-of.ts";

/** Where a SKILL.md stands, and which bytes were read there. */
export interface FilePlace {
  /** As found, links not resolved. */
  readonly location: string;
  readonly directory: string;
  readonly realPath: string;
  readonly root: Root;
  readonly flat: boolean;
  readonly digest: string;
  readonly identity: FileIdentity;
}

/** A SKILL.md that was found and read under a root (DESIGN word "candidate"). */
export interface Candidate {
  /** Of a file that could be used, the skill is its own place: ten thousand copies would be felt. */
  readonly place: FilePlace;
  /** What the file says; null when it can't be used, for the reason in `skip`. */
  readonly skill: FoundSkill | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly skip: SkillRead["skip"];
}

export function sameFile(a: FileIdentity, b: FileIdentity): boolean {
  return a.inode === b.inode && a.modified === b.modified && a.size === b.size && a.device === b.device;
}
