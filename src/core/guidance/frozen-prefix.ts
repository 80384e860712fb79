import type { PermissionRule } from "../visibility/permission.ts";

/** What a system prompt depends on; equal values keep it (feature M13). */
export interface PrefixKey {
  readonly model: string;
  readonly agent: string;
  readonly permission: readonly PermissionRule[];
  /** Hash of the tools' names and forms. */
  readonly tools: string;
}

/** A system prompt with what it was made for. */
export interface FrozenPrefix {
  readonly key: string;
  readonly text: string;
}

/**
 * The session's system prompt: the earlier one while model, agent, permissions and tools are equal, so that a provider's
 * cache of it stays valid; else what `make` gives now. Search and mentions never ask it, they read the live set.
 */
export function frozenPrefix(
  earlier: FrozenPrefix | null,
  facts: PrefixKey,
  make: () => string,
): FrozenPrefix {
  const rules = facts.permission.map(({ permission, pattern, action }) => [permission, pattern, action]);
  const key = JSON.stringify([facts.model, facts.agent, rules, facts.tools]);
  return earlier?.key === key ? earlier : { key, text: make() };
}
