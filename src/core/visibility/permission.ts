import { matchWildcard } from "./wildcard.ts";

export type PermissionAction = "allow" | "ask" | "deny";

/** One rule; `permission` and `pattern` are both wildcards (see `matchWildcard`). */
export interface PermissionRule {
  readonly permission: string;
  readonly pattern: string;
  readonly action: PermissionAction;
}

/** The rule that decided, and its place in the list; `index` is null when none matched and the default held. */
export interface PermissionEvaluation extends PermissionRule {
  readonly index: number | null;
}

/** Tool name → the permission that governs it besides its own name (golden `mimo.permission`, dis-edit, dis-read). */
export const toolGovernors: ReadonlyMap<string, string> = new Map([
  ["write", "edit"],
  ["apply_patch", "edit"],
  ["multiedit", "edit"],
  ["view_image", "read"],
]);

/** Strictest last; an action's rank is its index. */
const strictness: readonly PermissionAction[] = ["allow", "ask", "deny"];

/** True when `a` leaves less freedom than `b`. */
export function isStricter(a: PermissionAction, b: PermissionAction): boolean {
  return strictness.indexOf(a) > strictness.indexOf(b);
}

/**
 * The last rule whose permission and pattern both match wins; without one the answer is `ask` (features O11, M11,
 * spec mimo-opencode 4.4). `pattern` is the resource asked for, e.g. a skill's name exactly as given: no trimming,
 * no case folding. Several rule sets are concatenated by the caller, in order.
 */
export function evaluate(
  rules: readonly PermissionRule[],
  permission: string,
  pattern: string,
): PermissionEvaluation {
  for (let index = rules.length - 1; index >= 0; index--) {
    const rule = rules[index];
    if (rule === undefined) continue;
    if (matchWildcard(permission, rule.permission) && matchWildcard(pattern, rule.pattern))
      return { permission: rule.permission, pattern: rule.pattern, action: rule.action, index };
  }
  return { permission, pattern: "*", action: "ask", index: null };
}

/**
 * Like `evaluate`, but a later and stricter rule for the plain spelling of `name` holds for it too: lower case, `-` for
 * `_`, `.` and blanks, compatibility forms unified. Where names are looked up loosely, `Internal_x` would otherwise
 * answer for a denied `internal-x` (row H08).
 */
export function evaluateSpellings(
  rules: readonly PermissionRule[],
  permission: string,
  name: string,
): PermissionEvaluation {
  const written = evaluate(rules, permission, name);
  if (/^[a-z0-9-]*$/.test(name)) return written;
  const plain = evaluate(
    rules,
    permission,
    name
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[_.\s]/g, "-"),
  );
  const later = (plain.index ?? -1) > (written.index ?? -1);
  return later && isStricter(plain.action, written.action) ? plain : written;
}

/**
 * Whether a tool is not offered at all: the last rule whose permission matches the tool (or what governs it) denies
 * the pattern `*` exactly. An exception after the denial keeps the tool (golden `mimo.permission`, dis-*).
 */
export function isDisabled(
  rules: readonly PermissionRule[],
  tool: string,
  governors: ReadonlyMap<string, string> = toolGovernors,
): boolean {
  const governor = governors.get(tool);
  for (let index = rules.length - 1; index >= 0; index--) {
    const rule = rules[index];
    if (rule === undefined) continue;
    if (
      matchWildcard(tool, rule.permission) ||
      (governor !== undefined && matchWildcard(governor, rule.permission))
    )
      return rule.action === "deny" && rule.pattern === "*";
  }
  return false;
}

export interface AuthorizationRequest {
  readonly permission: string;
  /** Every resource the action touches; all must be allowed. */
  readonly patterns: readonly string[];
}

/**
 * The answer to a request before anyone is asked: `deny` of the configured rules stands whatever was approved before;
 * `ask` is lifted by a saved approval (an earlier "always"); spec mimo-opencode 4.4.
 */
export function authorize(
  request: AuthorizationRequest,
  sets: { readonly rules: readonly PermissionRule[]; readonly saved: readonly PermissionRule[] },
): PermissionAction {
  let answer: PermissionAction = "allow";
  for (const pattern of request.patterns) {
    const { action } = evaluate(sets.rules, request.permission, pattern);
    if (action === "deny") return "deny";
    if (action === "ask" && evaluate(sets.saved, request.permission, pattern).action !== "allow")
      answer = "ask";
  }
  return answer;
}
