import type { Severity } from "../diagnostic.ts";

/** What is known about one diagnostic code; the pages under docs/diagnostics are written from it. */
export interface CodeText {
  readonly severity: Severity;
  /** A few words, no full stop. */
  readonly title: string;
  /** Why it matters to somebody who has this file. */
  readonly why: string;
  /** How to mend it. */
  readonly fix: string;
  /** Before and after, or one line that shows it. */
  readonly example?: string;
  /** `check --fix` mends it. */
  readonly mendable?: boolean;
}

/** Keeps the codes of one area as literal types, so that a misspelt code does not compile. */
export function defineCodes<const T extends Readonly<Record<`${string}/${string}`, CodeText>>>(codes: T): T {
  return codes;
}
