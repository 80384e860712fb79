import type { Diagnostic } from "../../core/diagnostic.ts";
import type { PulledRecord, PulledSkill } from "../../core/remote/pulled-record.ts";
import type { PullAction, PullChange } from "./pull-types.ts";

/** What a source gave in one pull, before its record is written. */
export type Gathered =
  | {
      readonly kind: "gathered";
      /** Everything that is offered from now on, kept copies too. */
      readonly skills: readonly PulledSkill[];
      readonly changes: readonly PullChange[];
      readonly diagnostics: readonly Diagnostic[];
      readonly facts: Pick<
        PulledRecord,
        "form" | "found" | "etag" | "modified" | "digest" | "newest" | "revision"
      >;
    }
  | { readonly kind: "unchanged" }
  | { readonly kind: "failed"; readonly diagnostic: Diagnostic };

/** A change of one skill. */
export function changeOf(
  name: string,
  action: PullAction,
  at: {
    readonly before: PulledSkill | null;
    readonly after?: PulledSkill;
    readonly findings?: readonly Diagnostic[];
  },
): PullChange {
  return {
    name,
    action,
    from: at.before?.tree ?? null,
    to: at.after?.tree ?? null,
    files: (at.after ?? at.before)?.files.length ?? 0,
    findings: at.findings ?? [],
  };
}
