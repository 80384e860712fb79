import type { Diagnostic } from "../../core/diagnostic.ts";
import type { SkillFile } from "../digest/skill-file.ts";
import type { SourceKind } from "../lock/lock-data.ts";

/** One skill as it came from a source: judged safe, wholly in memory, not yet written anywhere. */
export interface FetchedSkill {
  readonly name: string;
  readonly description: string | null;
  /** Folder inside the source; null = the source itself. */
  readonly path: string | null;
  /** Ordered by path. */
  readonly files: readonly SkillFile[];
  readonly links: ReadonlyMap<string, string>;
  /** Links and special files of the source that are not among `files`. */
  readonly leftOut?: readonly string[];
  readonly digest: string;
  /** What a person should know before it is written. */
  readonly findings: readonly Diagnostic[];
}

/** Everything a source gave. */
export interface Fetched {
  readonly kind: SourceKind;
  readonly source: string;
  readonly url: string | null;
  /** What the policy is asked: the address, or the real path of what lies on this machine. */
  readonly origin?: string;
  readonly ref: string | null;
  readonly revision: string | null;
  /** What came was compared with a commit or digest that the source or a lock states. */
  readonly stated?: boolean;
  readonly skills: readonly FetchedSkill[];
  /** Why other skills of the source are not among them, and what was noticed on the way. */
  readonly diagnostics: readonly Diagnostic[];
}
