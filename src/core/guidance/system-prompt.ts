import type { GuidanceRules } from "./guidance.ts";

/** Parts of a system prompt; what is missing, null or empty is left out. */
export interface PromptLayers {
  /** The agent's own instructions, often chosen by model. */
  readonly base?: string | null;
  readonly environment?: string | null;
  /** AGENTS.md and the like, in order. */
  readonly instructions?: readonly string[];
  readonly memory?: string | null;
  /** The list of skills. */
  readonly skills?: string | null;
  /** Closing text of a requested output format. */
  readonly format?: string | null;
}

/**
 * The layers in the order in which they are sent (features O17, X12): base, environment, instructions, then the skills
 * and what follows, or the skills behind everything else.
 */
export function systemPromptLayers(layers: PromptLayers, place: GuidanceRules["place"]): readonly string[] {
  const { base, environment, instructions = [], memory, skills, format } = layers;
  const first = [base, environment, ...instructions];
  const rest = place === "last" ? [memory, format, skills] : [skills, memory, format];
  return [...first, ...rest].flatMap((text) =>
    text === undefined || text === null || text === "" ? [] : [text],
  );
}
