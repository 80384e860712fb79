import type { Session } from "../host/session/session.ts";
import type { Skills } from "../host/skills.ts";

/** What an adapter works on: an open set of skills, or a session over one. */
export type AdapterSource = Skills | Session;

/** What a model is told where there is no skill for it. */
const nothing = "No skills are available.";

/**
 * The list of skills for the system prompt. For a session it is the section of this epoch, whose bytes stay the same; what
 * changes later is in `session.guidance().message`.
 */
export function instructionsFor(source: AdapterSource, contextWindow?: number): string {
  const window = contextWindow === undefined ? {} : { contextWindow };
  const text = "remembers" in source ? source.guidance(window).system : source.catalog(window).text;
  return text ?? nothing;
}
