import {
  hostLimits,
  liveBetaFlag,
  ownedSkills,
  regionLimits,
  selectableSkills,
  type ToolNeed,
} from "./gate-table.ts";
import { selectorKey } from "./order.ts";

/** What the gate of built-in skills asks for. */
export interface GateFacts {
  /** Skills that the agent chose; null = the usual ones. */
  readonly skills: readonly string[] | null;
  /** Tools that are on; null = all. */
  readonly tools: readonly string[] | null;
  /** Names of features that are on: `webSearch`, `mavis`, `cuMode`, `miniApps`. */
  readonly features: readonly string[];
  readonly host: "cli" | "desktop";
  readonly region: string | null;
}

/** Whether a built-in skill is there for this agent, and if not, what is missing. */
export type GateVerdict =
  | { readonly on: true }
  | { readonly on: false; readonly reason: string; readonly message: string };

const on: GateVerdict = { on: true };

function off(reason: string, message: string): GateVerdict {
  return { on: false, reason, message };
}

/**
 * The capability gate of one built-in name (feature X9; spec minimax 3.2 and 3.3, golden `minimax.gating`). Names that
 * it does not know are on.
 */
export function builtinGate(name: string, facts: GateFacts): GateVerdict {
  const limits = hostLimits[facts.host];
  if (limits.disabled.includes(name)) return off("gate", `It is not offered on the ${facts.host} host.`);
  if (facts.region !== null && regionLimits[facts.region]?.includes(name) === true)
    return off("region", `It is off in the region ${facts.region}.`);
  const hasFeature = (feature: string): boolean =>
    facts.features.includes(feature) && !limits.features.includes(feature);

  const owned = ownedSkills.get(name);
  if (owned !== undefined) {
    if (owned.feature !== null && !hasFeature(owned.feature))
      return off("gate", `It needs the feature \`${owned.feature}\`, which is off here.`);
    if (owned.host !== undefined && owned.host !== facts.host)
      return off("gate", `It is only there on the ${owned.host} host.`);
    return missingTool(owned, facts, hasFeature);
  }
  const need = selectableSkills.get(name);
  if (need === undefined) return on;
  const chosen = facts.skills?.map(selectorKey);
  if (chosen !== undefined && !chosen.includes(selectorKey(name)))
    return off("not-selected", "The agent's own list of skills leaves it out.");
  return missingTool(need, facts, hasFeature);
}

/** Built-in names that are on, in code-unit order; `flags` = the beta flag that a skill asks for. */
export function enabledBuiltins(
  names: readonly string[],
  facts: GateFacts & {
    readonly flags: ReadonlyMap<string, string>;
    readonly beta: Readonly<Record<string, unknown>>;
  },
): readonly string[] {
  return names
    .filter((name) => {
      const flag = facts.flags.get(name);
      return builtinGate(name, facts).on && (flag === undefined || betaFlag(flag, facts));
    })
    .sort();
}

/** True when a beta flag of the settings is exactly `true`; the computer-use flag follows the live state instead. */
export function betaFlag(
  flag: string,
  facts: {
    readonly beta: Readonly<Record<string, unknown>>;
    readonly features: readonly string[];
    readonly host: "cli" | "desktop";
  },
): boolean {
  if (flag === liveBetaFlag)
    return facts.features.includes(flag) && !hostLimits[facts.host].features.includes(flag);
  return Object.hasOwn(facts.beta, flag) && facts.beta[flag] === true;
}

function missingTool(need: ToolNeed, facts: GateFacts, hasFeature: (name: string) => boolean): GateVerdict {
  const { tools } = facts;
  if (tools === null) return on;
  const missing = need.all.find((tool) => !tools.includes(tool));
  if (missing !== undefined)
    return off("gate", `It needs the tool \`${missing}\`, which this agent does not have.`);
  const { any } = need;
  if (any === undefined || any.tools.some((tool) => tools.includes(tool)) || any.features.some(hasFeature))
    return on;
  const words = [...any.features, ...any.tools].join(", ");
  return off("gate", `It needs one of ${words}; this agent has none of them.`);
}
