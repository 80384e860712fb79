import type { Decision } from "./decision.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { Root } from "./discovery/root.ts";
import type { FileIdentity } from "./file-system.ts";
import type { SkillDocument } from "./skill/document.ts";

/** A skill that was read. Winners and losers are the same kind of record. */
export interface Skill extends SkillDocument {
  /** Path of SKILL.md as found, links not resolved; `<built-in>` for one that exists only in memory. */
  readonly location: string;
  /** Folder of `location`; null for one in memory. */
  readonly directory: string | null;
  /** Real path of SKILL.md; equals `location` where no link was met. */
  readonly realPath: string;
  readonly root: Root;
  /** `sha256:…` of the bytes of SKILL.md. */
  readonly digest: string;
  readonly identity: FileIdentity | null;
  /** A flat NAME.md, not a folder. */
  readonly flat: boolean;
  /** Body of a skill that exists only in memory; null = on disk. */
  readonly embedded: string | null;
  /** Position in the scan, the last tie-break. */
  readonly index: number;
}

export interface ShadowedSkill {
  readonly skill: Skill;
  readonly winner: Skill;
  /** Stable code: `lower-scope`, `farther-level`, `brand-order`, `same-root`, `identical`, `later-wins`, … */
  readonly reason: string;
  readonly message: string;
}

export interface SkippedPath {
  readonly path: string;
  /** Root it was met under. */
  readonly root: Root | null;
  readonly reason: string;
  readonly message: string;
  /** Names a person would look it up by: the folder's, and the declared one if known. */
  readonly names: readonly string[];
  /** Where a link leads that is not followed. */
  readonly target?: string;
}

/** What was found and decided about one candidate file, in order. Shared constants where nothing was special. */
export interface CandidateTrail {
  readonly location: string;
  readonly names: readonly string[];
  readonly root: Root | null;
  readonly decisions: readonly Decision[];
}

export interface RootVisit {
  readonly root: Root;
  readonly decision: Decision;
  /** Candidates met. */
  readonly candidates: number;
}

/** The immutable result of one discovery (DESIGN word "snapshot"). */
export interface Snapshot {
  readonly profile: string;
  /** Winners in the profile's list order. */
  readonly skills: readonly Skill[];
  readonly shadowed: readonly ShadowedSkill[];
  readonly skipped: readonly SkippedPath[];
  readonly diagnostics: readonly Diagnostic[];
  readonly roots: readonly RootVisit[];
  /** One per candidate, winner or not, in scan order. */
  readonly trails: readonly CandidateTrail[];
  /** Changes exactly when something a user could notice changed. */
  readonly version: string;
}
