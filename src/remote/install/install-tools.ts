import type { Diagnostic } from "../../core/diagnostic.ts";
import type { Environment } from "../../core/environment.ts";
import type { ArchiveLimits } from "../archive/limits.ts";
import type { Fetched, FetchedSkill } from "./fetched-skill.ts";
import type { Source } from "./source.ts";
import type { TreeStore } from "./tree-store.ts";

export interface FetchOptions {
  /** Exactly this state of the source, from a lock; null = what it offers now. */
  readonly revision?: string | null;
}

/** What every operation works with. */
export interface InstallTools {
  readonly environment: Environment;
  readonly store: TreeStore;
  readonly limits: ArchiveLimits;
  readonly signal?: AbortSignal | undefined;
  fetch(source: Source, options?: FetchOptions): Promise<Fetched>;
  /** What the policy says of a skill before it is installed; an error among it refuses the skill. */
  approve(skill: FetchedSkill, from: Fetched): readonly Diagnostic[];
}
