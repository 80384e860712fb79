import { SkilletError } from "../error.ts";
import type { Profile } from "../profile.ts";
import { closestNames } from "../text/closest-names.ts";
import { mimoProfile } from "./mimo/profile.ts";
import { minimaxProfile } from "./minimax/index.ts";
import { openCodeProfiles } from "./opencode/index.ts";
import { skilletProfile } from "./skillet/profile.ts";
import { unmirroredAgents } from "./unmirrored.ts";

export { attachmentSkills } from "./mimo/attachments.ts";
export { mimoCatalogText } from "./mimo/catalog.ts";
export { renderMimoContent } from "./mimo/content.ts";
export { findMimoMentions } from "./mimo/mentions.ts";
export { searchMimo } from "./mimo/search.ts";
export { isStoredCatalog, withoutStoredCatalogs } from "./mimo/stored-catalog.ts";
export { tokenizeMimo } from "./mimo/tokenize.ts";
export {
  type BuiltinCommand,
  buildExclusions,
  builtFingerprints,
  builtinGate,
  type CommandSkill,
  catalogBudget,
  combinedFingerprint,
  enabledBuiltins,
  type GateFacts,
  type MinimaxCatalog,
  minimaxYamlLimits,
  type PanelSkill,
  type PluginSkillRead,
  type PluginSkillRules,
  readMinimaxSkill,
  readPluginSkill,
  renderMinimaxCatalog,
  type SeededFile,
  type SkillsPanel,
  type SlashCommand,
  type SlashReminder,
  shippedBetaFlags,
  skillFingerprint,
  skillsPanel,
  slashCommands,
  slashReminder,
} from "./minimax/index.ts";
export { type AgentFolder, agentFolder, agentsWithFolders } from "./skillet/agent-folder.ts";
export { knownSkillFolders, workspaceLevels } from "./skillet/roots.ts";

/** Every profile, the default first. */
export const profiles: readonly Profile[] = [
  skilletProfile,
  ...openCodeProfiles,
  mimoProfile,
  minimaxProfile,
];

/** `ID` or `ID@VERSION`. Throws `SkilletError` "usage" for one that does not exist. */
export function profileNamed(name: string): Profile {
  const found = profiles.find((profile) => profileId(profile) === name);
  if (found !== undefined) return found;
  const known = profiles.map(profileId);
  if (unmirroredAgents.has(name.toLowerCase()))
    throw new SkilletError(
      "usage",
      `There is no profile "${name}": its folders are read by the default profile, its own rules are not mirrored yet.`,
      { hint: `Leave --as out. Known profiles: ${known.join(", ")}` },
    );
  const [near] = closestNames(name, known, 1);
  throw new SkilletError("usage", `There is no profile "${name}".`, {
    hint:
      near === undefined
        ? `Known profiles: ${known.join(", ")}`
        : `Did you mean ${near}? Known profiles: ${known.join(", ")}`,
  });
}

export function profileId(profile: Profile): string {
  return profile.version === null ? profile.id : `${profile.id}@${profile.version}`;
}
