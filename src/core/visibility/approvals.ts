import { authorize, evaluate, type PermissionRule } from "./permission.ts";

/** A question to the user that waits for its answer. */
export interface PendingAsk {
  /** The caller's own, unique. */
  readonly id: string;
  readonly session: string;
  readonly permission: string;
  /** What the action touches now; all must be allowed. */
  readonly patterns: readonly string[];
  /** What an answer "always" allows from then on. */
  readonly always: readonly string[];
}

/** Everything that is remembered about questions. */
export interface Approvals {
  /** Rules from answers "always", oldest first; only ever `allow`. */
  readonly saved: readonly PermissionRule[];
  /** In the order in which they were asked. */
  readonly pending: readonly PendingAsk[];
}

export const noApprovals: Approvals = { saved: [], pending: [] };

export type Reply =
  | { readonly kind: "once" | "always" }
  | { readonly kind: "reject"; readonly feedback?: string };

/** How one question ended. `corrected`: refused with word from the user on what to do instead. */
export interface Settled {
  readonly id: string;
  readonly outcome: "allowed" | "rejected" | "corrected";
  readonly feedback: string | null;
}

/**
 * Asks before an action. A `deny` of the rules stands whatever was approved; what rules or earlier answers allow is not
 * asked again; everything else waits (spec mimo-opencode 4.4). Pure: gives the next state.
 */
export function ask(
  state: Approvals,
  request: PendingAsk,
  rules: readonly PermissionRule[],
): { readonly state: Approvals; readonly outcome: "allowed" | "denied" | "pending" } {
  const action = authorize(request, { rules, saved: state.saved });
  if (action === "deny") return { state, outcome: "denied" };
  if (action === "allow") return { state, outcome: "allowed" };
  return { state: { ...state, pending: [...state.pending, request] }, outcome: "pending" };
}

/** Where nobody can be asked, what would wait is refused. */
export function askNobody(
  state: Approvals,
  request: Omit<PendingAsk, "id" | "session">,
  rules: readonly PermissionRule[],
): "allowed" | "denied" {
  return authorize(request, { rules, saved: state.saved }) === "allow" ? "allowed" : "denied";
}

/**
 * Takes the user's answer. "always" is remembered and settles every waiting question of the session that it covers now;
 * "reject" rejects all waiting questions of the session, and only the answered one with the feedback. `rulesOf` gives the
 * rules of a session. An unknown id settles nothing.
 */
export function reply(
  state: Approvals,
  answer: { readonly id: string; readonly reply: Reply },
  rulesOf: (session: string) => readonly PermissionRule[],
): { readonly state: Approvals; readonly settled: readonly Settled[] } {
  const asked = state.pending.find(({ id }) => id === answer.id);
  if (asked === undefined) return { state, settled: [] };
  if (answer.reply.kind === "reject") return rejectAll(state, asked, answer.reply.feedback ?? null);
  const others = state.pending.filter((one) => one !== asked);
  const settled: Settled[] = [allowed(asked)];
  if (answer.reply.kind === "once") return { state: { ...state, pending: others }, settled };
  const saved = withSaved(state.saved, asked);
  const waiting = others.filter((one) => {
    const covered =
      one.session === asked.session && authorize(one, { rules: rulesOf(one.session), saved }) === "allow";
    if (covered) settled.push(allowed(one));
    return !covered;
  });
  return { state: { saved, pending: waiting }, settled };
}

function rejectAll(
  state: Approvals,
  asked: PendingAsk,
  feedback: string | null,
): { readonly state: Approvals; readonly settled: readonly Settled[] } {
  const settled = state.pending
    .filter(({ session }) => session === asked.session)
    .map(
      (one): Settled =>
        one === asked && feedback !== null
          ? { id: one.id, outcome: "corrected", feedback }
          : { id: one.id, outcome: "rejected", feedback: null },
    );
  return {
    state: { ...state, pending: state.pending.filter(({ session }) => session !== asked.session) },
    settled,
  };
}

function allowed({ id }: PendingAsk): Settled {
  return { id, outcome: "allowed", feedback: null };
}

/** Approved rules with those of an answer "always"; what is allowed already is not stored twice. */
export function withSaved(
  saved: readonly PermissionRule[],
  { permission, always }: Pick<PendingAsk, "permission" | "always">,
): readonly PermissionRule[] {
  const fresh = [...new Set(always)].filter(
    (pattern) => evaluate(saved, permission, pattern).action !== "allow",
  );
  return [...saved, ...fresh.map((pattern) => ({ permission, pattern, action: "allow" as const }))];
}
