import type { Diagnostic } from "../../diagnostic.ts";
import { makeDiagnostic } from "../../diagnostics/make.ts";
import { printable } from "../../text/printable.ts";
import type { PermissionRule } from "../../visibility/permission.ts";
import type { Family } from "./family.ts";
import { type Fields, isFields } from "./merge-settings.ts";

const everything: PermissionRule = { permission: "*", pattern: "*", action: "allow" };
const nothing: PermissionRule = { permission: "*", pattern: "*", action: "deny" };

/** Rules that an agent of the program has before the user's own, as far as they touch skills. */
export const openCodeAgents: ReadonlyMap<string, readonly PermissionRule[]> = new Map([
  ["", [everything]],
  ["build", [everything]],
  ["plan", [everything]],
  ["general", [everything]],
  ["explore", [everything, nothing]],
  ["compaction", [everything, nothing]],
  ["title", [everything, nothing]],
  ["summary", [everything, nothing]],
]);

/** Rules before the user's own, by agent. */
export function defaultRules(agent: string, { agents }: Family): readonly PermissionRule[] {
  return agents.get(agent) ?? agents.get("") ?? [];
}

/**
 * The agent whose rules count: the one asked for, else the configured default, else `build`. One that does not exist
 * or is switched off falls back to `build` with a diagnostic, as the program does.
 */
export function chooseAgent(
  asked: string | null,
  settings: { readonly agents: Fields; readonly defaultAgent: unknown; readonly family: Family },
  diagnostics: Diagnostic[],
): string {
  const wanted = asked ?? (typeof settings.defaultAgent === "string" ? settings.defaultAgent : null);
  if (wanted === null) return "build";
  const own = settings.agents[wanted];
  const off = isFields(own) && own.disable === true;
  if (!off && (own !== undefined || (wanted !== "" && settings.family.agents.has(wanted)))) return wanted;
  const message = `The agent "${printable(wanted)}" ${off ? "is switched off" : "does not exist"}, so the rules of \`build\` hold.`;
  diagnostics.push(
    makeDiagnostic("config/unknown-value", {
      path: null,
      message,
      hint: `Name an agent that ${settings.family.program} knows here`,
    }),
  );
  return "build";
}
