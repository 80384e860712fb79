import type { Decision } from "../../decision.ts";
import type { Root, ScanRules } from "../../discovery/root.ts";
import { type Environment, variable } from "../../environment.ts";
import type { FileSystem } from "../../file-system.ts";
import { ancestors, join, normalize, resolve } from "../../path.ts";
import { kindOf, type Source, scopeOf } from "./kinds.ts";
import { type ExternalSource, externalSources, type MinimaxSettings } from "./settings.ts";

export interface RootPlan {
  readonly roots: readonly Root[];
  /** Sources that the settings switch off. */
  readonly decisions: readonly Decision[];
}

/** What the list of roots depends on. */
export interface RootFacts {
  readonly environment: Environment;
  readonly fileSystem: FileSystem;
  readonly dataFolder: string;
  readonly settings: MinimaxSettings;
  /** The agent's own name first, then names that it had before. */
  readonly agents: readonly string[];
}

const folders: Readonly<Record<ExternalSource, string>> = {
  "workspace-minimax": ".minimax/skills",
  "workspace-cc": ".claude/skills",
  "workspace-agents": ".agents/skills",
  "user-cc": ".claude/skills",
  "user-codex": ".codex/skills",
  "user-agents": ".agents/skills",
};

/** One level deep, hidden folders too, a link on SKILL.md never (features X1, X3; spec minimax 1.4, 1.5). */
const scanned: ScanRules = {
  depth: 1,
  rootIsSkill: false,
  nested: "stop",
  hidden: true,
  ignore: new Set<string>(),
  flat: "none",
  order: "names",
  fileName: "exact",
  visit: "ancestors",
  links: { root: "follow", folderInside: "follow", folderOutside: "follow", file: "refuse" },
  recheck: true,
};

const workspaceScan: ScanRules = {
  ...scanned,
  links: { ...scanned.links, folderOutside: "refuse", boundary: "as-written" },
};

/** The agent that is meant when nobody names one. */
const defaultAgent = "mavis";

/** Trimmed, without repetitions; a blank name is the default agent. */
export function agentNames(name: string | null, compatible: readonly string[]): readonly string[] {
  const own = name === null || name.trim() === "" ? defaultAgent : name.trim();
  const others = compatible.map((one) => one.trim()).filter((one) => one !== "");
  return [...new Set([own, ...others])];
}

/** The eleven sources in MiniMax Code's order (feature X1; spec minimax 1.1, 1.2; golden `minimax.precedence`). */
export function minimaxRoots(facts: RootFacts): RootPlan {
  const { environment, dataFolder, settings, agents } = facts;
  const { home, cwd } = environment;
  const [own = defaultAgent] = agents;
  const places: Place[] = [];
  const decisions: Decision[] = [];
  const levels = workspaceLevels(facts);
  levels.forEach((level, index) => {
    for (const source of externalSources.filter((name) => name.startsWith("workspace-"))) {
      const path = join(level, folders[source]);
      const bonus = (levels.length - index) / 1_000;
      places.push({ source, path, priority: settings.sources[source].priority + bonus, level: index });
    }
  });
  for (const source of externalSources.filter((name) => name.startsWith("user-")))
    places.push({ source, path: join(home, folders[source]), priority: settings.sources[source].priority });
  agents.forEach((agent, index) => {
    const source = index === 0 ? "agent" : "agent-compatible";
    const path = join(dataFolder, "agents", agent, "skills");
    places.push({ source, path, priority: index === 0 ? 100 : 90, agent });
  });
  places.push({ source: "global", path: join(dataFolder, "skills"), priority: null });
  const seeded = settings.builtinSkillsDir ?? ".builtin-skills";
  places.push({ source: "builtin-seeded", path: resolve(dataFolder, seeded), priority: 20 });
  for (const folder of builtinFolders(
    environment,
    "AGENTS",
    join(cwd, "packages/local-runtime-v2/assets/agents"),
  )) {
    const path = join(folder, own, "skills");
    places.push({ source: "builtin-agent", path, priority: 10, agent: own, folder });
  }
  for (const path of builtinFolders(environment, "SKILLS", join(cwd, "packages/local-runtime/assets/skills")))
    places.push({ source: "builtin-global", path, priority: null });

  const roots = places.flatMap((place): readonly Root[] => {
    const off = whyOff(place.source, settings);
    if (off === null) return [rootOf(place)];
    decisions.push({ stage: "root", outcome: "off", reason: "setting", path: place.path, message: off });
    return [];
  });
  return { roots: unique(roots), decisions };
}

interface Place {
  readonly source: Source;
  readonly path: string;
  readonly priority: number | null;
  readonly level?: number;
  readonly agent?: string;
  /** Folder of built-in agents that it was found in. */
  readonly folder?: string;
}

function whyOff(source: Source, { enabled, sources }: MinimaxSettings): string | null {
  if (!Object.hasOwn(sources, source)) return null;
  if (!enabled) return "`skills.external.enabled` in config.yaml is false.";
  return sources[source as ExternalSource].enabled
    ? null
    : `\`skills.external.sources.${source}.enabled\` in config.yaml is false.`;
}

function rootOf({ source, path, priority, level, agent, folder }: Place): Root {
  const kind = kindOf({ source });
  return {
    id: idOf(source, { path, agent, folder }),
    path,
    scope: scopeOf(source),
    source,
    brand: null,
    level: level ?? null,
    priority,
    needsTrust: false,
    boundary: null,
    bundled: kind === "builtin",
    scan: kind === "workspace" ? workspaceScan : scanned,
    note: null,
    expected: false,
  };
}

function idOf(
  source: Source,
  {
    path,
    agent,
    folder,
  }: { readonly path: string; readonly agent: string | undefined; readonly folder: string | undefined },
): string {
  if (source === "agent" || source === "agent-compatible") return `agent-user:${agent}`;
  if (source === "global") return "user-global";
  if (source === "builtin-agent") return `builtin-agent:${agent}:${folder}`;
  return kindOf({ source }) === "builtin" ? `${source}:${path}` : `external:${source}:${path}`;
}

/**
 * Workspace folders, nearest first: up to the first one with `.git`; the working folder alone when there is none above,
 * or `walkUp` is off.
 */
function workspaceLevels({ environment, fileSystem, settings }: RootFacts): readonly string[] {
  const start = workspaceOf(environment, fileSystem);
  if (!settings.walkUp) return [start];
  const above = ancestors(start);
  const top = above.findIndex((folder) => {
    const { kind } = fileSystem.status(join(folder, ".git"), { follow: true });
    return kind !== "absent" && kind !== "failure";
  });
  return top < 0 ? [start] : above.slice(0, top + 1);
}

/** A process sees its own working folder by its real path, whatever path the shell went by. */
function workspaceOf(environment: Environment, fileSystem: FileSystem): string {
  const { cwd } = environment;
  if (environment.variables.PWD !== cwd) return normalize(cwd);
  const real = fileSystem.realPath(cwd);
  return real.kind === "path" ? real.path : cwd;
}

/** Candidates for the product's own assets: the variable, then the source tree's place. */
function builtinFolders(
  environment: Environment,
  what: "AGENTS" | "SKILLS",
  inTree: string,
): readonly string[] {
  const name = `BUILTIN_${what}_DIR`;
  const given = variable(environment, `MINIMAX_${name}`) ?? variable(environment, `MAVIS_${name}`);
  return given === null ? [inTree] : [resolve(environment.cwd, given), inTree];
}

/** One kind, place and agent once, the first kept. */
function unique(roots: readonly Root[]): readonly Root[] {
  const seen = new Set<string>();
  return roots.filter((root) => {
    const key = `${kindOf(root)}\0${root.path}`;
    return !seen.has(key) && seen.add(key);
  });
}
