export { catalogBudget, type MinimaxCatalog, renderMinimaxCatalog } from "./catalog.ts";
export { type BuiltinCommand, type CommandSkill, type SlashCommand, slashCommands } from "./commands.ts";
export { shippedBetaFlags } from "./gate-table.ts";
export { builtinGate, enabledBuiltins, type GateFacts } from "./gates.ts";
export { type PanelSkill, type SkillsPanel, skillsPanel } from "./panel.ts";
export { type PluginSkillRead, type PluginSkillRules, readPluginSkill } from "./plugin-skill.ts";
export { minimaxProfile } from "./profile.ts";
export { minimaxYamlLimits, readMinimaxSkill } from "./reader.ts";
export { type SlashReminder, slashReminder } from "./slash.ts";
