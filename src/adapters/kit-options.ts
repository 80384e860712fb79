import type { SkillToolOptions } from "../core/tools/skill-tool-set.ts";

export interface KitOptions extends SkillToolOptions {
  /** Of the model, in tokens; bounds the list of skills. */
  readonly contextWindow?: number;
}

export interface AnswerOptions {
  readonly signal?: AbortSignal;
}
