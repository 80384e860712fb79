import { openSkills } from "../host/open-skills.ts";
import type { SearchHit, Skills } from "../host/skills.ts";
import type { Context } from "./command.ts";
import { openOptions } from "./open-options.ts";

/** A skill that only another agent may use, found for a request. */
export interface ElsewhereHit extends SearchHit {
  /** Name of that agent, for `--agent`. */
  readonly agent: string;
}

/** An agent of the settings for which `use` finds something, and what; null when an agent is chosen already, or none is. */
function withOtherAgent<Found>(
  context: Context,
  skills: Skills,
  use: (other: Skills, agent: string) => Found | null,
): Found | null {
  if (context.flags.text("agent") !== undefined) return null;
  if (!skills.entries.some(isWithheld)) return null;
  for (const [agent, { permission }] of Object.entries(skills.configuration.agents)) {
    if (!permission.some(({ action }) => action === "allow")) continue;
    const other = openSkills({ ...openOptions(context.flags, context.io), agent });
    try {
      const found = use(other, agent);
      if (found !== null) return found;
    } finally {
      other.close();
    }
  }
  return null;
}

const isWithheld = ({ hidden }: Skills["entries"][number]): boolean => hidden?.reason === "denied";

/** The agent that may use a skill which is denied without one; null when there is none. */
export function agentThatMay(context: Context, skills: Skills, name: string): string | null {
  const entry = skills.entries.find(({ skill }) => skill.name === name);
  if (entry === undefined || !isWithheld(entry)) return null;
  return withOtherAgent(context, skills, (other, agent) =>
    other.entries.some(({ skill, modelInvocable }) => skill.name === name && modelInvocable) ? agent : null,
  );
}

/** The skill that would come first for a request if an agent that may use it were chosen; null when none would. */
export function fitsElsewhere(context: Context, skills: Skills, request: string): ElsewhereHit | null {
  const withheld = new Set(skills.entries.filter(isWithheld).map(({ skill }) => skill.location));
  return withOtherAgent(context, skills, (other, agent) => {
    const [first] = other.search(request, { limit: 1 }).results;
    return first !== undefined && withheld.has(first.location) ? { ...first, agent } : null;
  });
}
