import type { Diagnostic } from "../../core/diagnostic.ts";
import type { Environment } from "../../core/environment.ts";
import type { Policy } from "../../core/policy/policy.ts";
import type { RemoteSource } from "../../core/remote/remote-source.ts";
import type { RecordPlace } from "../cache/records.ts";
import type { SkillStore } from "../cache/skill-store.ts";
import type { SkillFile } from "../digest/skill-file.ts";
import type { HttpClient } from "../http/http-types.ts";
import type { Signature } from "../policy/signature.ts";

/** What became of one skill of a source. */
export type PullAction = "added" | "updated" | "unchanged" | "removed" | "kept" | "refused" | "failed";

export interface PullChange {
  readonly name: string;
  readonly action: PullAction;
  /** Tree digests; null = there was or is none. */
  readonly from: string | null;
  readonly to: string | null;
  readonly files: number;
  readonly findings: readonly Diagnostic[];
}

/** What became of a source. "stale": it could not be used, and what was pulled before stays. */
export type PullStatus = "pulled" | "unchanged" | "stale" | "failed" | "refused";

export interface PullOutcome {
  readonly source: RemoteSource;
  readonly status: PullStatus;
  readonly changes: readonly PullChange[];
  /** Of the source as a whole; those of single skills are with their changes. */
  readonly diagnostics: readonly Diagnostic[];
}

/** One skill that arrived, not judged yet. */
export interface Incoming {
  readonly name: string;
  readonly files: readonly SkillFile[];
  readonly etags: ReadonlyMap<string, string>;
  /** Digest that the source states and that was compared; null = none. */
  readonly stated: string | null;
  readonly version: string | null;
  readonly signatures: readonly Signature[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface PullProgress {
  readonly label: string;
  /** Skills that are done, and how many there are. */
  readonly done: number;
  readonly total: number;
}

export interface PullContext extends RecordPlace {
  readonly environment: Environment;
  readonly client: HttpClient;
  readonly policy: Policy;
  readonly store: SkillStore;
  /** ISO 8601. */
  readonly now: string;
  /** Take a lower version than before. */
  readonly acceptOlder: boolean;
  /** Write nothing. */
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  readonly progress: (progress: PullProgress) => void;
}
