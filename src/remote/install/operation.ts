import type { Diagnostic } from "../../core/diagnostic.ts";
import type { SkillFile } from "../digest/skill-file.ts";
import type { LockedSkill } from "../lock/lock-data.ts";

/** What happens, or would happen, to one file. `diff` has the changed lines of a text that was there before. */
export interface ChangedFile {
  readonly path: string;
  readonly action: "added" | "changed" | "removed" | "kept" | "merged" | "conflict";
  readonly bytes: number;
  readonly executable: boolean;
  readonly diff: readonly string[];
}

/** What happens, or would happen, to one skill. */
export interface SkillChange {
  readonly name: string;
  /**
   * "kept": installed and left as it is although the source has something else (gone, or edits of the user that the lock
   * knows); "conflict": not
   * done, a person has to decide; "edited", "missing": what `verify` finds; "failed": could not be fetched or proven.
   */
  readonly action:
    | "added"
    | "updated"
    | "unchanged"
    | "removed"
    | "restored"
    | "kept"
    | "conflict"
    | "edited"
    | "missing"
    | "failed";
  /** Where it comes from, with the revision. */
  readonly from: string | null;
  /** Revision that was installed until now, where the lock knows one. */
  readonly since?: string | null;
  /** The folder it lies in, or would. */
  readonly to: string | null;
  readonly agents: readonly string[];
  readonly digest: string | null;
  /** The digest that was installed before; null = it was not. */
  readonly previous: string | null;
  readonly files: readonly ChangedFile[];
  readonly findings: readonly Diagnostic[];
}

/** One skill's part of a plan. */
export interface PlannedSkill {
  readonly change: SkillChange;
  /** Entry of the lock afterwards; null = none. */
  readonly locked: LockedSkill | null;
  /** What the stored folder should hold; null = it stays as it is; "remove" = it goes. */
  readonly store: readonly SkillFile[] | "remove" | null;
  /** Tree digest of what stands in the store now, null = nothing. */
  readonly standing: string | null;
  /** Files in conflict, where that is why nothing is done. */
  readonly clashes?: readonly string[];
}
