import { plainExpansion, syntheticPart, userPart } from "../../activation/expand.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { silentGuidance } from "../../guidance/guidance.ts";
import type {
  Catalog,
  CatalogRequest,
  CommandTemplate,
  LoadOutput,
  LoadRequest,
  Preparation,
  PrepareContext,
  Profile,
  ReservedCommand,
  VisibleSkill,
} from "../../profile.ts";
import { catalogBudget, renderMinimaxCatalog } from "./catalog.ts";
import { slashCommands } from "./commands.ts";
import { locationUri, minimaxContest, minimaxOrder } from "./contest.ts";
import { createEntryGate } from "./entry-gate.ts";
import { kindOf } from "./kinds.ts";
import { selectorKey } from "./order.ts";
import { minimaxPlugins } from "./plugins.ts";
import { createMinimaxReader, minimaxYamlLimits } from "./reader.ts";
import { agentNames, minimaxRoots } from "./roots.ts";
import { dataFolderText, minimaxDataFolder, readMinimaxSettings } from "./settings.ts";
import { slashReminder } from "./slash.ts";

/** Commands of the program itself; an alias counts like a name. */
const builtinCommands: readonly ReservedCommand[] = [
  ["help", "Show help"],
  ["new", "Start a new session"],
  ["clear", "Start a new session"],
  ["sessions", "Open an earlier session"],
  ["resume", "Open an earlier session"],
  ["skills", "Show the skills"],
  ["review", "Review changes"],
  ["init", "Write AGENTS.md"],
  ["btw", "Ask on the side"],
  ["side", "Ask on the side"],
  ["exit", "Leave"],
  ["quit", "Leave"],
  ["q", "Leave"],
].map(([name = "", description = ""]) => ({ name, source: "builtin", description }));

function prepare(context: PrepareContext): Preparation {
  const { environment, fileSystem, agent } = context;
  const diagnostics: Diagnostic[] = [];
  const dataFolder = minimaxDataFolder(environment);
  const settings = readMinimaxSettings(context, dataFolder, diagnostics);
  const agents = agentNames(agent.name, agent.compatibleNames ?? []);
  const plan = minimaxRoots({ environment, fileSystem, dataFolder, settings, agents });
  const plugins = minimaxPlugins(context, dataFolder, diagnostics);
  return {
    roots: [...plan.roots, ...plugins.roots],
    embedded: [],
    decisions: [...plan.decisions, ...plugins.decisions],
    permission: [{ permission: "*", pattern: "*", action: "allow" }],
    commands: builtinCommands,
    diagnostics,
    reader: createMinimaxReader(dataFolderText(environment)),
    gate: createEntryGate(agent, settings),
  };
}

function catalog({ skills, window, budget, counter }: CatalogRequest): Catalog {
  const listed = skills.map(({ skill }) => ({
    name: skill.name,
    description: skill.description ?? "",
    builtin: kindOf(skill.root) === "builtin",
  }));
  const limit = budget ?? catalogBudget(window);
  const { text, tokens, hardOverflow, softOverflow, rows } = renderMinimaxCatalog(listed, {
    budget: limit,
    counter,
  });
  return {
    text: text === "" ? null : text,
    tokens,
    budget: limit,
    overflow: hardOverflow ? "omitted" : softOverflow ? "shortened" : "none",
    skills: rows.map(({ skill, shown, total, tokens: cost }) => ({
      name: skill.name,
      state: shown === null ? "omitted" : shown >= total ? "full" : shown === 0 ? "name-only" : "shortened",
      tokens: cost,
      reason: reasonOf(shown, { total, limit, over: hardOverflow || softOverflow }),
    })),
  };
}

function reasonOf(
  shown: number | null,
  { total, limit, over }: { readonly total: number; readonly limit: number; readonly over: boolean },
): string | null {
  if (shown === null) return `Not listed because not every name fits into ${limit} tokens.`;
  if (shown >= total) return null;
  if (!over) return `Cut from ${total} to ${shown} characters, the most that one description shows.`;
  return shown === 0
    ? `Only the name is listed because the catalog is limited to ${limit} tokens.`
    : `Cut from ${total} to ${shown} characters because the catalog is limited to ${limit} tokens.`;
}

function load({ skill, body, requested }: LoadRequest): LoadOutput {
  const heading = requested === undefined || requested.trim() === "" ? skill.name : requested.trim();
  return { output: `# Skill: ${heading}\nLocation: ${locationUri(skill)}\n\n${body}`, files: [] };
}

function unknown(name: string): string {
  return `Local skill not found: ${name.trim() === "" ? "unknown-skill" : name.trim()}`;
}

/** A standalone skill by its exact name, else a plugin's by its name without case and blanks (feature X13). */
function findSkill(name: string, entries: readonly VisibleSkill[]): VisibleSkill | null {
  const exact = name.trim();
  const key = selectorKey(name);
  const isPlugin = ({ skill }: VisibleSkill): boolean => kindOf(skill.root) === "plugin";
  return (
    entries.find((entry) => !isPlugin(entry) && entry.skill.name === exact) ??
    entries.find((entry) => isPlugin(entry) && selectorKey(entry.skill.name) === key) ??
    null
  );
}

function commands(
  skills: readonly VisibleSkill[],
  reserved: readonly ReservedCommand[],
): readonly CommandTemplate[] {
  const offered = skills
    .filter(({ hidden }) => hidden === null)
    .map(({ skill, enabled }) => ({ name: skill.name, description: skill.description, enabled }));
  return slashCommands(offered, reserved).map(({ name, description, usage, template, skill }) => ({
    name,
    aliases: [],
    description,
    usage,
    template,
    argumentHint: "[instructions]",
    source: "skill",
    skill,
  }));
}

/** MiniMax Code's skill system as the seed describes it (features X1–X19; seed 003). */
export const minimaxProfile: Profile = {
  id: "minimax",
  version: null,
  title: "MiniMax Code",
  notes: [
    "Names, descriptions and bodies go into the prompt as they are: a skill can pose as part of the frame around it.",
    "Precedence is decided before any filter: a winner that is switched off or filtered takes its name with it.",
  ],
  reader: createMinimaxReader(null),
  readLimits: { frontmatterBytes: Number.POSITIVE_INFINITY, ...minimaxYamlLimits },
  fileLimit: 16 * 1024 * 1024,
  visibility: {
    trust: false,
    manualOnly: false,
    userInvocable: false,
    paths: false,
    requires: false,
    state: true,
    denied: "nowhere",
    undescribed: "catalog",
  },
  identity: "per-root",
  folderName: "real",
  stateBy: "real-path",
  switchByName: "only-copy",
  tokens: "o200k_base",
  scanCodes: {
    rootUnreadable: "root_unreadable",
    linkToFile: "skill_directory_link_not_directory",
    linkBroken: "skill_directory_link_unreadable",
    linkOutside: "skill_outside_root",
    fileLink: "skill_symlink_rejected",
    fileUnreadable: "skill_file_unreadable",
    notAFile: "skill_file_not_file",
    changed: "skill_changed_during_read",
  },
  looseNames: false,
  findSkill,
  searchNote: "MiniMax Code has no search of its own; this is Skillet's.",
  prepare,
  nameKey: (name) => name,
  contest: minimaxContest,
  listOrder: minimaxOrder,
  catalog,
  guidance: silentGuidance({ changes: "section", place: "last" }),
  load,
  unknown,
  manualOnly: () => null,
  commands,
  command: ({ skill, arguments: text }) => (text === "" ? `/${skill.name}` : `/${skill.name} ${text}`),
  expand: ({ message, entries }) => {
    const names = entries.filter(({ modelInvocable }) => modelInvocable).map(({ skill }) => skill.name);
    const reminder = slashReminder([message], names);
    if (reminder === null) return plainExpansion(message);
    return {
      visibleText: message,
      parts: [syntheticPart("reminder", reminder.text), userPart(message)],
      mentioned: [reminder.name],
      injected: [],
      diagnostics: [],
    };
  },
};
