import { defaultLimits } from "../../configuration.ts";
import type { Preparation, PrepareContext, Profile } from "../../profile.ts";
import { lenientReader } from "../../skill/lenient-reader.ts";
import type { Skill } from "../../snapshot.ts";
import { closestNames } from "../../text/closest-names.ts";
import { printable } from "../../text/printable.ts";
import { agentStart } from "./agent-file.ts";
import { skilletCatalog } from "./catalog.ts";
import { skillCommands } from "./commands.ts";
import { firstWins } from "./contest.ts";
import { skilletExpansion } from "./expansion.ts";
import { skilletGuidance } from "./guidance.ts";
import { loadOutput, repeatedLoad, withArguments } from "./load.ts";
import { skilletPacks } from "./packs.ts";
import { skilletRemote } from "./remote.ts";
import { reviewWinners } from "./review.ts";
import { skilletRoots } from "./roots.ts";

/** Our own rules: the union of what the mirrored systems can do, under our own names. */
export const skilletProfile: Profile = {
  id: "skillet",
  version: null,
  title: "Skillet",
  notes: [],
  reader: lenientReader,
  readLimits: {
    frontmatterBytes: defaultLimits.frontmatterBytes,
    depth: defaultLimits.yamlDepth,
    keys: defaultLimits.yamlKeys,
    aliases: 0,
  },
  fileLimit: defaultLimits.skillBytes,
  visibility: {
    trust: true,
    manualOnly: true,
    userInvocable: true,
    paths: true,
    requires: true,
    state: true,
    reveal: true,
    spellings: true,
    denied: "nowhere",
    undescribed: "catalog",
  },
  identity: "real-path",
  packs: skilletPacks,
  mcpSources: true,
  looseNames: true,
  prepare,
  nameKey: composed,
  contest: firstWins,
  review: reviewWinners,
  listOrder: byName,
  catalog: skilletCatalog,
  load: loadOutput,
  unknown: unknownText,
  departed: (name, why) => `The skill "${name}" is no longer there. ${why} Go on without it.`,
  manualOnly: (name, command) =>
    command
      ? `The skill "${name}" may only be started by the user. Tell the user that it exists and that typing /${name} starts it.`
      : `The skill "${name}" is neither for models nor a slash command, by its own frontmatter. Go on without it.`,
  commands: skillCommands,
  command: withArguments,
  dynamic: true,
  repeated: repeatedLoad,
  guidance: skilletGuidance,
  expand: skilletExpansion,
};

function prepare(context: PrepareContext): Preparation {
  const { configuration, agent } = context;
  const own = agent.name === null ? undefined : configuration.agents[agent.name];
  const remote = skilletRemote(context);
  const { roots, decisions } = skilletRoots(context, remote.pulled.roots);
  const { start, diagnostics } = agentStart(context);
  return {
    roots,
    embedded: [...(context.packs?.embedded ?? []), ...(context.mcp?.embedded ?? [])],
    decisions: [
      ...decisions,
      ...(context.packs?.decisions ?? []),
      ...remote.decisions,
      ...(context.mcp?.decisions ?? []),
    ],
    permission:
      own === undefined ? configuration.permission : [...configuration.permission, ...own.permission],
    limits: {
      fileBytes: configuration.limits.skillBytes,
      read: {
        frontmatterBytes: configuration.limits.frontmatterBytes,
        depth: configuration.limits.yamlDepth,
        keys: configuration.limits.yamlKeys,
        aliases: 0,
      },
    },
    commands: configuration.reservedCommands.map((name) => ({ name, source: "config", description: "" })),
    start,
    diagnostics: [
      ...(context.packs?.diagnostics ?? []),
      ...diagnostics,
      ...remote.diagnostics,
      ...(context.mcp?.diagnostics ?? []),
    ],
    gate: remote.gate,
    remote: remote.plan,
    changed: remote.changed,
  };
}

/** In NFC. Most names are plain words, which need no look into the tables of Unicode. */
function composed(name: string): string {
  return /^[a-z0-9-]*$/.test(name) ? name : name.normalize("NFC");
}

/** Code-unit order of names, the same on every machine. */
function byName(skills: readonly Skill[]): readonly Skill[] {
  // One root is walked in this order; ten thousand names are sooner looked through than sorted.
  return isInOrder(skills)
    ? skills
    : [...skills].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.index - b.index));
}

function isInOrder(skills: readonly Skill[]): boolean {
  let last = "";
  for (let index = 0; index < skills.length; index++) {
    const { name } = skills[index] as Skill;
    if (name <= last) return false;
    last = name;
  }
  return true;
}

/** Names shown in full; more are counted. */
const namedAtMost = 30;

function unknownText(name: string, names: readonly string[]): string {
  const shown = names.slice(0, namedAtMost).join(", ");
  const rest = names.length - namedAtMost;
  const list =
    names.length === 0
      ? "No skills are available."
      : `Available skills: ${shown}${rest > 0 ? ` and ${rest} more; use skill_search to find one` : ""}.`;
  const near = closestNames(name, names);
  const hint = near.length === 0 ? "" : `Did you mean ${near.join(" or ")}? `;
  return `There is no skill named "${printable(name)}". ${hint}${list}`;
}
