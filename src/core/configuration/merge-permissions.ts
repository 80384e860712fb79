import type { PermissionRule } from "../visibility/permission.ts";
import { rulesFromConfig } from "../visibility/permission-config.ts";
import type { Origins } from "./merge-values.ts";
import { note, type Settings } from "./read-settings.ts";
import { type PatternMemory, restrictRules } from "./restrict-rules.ts";

/** Settings by how far they may go. */
export interface LayeredSettings {
  /** The user's own file or the one of `--config`. */
  readonly own: readonly Settings[];
  /** Farthest folder first. */
  readonly project: readonly Settings[];
  readonly managed: readonly Settings[];
}

interface Permissions {
  readonly permission: readonly PermissionRule[];
  readonly agents: Readonly<Record<string, { readonly permission: readonly PermissionRule[] }>>;
}

/** Rules of one project file, agents' rules included, and agents in it: a project must not make work without end. */
const projectLimits = { rules: 250, agents: 25 };

const denyEverything: PermissionRule = { permission: "*", pattern: "*", action: "deny" };

/** What an agent has only where the user's or the administrator's rules allow it; a project's question would give it, too. */
const unlessAllowed: readonly PermissionRule[] = [{ permission: "fetch", pattern: "*", action: "deny" }];

interface LayerRules {
  readonly everyone: readonly PermissionRule[];
  readonly agents: ReadonlyMap<string, readonly PermissionRule[]>;
}

/**
 * Permission rules of all layers: defaults, the administrator's as weakest, the user's; then what the project makes
 * stricter; then what the administrator makes stricter (rows H03, H10). An agent's list is complete in itself and is
 * put after the general one.
 */
export function mergePermissions(
  layers: LayeredSettings,
  options: {
    readonly defaults: readonly PermissionRule[];
    /** Rules that one agent has behind the defaults. */
    readonly defaultAgents: Permissions["agents"];
    readonly home: string;
    /** Put behind everything. */
    readonly last: readonly PermissionRule[];
    readonly origin: Origins;
  },
): Permissions {
  const own = layers.own.map((settings) => rulesOf(settings, options.home));
  const project = layers.project.map((settings) => projectRules(settings, rulesOf(settings, options.home)));
  const managed = layers.managed.map((settings) => rulesOf(settings, options.home));

  const memory: PatternMemory = new Map();
  const merged = (agent: string | null): readonly PermissionRule[] => {
    const of = ({ everyone, agents }: LayerRules) => [
      ...everyone,
      ...(agent === null ? [] : (agents.get(agent) ?? [])),
    ];
    let rules: readonly PermissionRule[] = [
      ...options.defaults,
      ...(agent !== null && Object.hasOwn(options.defaultAgents, agent)
        ? (options.defaultAgents[agent]?.permission ?? [])
        : []),
      ...managed.flatMap(of),
      ...own.flatMap((layer) => layer.everyone),
      ...own.flatMap((layer) => (agent === null ? [] : (layer.agents.get(agent) ?? []))),
    ];
    for (const layer of [...project, ...managed])
      rules = restrictRules([...unlessAllowed, ...rules], of(layer), memory).slice(unlessAllowed.length);
    return [...rules, ...options.last];
  };

  for (const settings of [...layers.own, ...layers.project, ...layers.managed])
    for (const key of ["permission", "agent"])
      if (settings.values.has(key)) options.origin[key] = settings.file.layer;
  const agents: Record<string, { readonly permission: readonly PermissionRule[] }> = Object.create(null);
  for (const agent of Object.keys(options.defaultAgents)) agents[agent] = { permission: merged(agent) };
  for (const layer of [...own, ...project, ...managed])
    for (const agent of layer.agents.keys()) agents[agent] ??= { permission: merged(agent) };
  return { permission: merged(null), agents };
}

function rulesOf(settings: Settings, home: string): LayerRules {
  const agents = new Map<string, readonly PermissionRule[]>();
  const path = settings.file.layer.path;
  const read = (value: unknown) => {
    const { value: rules, diagnostics } = rulesFromConfig(value, { home, path });
    settings.diagnostics.push(...diagnostics.slice(0, 20));
    return rules;
  };
  const everyone = read(settings.values.get("permission"));
  const named = settings.values.get("agent");
  if (typeof named === "object" && named !== null)
    for (const [name, agent] of Object.entries(named))
      agents.set(name, read(permissionOf(settings, name, agent)));
  return { everyone, agents };
}

function permissionOf(settings: Settings, name: string, agent: unknown): unknown {
  if (typeof agent !== "object" || agent === null || Array.isArray(agent)) {
    note(settings, "config/wrong-type", {
      path: ["agent", name],
      message: "An agent's settings are an object.",
    });
    return undefined;
  }
  for (const key of Object.keys(agent))
    if (key !== "permission")
      note(settings, "config/unknown-key", {
        path: ["agent", name, key],
        key: true,
        message: "Only permission can be set for an agent.",
      });
  return "permission" in agent ? agent.permission : undefined;
}

/**
 * A project's `allow` can only be an exception from its own restrictions; one that grants more is said to be ignored
 * (it would have no effect anyway, because the project's rules only ever make things stricter).
 */
function projectRules(settings: Settings, rules: LayerRules): LayerRules {
  const count = [...rules.agents.values()].reduce((sum, list) => sum + list.length, rules.everyone.length);
  if (count > projectLimits.rules || rules.agents.size > projectLimits.agents) {
    note(settings, "config/too-many-rules", {
      path: ["permission"],
      message: `This project has more than ${projectLimits.rules} permission rules or rules for more than ${projectLimits.agents} agents, so everything is denied here.`,
    });
    return { everyone: [denyEverything], agents: new Map() };
  }
  const lists = [
    [["permission"], rules.everyone] as const,
    ...[...rules.agents].map(([name, list]) => [["agent", name, "permission"], list] as const),
  ];
  for (const [path, list] of lists) {
    const grant = list.find((rule, index) => rule.action === "allow" && isGrant(list.slice(0, index)));
    if (grant !== undefined)
      note(settings, "config/not-for-project", {
        path,
        message: "A project cannot allow what your own settings do not; this has no effect.",
      });
  }
  return rules;
}

function isGrant(before: readonly PermissionRule[]): boolean {
  return !before.some((rule) => rule.action !== "allow");
}

/**
 * What a file that is no valid JSON any more still forbids, as far as it could be read: a slip of the pen must not
 * open what was closed (row H06). `value` is the parser's best effort; only `deny` is taken from it.
 */
export function recoverDenials(value: unknown, home: string): readonly PermissionRule[] {
  if (typeof value !== "object" || value === null || !("permission" in value)) return [];
  return rulesFromConfig(value.permission, { home, path: null }).value.filter(
    ({ action }) => action === "deny",
  );
}
