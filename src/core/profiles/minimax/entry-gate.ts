import type { AgentFacts } from "../../profile.ts";
import type { Skill, Snapshot } from "../../snapshot.ts";
import { isAmbiguous, takenNames } from "./contest.ts";
import { gatedNames, regionLimits } from "./gate-table.ts";
import { betaFlag, builtinGate } from "./gates.ts";
import { kindOf } from "./kinds.ts";
import { selectorKey } from "./order.ts";
import type { MinimaxSettings } from "./settings.ts";

type Verdict = { readonly reason: string; readonly message: string } | null;

/**
 * Why an entry is neither in the catalog nor to be loaded, by MiniMax Code's filters in their order (feature X11; spec
 * minimax 3.4). Winners only are asked: a filtered winner never reveals a shadowed copy.
 */
export function createEntryGate(
  agent: AgentFacts,
  settings: Pick<MinimaxSettings, "beta">,
): (skill: Skill, snapshot: Snapshot) => Verdict {
  const selected = agent.skills?.map(selectorKey) ?? null;
  const servers = new Set(agent.mcpServers);
  let known: Snapshot | null = null;
  let copies = new Map<string, Skill[]>();
  let taken: ReadonlyMap<Skill, Skill> = new Map();
  const learn = (snapshot: Snapshot): void => {
    if (known === snapshot) return;
    known = snapshot;
    copies = new Map();
    for (const skill of [...snapshot.skills, ...snapshot.shadowed.map((one) => one.skill)]) {
      if (skill.root.source !== "agent-compatible" && skill.root.source !== "agent") continue;
      const same = copies.get(skill.name);
      if (same === undefined) copies.set(skill.name, [skill]);
      else same.push(skill);
    }
    taken = takenNames(snapshot.skills);
  };

  return (skill, snapshot) => {
    learn(snapshot);
    const kind = kindOf(skill.root);
    const first = taken.get(skill);
    if (first !== undefined)
      return hidden("name-taken", `The name is taken by ${first.location}; a skill of a plugin stands back.`);
    if (
      kind === "builtin" &&
      agent.region !== null &&
      regionLimits[agent.region]?.includes(skill.name) === true
    )
      return hidden("region", `It is off in the region ${agent.region}.`);
    if (isAmbiguous(skill, copies.get(skill.name) ?? []))
      return hidden("ambiguous", `Skill name "${skill.name}" is ambiguous; use location_uri`);
    if (skill.extra.listed === false) return hidden("unlisted", "`listed: false` in its frontmatter.");
    if (skill.name.startsWith("mcp-") && servers.has(skill.name.slice("mcp-".length)))
      return hidden(
        "mcp",
        `The MCP server \`${skill.name.slice("mcp-".length)}\` is configured and stands for it.`,
      );
    if ((kind === "builtin" || kind === "agent") && gatedNames.has(skill.name)) {
      const { skills = null, tools, features, host, region } = agent;
      const verdict = builtinGate(skill.name, { skills, tools, features, host, region });
      if (!verdict.on) return verdict;
    } else if (selected !== null && !selected.includes(selectorKey(skill.name))) {
      return hidden("not-selected", "The agent's own list of skills leaves it out.");
    }
    const flag = requiredFlag(skill);
    if (flag !== null && !betaFlag(flag, { ...agent, beta: settings.beta }))
      return hidden("beta", `It needs the beta flag \`${flag}\`, which is not on in config.yaml.`);
    return null;
  };
}

function hidden(reason: string, message: string): Verdict {
  return { reason, message };
}

/** The flag that a skill asks for; the camel-case key is looked at first. */
export function requiredFlag({ extra }: Pick<Skill, "extra">): string | null {
  for (const value of [extra.requiresBeta, extra.requires_beta])
    if (typeof value === "string" && value !== "") return value;
  return null;
}
