import type { AgentFacts } from "../profile.ts";
import type { SkillRequirements } from "../skill/document.ts";

export interface RequirementFacts {
  readonly agent: AgentFacts;
  readonly hasProgram: (name: string) => boolean;
  readonly variables: Readonly<Record<string, string>>;
  readonly platform: string;
}

const platformWords: Readonly<Record<string, readonly string[]>> = {
  linux: ["linux"],
  darwin: ["darwin", "macos", "mac"],
  win32: ["win32", "windows"],
};

/** The first requirement that does not hold, as a sentence; null when all hold (key `requires`). */
export function unmetRequirement(requires: SkillRequirements, facts: RequirementFacts): string | null {
  const program = requires.bins.find((name) => !facts.hasProgram(name));
  if (program !== undefined) return `It needs the program \`${program}\`, which is not on PATH.`;
  if (requires.anyBins.length > 0 && !requires.anyBins.some(facts.hasProgram)) {
    return `It needs one of the programs ${requires.anyBins.join(", ")}; none is on PATH.`;
  }
  const name = requires.env.find((variable) => (facts.variables[variable] ?? "") === "");
  if (name !== undefined) return `It needs the environment variable ${name}, which is not set.`;
  const here = platformWords[facts.platform] ?? [facts.platform];
  if (requires.os.length > 0 && !requires.os.some((os) => here.includes(os.toLowerCase()))) {
    return `It is for ${requires.os.join(", ")}; this is ${here[0] ?? facts.platform}.`;
  }
  const { agent } = facts;
  const tool =
    agent.tools === null ? undefined : requires.tools.find((needed) => !agent.tools?.includes(needed));
  if (tool !== undefined) return `It needs the tool \`${tool}\`, which this agent does not have.`;
  const feature = requires.features.find((needed) => !agent.features.includes(needed));
  if (feature !== undefined) return `It needs the feature \`${feature}\`, which is off.`;
  const server = requires.mcpServers.find((needed) => !agent.mcpServers.includes(needed));
  if (server !== undefined) return `It needs the MCP server \`${server}\`, which is not configured.`;
  return null;
}
