/**
 * The record of decisions. Each is made once, at the place where it is made, and kept as data; `why` prints them and
 * never reconstructs (ARCHITECTURE.md, "Decisions").
 */
export type Stage =
  | "config"
  | "root"
  | "scan"
  | "read"
  | "precedence"
  | "gate"
  | "trust"
  | "state"
  | "permission"
  | "invocation"
  | "catalog"
  | "search";

export type Outcome =
  | "searched"
  | "missing"
  | "off"
  | "found"
  | "skipped"
  | "read"
  | "repaired"
  | "won"
  | "shadowed"
  | "passed"
  | "hidden"
  | "full"
  | "shortened"
  | "name-only"
  | "omitted"
  | "absent"
  | "ranked";

export interface Decision {
  readonly stage: Stage;
  readonly outcome: Outcome;
  /** Stable code, e.g. `lower-scope`, `same-root`, `denied`. */
  readonly reason: string;
  readonly path: string | null;
  /** One sentence for people. */
  readonly message: string;
  /** Concerns this name alone; absent = every name. */
  readonly about?: string;
}
