import type { Scope } from "../../core/discovery/root.ts";
import type { VisibleSkill } from "../../core/profile.ts";
import type { Painter } from "./paint.ts";
import type { Cell } from "./rows.ts";

const scopeWords: Readonly<Record<Scope, string>> = {
  managed: "managed",
  workspace: "project",
  user: "user",
  config: "config",
  agent: "agent",
  plugin: "plugin",
  remote: "remote",
  mcp: "mcp",
  builtin: "built-in",
};

/** A scope as people say it. */
export function scopeWord(scope: Scope): string {
  return scopeWords[scope];
}

/** `3 skills`, `1 skill`. */
export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${number} ${number === 1 ? singular : plural}`;
}

/** What keeps a listed skill from being a plain one, in a word or two; null when nothing does. */
export function restriction(entry: VisibleSkill): string | null {
  if (entry.hidden !== null) return entry.hidden.reason;
  if (!entry.enabled) return "off";
  if (!entry.trusted) return trustReason(entry) === "untrusted" ? "not trusted" : trustReason(entry);
  if (entry.permission === "deny") return "denied";
  if (!entry.modelInvocable) return "for you only";
  if (entry.permission === "ask") return "asks first";
  if (!entry.userInvocable) return "for the model only";
  return null;
}

/** Why a skill waits for trust: its project never was trusted, or the skill is "new" or "changed" since then. */
export function trustReason({ decisions }: VisibleSkill): string {
  return decisions.find(({ stage }) => stage === "trust")?.reason ?? "untrusted";
}

/** The mark before a skill: offered to a model, or not. */
export function markCell(entry: VisibleSkill, paint: Painter): Cell {
  if (entry.modelInvocable && entry.hidden === null) return { text: paint.symbols.yes, paint: paint.green };
  const waits = !entry.trusted && entry.enabled && entry.permission !== "deny";
  return waits
    ? { text: paint.symbols.warning, paint: paint.yellow }
    : { text: paint.symbols.dot, paint: paint.dim };
}
