import type { Environment } from "../environment.ts";
import type { FileSystem } from "../file-system.ts";
import type { Profile, VisibleSkill } from "../profile.ts";
import type { Skill } from "../snapshot.ts";
import type { SourceLoad } from "../tools/tool-source.ts";
import type { PermissionAction } from "../visibility/permission.ts";
import { type Lookup, lookUp } from "./find-name.ts";

export interface LoadSkillInput {
  readonly profile: Profile;
  readonly entries: readonly VisibleSkill[];
  readonly name: string;
  readonly arguments: string;
  readonly by: "model" | "user";
  /** The user was asked and said yes. */
  readonly approved: boolean;
  /** Null when the file can no longer be read. */
  readonly body: (skill: Skill) => string | null;
  /** Why there is no body, one sentence; absent or null = nothing more is known. */
  readonly missing?: (skill: Skill) => string | null;
  /** What changed beside SKILL.md since the user approved the skill; null = nothing (row H11). */
  readonly changed: (skill: Skill) => string | null;
  readonly fileSystem: FileSystem;
  readonly environment: Environment;
  readonly fileLimit: number;
  /** Outputs of commands in the text, by command; absent = commands stay text. */
  readonly commandOutputs?: ReadonlyMap<string, string>;
}

export interface LoadSkillResult extends SourceLoad {
  readonly files: readonly string[];
  readonly permission: PermissionAction;
}

/** Which skill a load gives, or the refusal. */
export type LoadGate =
  | { readonly kind: "open"; readonly entry: VisibleSkill }
  | { readonly kind: "refused"; readonly result: LoadSkillResult };

/**
 * Whether a load by name is let through. A model gets the same answer for what is denied, hidden or untrusted as for what
 * does not exist (row H09); a user is told the reason. `deny` holds for both. An `ask` that nobody approved is a refusal.
 */
export function gateLoad(
  input: Pick<LoadSkillInput, "profile" | "entries" | "name" | "by" | "approved" | "changed">,
): LoadGate {
  const { profile, entries, name, by } = input;
  // Everything here is done on every load, so nothing is done for all entries that only a miss needs.
  const seen = (entry: VisibleSkill): boolean =>
    by === "user" || entry.modelInvocable || isManual(entry) || isOnlyTied(entry);
  // Looked up among all: a name that is denied or switched off must not lead on to an alias or a near spelling.
  const own = profile.findSkill?.(name, by === "user" ? entries : entries.filter(seen));
  const lookup = own !== undefined ? own && foundEntry(own) : lookUp(profile, entries, name);
  const unknown = (): LoadGate => {
    const { denied, namedOnMiss } = profile.visibility;
    const all = denied === "list" && namedOnMiss !== "offered";
    const named = entries.filter((entry) => (all ? entry.hidden === null : entry.modelInvocable));
    const output = profile.unknown(
      name,
      named.map(({ skill }) => skill.name),
    );
    return { kind: "refused", result: { status: "unknown", name, output, files: [], permission: "deny" } };
  };
  if (lookup === null || lookup.kind !== "found") return unknown();
  const { entry } = lookup;
  if (!seen(entry)) return unknown();
  const refused = (status: LoadSkillResult["status"], output: string): LoadGate => ({
    kind: "refused",
    result: refusal(entry, status, output),
  });
  if (entry.permission === "deny" || entry.hidden !== null) {
    return by === "model"
      ? unknown()
      : refused("denied", entry.hidden?.message ?? `A permission rule denies "${entry.skill.name}".`);
  }
  if (by === "model" && isManual(entry)) {
    return refused(
      "manual-only",
      profile.manualOnly(entry.skill.name, entry.userInvocable) ??
        `"${entry.skill.name}" can only be called by the user.`,
    );
  }
  if (by === "model" && entry.permission === "ask" && !input.approved) {
    return refused(
      "ask",
      `The user has to allow "${entry.skill.name}" first, and nobody could be asked. Go on without it or tell the user.`,
    );
  }
  const pulled = entry.skill.root.scope === "remote";
  const change = by === "model" || pulled ? input.changed(entry.skill) : null;
  if (change !== null && pulled) {
    return refused(
      "denied",
      `"${entry.skill.name}" is no longer what was pulled (${change}), so it is not given. \`skillet pull\` fetches it again; until then go on without it.`,
    );
  }
  if (change !== null) {
    return refused(
      "ask",
      `"${entry.skill.name}" changed since the user trusted it (${change}). Ask the user to look at it and to run \`skillet trust\`; go on without it.`,
    );
  }
  return { kind: "open", entry };
}

/** What a load by name gives; `gateLoad` says who gets what. Features O14, M17, X13. */
export function loadSkill(input: LoadSkillInput): LoadSkillResult {
  const gate = gateLoad(input);
  if (gate.kind === "refused") return gate.result;
  const { entry } = gate;
  const body = input.body(entry.skill);
  if (body === null) {
    const { name, root } = entry.skill;
    const reason =
      input.missing?.(entry.skill) ??
      (root.scope === "mcp"
        ? `The text of "${name}" could not be fetched from its MCP server.`
        : `The file of "${name}" can no longer be read; the skill was removed or changed.`);
    const later = root.scope === "mcp" ? ", or try once more later" : "";
    return refusal(entry, "unreadable", `${reason} Go on without it${later}.`);
  }
  const { output, files } = input.profile.load({
    skill: entry.skill,
    body,
    requested: input.name,
    arguments: input.arguments,
    fileSystem: input.fileSystem,
    environment: input.environment,
    limit: input.fileLimit,
    ...(input.commandOutputs === undefined ? {} : { commandOutputs: input.commandOutputs }),
  });
  return { status: "loaded", name: entry.skill.name, output, files, permission: entry.permission };
}

function refusal(
  { skill, permission }: VisibleSkill,
  status: LoadSkillResult["status"],
  output: string,
): LoadSkillResult {
  return { status, name: skill.name, output, files: [], permission };
}

/** Known to a model only as something that the user may call. */
function isManual(entry: VisibleSkill): boolean {
  return (
    !entry.modelInvocable &&
    entry.hidden === null &&
    entry.trusted &&
    entry.decisions.some(({ reason }) => reason === "manual-only")
  );
}

/** Not in the model's list because no file in play matches; a load by name works all the same (case d-path-globs). */
function isOnlyTied(entry: VisibleSkill): boolean {
  const kept = entry.decisions.filter(({ outcome }) => outcome === "hidden").map(({ reason }) => reason);
  return kept.includes("paths") && kept.every((reason) => reason === "paths" || reason === "model-only");
}

function foundEntry(entry: VisibleSkill): Lookup {
  return { kind: "found", entry, loose: false };
}
