import {
  evaluate,
  isStricter,
  type PermissionAction,
  type PermissionRule,
} from "../../core/visibility/permission.ts";
import type { Workspace } from "./workspace.ts";

/** The answer before anyone is asked. */
export interface Judgement {
  readonly action: PermissionAction;
  /** The word of the rules. */
  readonly permission: string;
  /** What it is about, as rules and people name it. */
  readonly patterns: readonly string[];
  /** What an answer "always" stores; empty = it cannot be given. */
  readonly always: readonly string[];
  /** Why it is asked for or refused, as part of a sentence; null = by a rule. Without `always` it is so every time. */
  readonly reason: string | null;
}

export interface JudgeFacts {
  readonly workspace: Workspace;
  /** All rules in order: defaults, then the user's. */
  readonly rules: readonly PermissionRule[];
  /** How many of them are defaults. */
  readonly defaults: number;
  /** Rules that nothing relaxes. */
  readonly limits: readonly PermissionRule[];
  /** Whether commands are lines of a shell that is understood here (bash). */
  readonly shell: boolean;
  /** Only commands that are known to change nothing; others are refused. */
  readonly onlyLooks: boolean;
  /** Earlier answers "always". */
  readonly saved: readonly PermissionRule[];
  /** Folders that may be read without asking: those of the skills on offer. */
  readonly readable: readonly string[];
}

/** The rules' answer, as strict as the agent's limits; and whether only a default said it. */
export function ruled(
  permission: string,
  pattern: string,
  { rules, defaults, limits }: Pick<JudgeFacts, "rules" | "defaults" | "limits">,
): { readonly action: PermissionAction; readonly byDefault: boolean } {
  const found = evaluate(rules, permission, pattern);
  const limit = limits.length === 0 ? "allow" : evaluate(limits, permission, pattern).action;
  const byDefault = found.index === null || found.index < defaults;
  return isStricter(limit, found.action) ? { action: limit, byDefault } : { action: found.action, byDefault };
}

/** A stored pattern with a star could allow more than was asked; such answers hold once. */
export function storable(always: readonly string[]): readonly string[] {
  return always.some((pattern) => /[*?]/.test(pattern)) ? [] : always;
}
