import type { Environment } from "../../environment.ts";
import type { ReservedCommand } from "../../profile.ts";
import type { PermissionAction, PermissionRule } from "../../visibility/permission.ts";
import type { Family } from "../opencode/family.ts";
import { workflowPrefix } from "./search.ts";

const skill = (pattern: string, action: PermissionAction): PermissionRule => ({
  permission: "skill",
  pattern,
  action,
});

/** Every agent may load what is not of the workflow pack (feature M11). */
const usual: readonly PermissionRule[] = [
  { permission: "*", pattern: "*", action: "allow" },
  skill("*", "allow"),
  skill(`${workflowPrefix}*`, "deny"),
];
const nothing: PermissionRule = { permission: "*", pattern: "*", action: "deny" };

const command = (name: string, description: string): ReservedCommand => ({
  name,
  source: "builtin",
  description,
});

/** MiMo Code v0.1.14 as a fork of OpenCode (seed 000; spec mimo-opencode 1.1, 1.9, 4.4). */
export const mimoFamily: Family = {
  program: "MiMo Code",
  name: "mimocode",
  variables: "MIMOCODE",
  homeVariable: "MIMOCODE_HOME",
  brands: [".claude", ".agents", ".codex", ".opencode"],
  brandSwitches: [
    {
      variable: "MIMOCODE_DISABLE_EXTERNAL_SKILLS",
      brands: [".claude", ".agents", ".codex", ".opencode"],
    },
    { variable: "MIMOCODE_DISABLE_CLAUDE_CODE_SKILLS", brands: [".claude"] },
    { variable: "MIMOCODE_DISABLE_CLAUDE_CODE", brands: [".claude"] },
    { variable: "MIMOCODE_MIMO_ONLY", brands: [".claude"] },
    { variable: "MIMOCODE_DISABLE_AGENTS_SKILLS", brands: [".agents"] },
    { variable: "MIMOCODE_DISABLE_CODEX_SKILLS", brands: [".codex"] },
    { variable: "MIMOCODE_DISABLE_OPENCODE_SKILLS", brands: [".opencode"] },
  ],
  isOn: isMimoSwitchOn,
  agents: new Map([
    ["", usual],
    ["build", usual],
    ["plan", usual],
    ["general", usual],
    ["compose", [...usual, skill(`${workflowPrefix}*`, "allow")]],
    ["explore", [...usual, nothing]],
    ["compaction", [...usual, nothing]],
    ["title", [...usual, nothing]],
    ["summary", [...usual, nothing]],
  ]),
  commands: [
    command("init", "set up AGENTS.md"),
    command("review", "review changes"),
    command("dream", "consolidate the project's memory"),
    command("distill", "turn repeated work into skills"),
    command("goal", "work until a goal is met"),
    command("rebuild", "rebuild the context from the last checkpoint"),
  ],
};

/** `true` and `1`, in any case; every other word is off (feature M8). */
export function isMimoSwitchOn({ variables }: Pick<Environment, "variables">, name: string): boolean {
  return /^(?:true|1)$/i.test(variables[name] ?? "");
}
