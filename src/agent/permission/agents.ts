import type { PermissionRule } from "../../core/visibility/permission.ts";
import { matchWildcard } from "../../core/visibility/wildcard.ts";

/** One of the agents that `/agent` and `--agent` choose from. */
export interface AgentKind {
  readonly name: string;
  readonly summary: string;
  /** Tools it never has. */
  readonly without: readonly string[];
  /** Commands that are not known to change nothing are refused, whatever rules and answers say. */
  readonly onlyLooks: boolean;
  /** Rules that nothing relaxes; the stricter answer of these and the user's counts. */
  readonly limits: readonly PermissionRule[];
  /** Skills that are meant for this agent; "" = none are. */
  readonly skills: string;
  /** Said to the model in its prompt. */
  readonly role: string;
}

/** The rules that hold where the user's say nothing. Skills have theirs from the settings. */
export const defaultRules: readonly PermissionRule[] = [
  { permission: "read", pattern: "*", action: "allow" },
  { permission: "read", pattern: "*.env", action: "ask" },
  { permission: "read", pattern: "*.env.*", action: "ask" },
  { permission: "read", pattern: "*.env.example", action: "allow" },
  { permission: "read", pattern: "*.pem", action: "ask" },
  { permission: "read", pattern: "*id_rsa", action: "ask" },
  { permission: "read", pattern: "*id_ed25519", action: "ask" },
  { permission: "edit", pattern: "*", action: "ask" },
  { permission: "bash", pattern: "*", action: "ask" },
  { permission: "todo", pattern: "*", action: "allow" },
  { permission: "exec", pattern: "*", action: "allow" },
  { permission: "fetch", pattern: "*", action: "deny" },
];

const build: AgentKind = {
  name: "build",
  summary: "does the work: reads, edits, runs commands",
  without: [],
  onlyLooks: false,
  limits: [],
  skills: "",
  role: "You are the build agent: carry the task out.",
};

const plan: AgentKind = {
  name: "plan",
  summary: "looks and plans, changes nothing",
  without: ["write", "edit"],
  onlyLooks: true,
  limits: [
    { permission: "*", pattern: "*", action: "allow" },
    { permission: "edit", pattern: "*", action: "deny" },
  ],
  skills: "",
  role: "You are the plan agent: look, think and propose, and change nothing. You have no tools that write, and a command runs only if it is known to change nothing (ls, cat, grep, find, git log, git diff and the like). End with a plan in steps that another can carry out, with the files each step concerns and how it will be checked.",
};

const compose: AgentKind = {
  name: "compose",
  summary: "works by the compose:* workflow skills",
  without: [],
  onlyLooks: false,
  limits: [],
  skills: "compose:*",
  role: "You are the compose agent: work in stages, by the workflow skills whose names begin with compose:. Before each stage load the skill for it, and say which stage you are in.",
};

const kinds: readonly AgentKind[] = [build, plan, compose];

/** The agent that a skill is meant for, null for most. */
export function agentOfSkill(skill: string): AgentKind | null {
  return kinds.find(({ skills }) => skills !== "" && matchWildcard(skill, skills)) ?? null;
}

export const agentKinds: ReadonlyMap<string, AgentKind> = new Map(kinds.map((kind) => [kind.name, kind]));

/** The kind of that name; an agent that only settings know works like `build`, under its own rules. */
export function agentKind(name: string): AgentKind {
  return (
    agentKinds.get(name) ?? {
      ...build,
      name,
      summary: "an agent of your settings",
      role: `You are the agent "${name}": carry the task out.`,
    }
  );
}
