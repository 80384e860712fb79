import type { Decision } from "../decision.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { Root } from "../discovery/root.ts";
import type { EmbeddedSkill } from "../profile.ts";
import type { LocalizedTexts } from "./pack.ts";

/** A profile's own skills, ready to be searched (features M1–M4). */
export interface ProvidedPacks {
  /** Folders on disk, in the order of the policy; scope `builtin`, bundled. */
  readonly roots: readonly Root[];
  /** Skills whose pack cannot be on disk. */
  readonly embedded: readonly EmbeddedSkill[];
  /** What was switched off, gated or served differently, and why. */
  readonly decisions: readonly Decision[];
  readonly diagnostics: readonly Diagnostic[];
  /** Texts in other languages of every skill on disk that is ours, by location of SKILL.md. */
  readonly texts: ReadonlyMap<string, Readonly<Record<string, LocalizedTexts>>>;
}

/** A profile without skills of its own. */
export const noPacks: ProvidedPacks = Object.freeze({
  roots: Object.freeze([]),
  embedded: Object.freeze([]),
  decisions: Object.freeze([]),
  diagnostics: Object.freeze([]),
  texts: new Map(),
});
