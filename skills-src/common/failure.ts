/** What a script says to its caller and how it ends: 1 the work failed or was refused, 2 wrong usage, 3 no such file. */
export class Failure extends Error {
  readonly exitCode: 1 | 2 | 3;
  readonly hint: string | null;

  constructor(message: string, options: { readonly exitCode?: 1 | 2 | 3; readonly hint?: string } = {}) {
    super(message);
    this.exitCode = options.exitCode ?? 1;
    this.hint = options.hint ?? null;
  }
}

/** Ends as wrong usage. */
export function usage(message: string, hint?: string): Failure {
  return new Failure(message, { exitCode: 2, ...(hint === undefined ? {} : { hint }) });
}

/** A document that is made to harm, or too large to be read safely. */
export function refused(message: string): Failure {
  return new Failure(`refused: ${message}`);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
