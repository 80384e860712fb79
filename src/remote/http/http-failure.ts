import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import type { DiagnosticCode } from "../../core/diagnostics/table.ts";
import type { FailureReason, HttpFailure } from "./http-types.ts";
import { showAddress } from "./show-address.ts";

/** What went wrong on the way, before it is told to anybody. */
export class FetchProblem extends Error {
  readonly reason: FailureReason;
  /** The same request may work in a moment. */
  readonly transient: boolean;
  readonly status: number | null;
  /** Milliseconds that the server asks to wait; null = it does not say. */
  readonly wait: number | null;
  readonly hint: string | undefined;

  constructor(
    reason: FailureReason,
    message: string,
    more: {
      readonly transient?: boolean;
      readonly status?: number;
      readonly wait?: number | null;
      readonly hint?: string;
    } = {},
  ) {
    super(message);
    this.name = "FetchProblem";
    this.reason = reason;
    this.transient = more.transient ?? false;
    this.status = more.status ?? null;
    this.wait = more.wait ?? null;
    this.hint = more.hint;
  }
}

const codes: Readonly<Record<FailureReason, DiagnosticCode>> = {
  address: "remote/address",
  forbidden: "policy/origin",
  private: "remote/private-address",
  redirect: "remote/redirect",
  unreachable: "remote/unreachable",
  timeout: "remote/timeout",
  status: "remote/status",
  "too-large": "remote/too-large",
  content: "remote/content",
  cancelled: "remote/cancelled",
};

/** The failure that a caller gets. `hops`: addresses that were gone through, the first one included. */
export function failureOf(
  problem: FetchProblem,
  at: { readonly hops: readonly (string | URL)[]; readonly tries: number },
): HttpFailure {
  const [first = "", ...more] = at.hops.map(showAddress);
  const way = more.length === 0 ? "" : ` (redirected: ${more.slice(0, 5).join(" → ")})`;
  const tries = at.tries > 1 ? ` Tried ${at.tries} times.` : "";
  return {
    kind: "failed",
    reason: problem.reason,
    status: problem.status,
    tries: at.tries,
    diagnostic: makeDiagnostic(codes[problem.reason], {
      path: first,
      message: `Cannot fetch ${first}${way}: ${problem.message}.${tries}`,
      hint: problem.hint,
    }),
  };
}
