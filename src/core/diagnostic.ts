/** How much a diagnostic matters: an error costs the user a skill, a warning may, an info never does. */
export type Severity = "error" | "warning" | "info";

/** A place in a text file. Lines and columns count from 1; columns count UTF-16 units. */
export interface TextRange {
  readonly line: number;
  readonly column: number;
  readonly endLine?: number;
  readonly endColumn?: number;
}

/**
 * One thing a user should know about an input. Diagnostics are data: codes are stable (`area/what`), texts are not.
 * `profileCode` is the mirrored system's own code where it has one. Invariant 2 of ARCHITECTURE.md.
 */
export interface Diagnostic {
  readonly code: string;
  readonly profileCode: string | null;
  readonly severity: Severity;
  readonly message: string;
  readonly path: string | null;
  readonly range?: TextRange;
  readonly hint: string | null;
}

/** A value together with what was noticed while it was made. User input never throws. */
export interface Result<T> {
  readonly value: T;
  readonly diagnostics: readonly Diagnostic[];
}

/** Shared empty list, so that the common case allocates nothing. */
export const noDiagnostics: readonly Diagnostic[] = Object.freeze([]);
