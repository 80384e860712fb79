import type { CatalogState } from "../catalog/render-catalog.ts";
import type { Decision } from "../decision.ts";

export type Verdict = "offered" | "shadowed" | "hidden" | "skipped" | "absent";

/** The answer to "why is this skill (not) here?" (command `why`). A printout of recorded decisions. */
export interface Explanation {
  readonly profile: string;
  readonly name: string;
  readonly verdict: Verdict;
  readonly catalog: CatalogState | "absent";
  /** One sentence that a user can act on. */
  readonly summary: string;
  /** In the order in which they were made: configuration, roots, candidates, precedence, visibility, catalog, search. */
  readonly steps: readonly Decision[];
  /** Names close to an absent one, best first. */
  readonly nearest: readonly string[];
  /** What to do next, e.g. `skillet trust`; null when nothing is to be done. */
  readonly next: string | null;
  readonly notes: readonly string[];
}
