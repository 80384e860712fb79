import type { Root, Scope } from "../../discovery/root.ts";

/** Kinds of source as MiniMax Code ranks them; "project" exists there but no root has it. */
export type SourceKind = "workspace" | "agent" | "global" | "user" | "builtin" | "plugin";

/** Places of skills, in the order of the root list (feature X1). */
export type Source =
  | "workspace-minimax"
  | "workspace-cc"
  | "workspace-agents"
  | "user-cc"
  | "user-codex"
  | "user-agents"
  | "agent"
  | "agent-compatible"
  | "global"
  | "builtin-seeded"
  | "builtin-agent"
  | "builtin-global"
  | "plugin";

const kinds: Readonly<Record<Source, SourceKind>> = {
  "workspace-minimax": "workspace",
  "workspace-cc": "workspace",
  "workspace-agents": "workspace",
  "user-cc": "user",
  "user-codex": "user",
  "user-agents": "user",
  agent: "agent",
  "agent-compatible": "agent",
  global: "global",
  "builtin-seeded": "builtin",
  "builtin-agent": "builtin",
  "builtin-global": "builtin",
  plugin: "plugin",
};

const ranks: Readonly<Record<SourceKind, number>> = {
  workspace: 1,
  agent: 2,
  global: 3,
  user: 3,
  builtin: 4,
  plugin: 5,
};

const scopes: Readonly<Record<SourceKind, Scope>> = {
  workspace: "workspace",
  agent: "agent",
  global: "user",
  user: "user",
  builtin: "builtin",
  plugin: "plugin",
};

export function kindOf({ source }: Pick<Root, "source">): SourceKind {
  return Object.hasOwn(kinds, source) ? kinds[source as Source] : "builtin";
}

/** Lower wins, whatever the priority; plugin skills stand behind everything (spec minimax 1.3, 6). */
export function rankOf(root: Pick<Root, "source">): number {
  return ranks[kindOf(root)];
}

export function scopeOf(source: Source): Scope {
  return scopes[kinds[source]];
}
