/** Stable codes of `SkilletError`; the command maps them to exit codes (see `docs/exit-codes.md`). */
export type SkilletErrorCode =
  | "usage"
  | "config"
  | "environment"
  | "not-found"
  | "denied"
  | "failed"
  | "cancelled";

/** The one error class: something about the environment or the call is broken, never the content of a user's file. */
export class SkilletError extends Error {
  readonly code: SkilletErrorCode;
  readonly hint: string | null;

  constructor(code: SkilletErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "SkilletError";
    this.code = code;
    this.hint = options.hint ?? null;
  }
}
