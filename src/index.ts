export type { Activation, Activator } from "./core/activation/activation-ledger.ts";
export type { CommandPolicy } from "./core/activation/command-policy.ts";
export type { DynamicCommand } from "./core/activation/dynamic-commands.ts";
export type {
  AttachedFile,
  Expansion,
  GivenSkill,
  MessagePart,
  PartOrigin,
  SkillUse,
} from "./core/activation/expand.ts";
export type { Lookup } from "./core/activation/find-name.ts";
export type { RestoredSkill, RestoreLimits, RestorePlan } from "./core/activation/restore-plan.ts";
export type { SkillFile } from "./core/activation/skill-file.ts";
export {
  createSkillTools,
  type SkillPermissionRequest,
  type SkillTools,
  type SkillToolsPort,
} from "./core/activation/skill-tools.ts";
export { byteCounter, type TokenCounter } from "./core/catalog/token-counter.ts";
export type { Configuration } from "./core/configuration.ts";
export type { Decision, Outcome, Stage } from "./core/decision.ts";
export type { Diagnostic, Severity, TextRange } from "./core/diagnostic.ts";
export {
  type ChangedPart,
  type ChangedSkill,
  differenceBetween,
  type NewlyShadowed,
  type RemovedSkill,
  type SeenSkill,
  type SkillsDifference,
  type SkillsView,
  type WinnerChange,
} from "./core/discovery/difference.ts";
export type { Root, Scope } from "./core/discovery/root.ts";
export type { Environment } from "./core/environment.ts";
export { SkilletError, type SkilletErrorCode } from "./core/error.ts";
export type { Explanation, Verdict } from "./core/explain/explanation.ts";
export { type FrozenPrefix, frozenPrefix, type PrefixKey } from "./core/guidance/frozen-prefix.ts";
export {
  type Guidance,
  type GuidanceEntry,
  type GuidanceInput,
  type GuidanceState,
  nextGuidance,
} from "./core/guidance/guidance.ts";
export { readGuidanceState } from "./core/guidance/read-guidance-state.ts";
export { type PromptLayers, systemPromptLayers } from "./core/guidance/system-prompt.ts";
export type {
  AgentFacts,
  Catalog,
  CatalogEntry,
  CatalogState,
  CommandTemplate,
  Profile,
  VisibleSkill,
} from "./core/profile.ts";
export {
  attachmentSkills,
  type BuiltinCommand,
  buildExclusions,
  builtinGate,
  type CommandSkill,
  catalogBudget,
  enabledBuiltins,
  findMimoMentions,
  type GateFacts,
  isStoredCatalog,
  type MinimaxCatalog,
  mimoCatalogText,
  minimaxYamlLimits,
  type PanelSkill,
  type PluginSkillRead,
  type PluginSkillRules,
  profileId,
  profileNamed,
  profiles,
  readMinimaxSkill,
  readPluginSkill,
  renderMimoContent,
  renderMinimaxCatalog,
  type SkillsPanel,
  type SlashCommand,
  type SlashReminder,
  searchMimo,
  shippedBetaFlags,
  skillsPanel,
  slashCommands,
  slashReminder,
  tokenizeMimo,
  withoutStoredCatalogs,
} from "./core/profiles/index.ts";
export {
  createSearchIndex,
  type IndexOptions,
  type SearchDocument,
  type SearchIndex,
  type SearchOptions,
  type SearchResult,
} from "./core/search/search-index.ts";
export {
  type Embedder,
  type EmbeddingPrefixes,
  type EmbedOptions,
  type FusedResult,
  fuseMeaning,
  type Similar,
} from "./core/search/semantic.ts";
export type { SkillDocument } from "./core/skill/document.ts";
export type { ShadowedSkill, Skill, SkippedPath, Snapshot } from "./core/snapshot.ts";
export type { Allow } from "./core/tools/skill-tool.ts";
export { callSkillTool, type SkillToolOptions, skillTools } from "./core/tools/skill-tool-set.ts";
export type {
  InputField,
  InputSchema,
  SkillTool,
  SkillToolName,
  ToolCallOptions,
  ToolResult,
  ToolStatus,
} from "./core/tools/tool.ts";
export type { SourceFile, SourceLoad, SourceOptions, ToolSource } from "./core/tools/tool-source.ts";
export {
  type Approvals,
  ask,
  askNobody,
  noApprovals,
  type PendingAsk,
  type Reply,
  reply,
  type Settled,
} from "./core/visibility/approvals.ts";
export {
  evaluate,
  isDisabled,
  type PermissionAction,
  type PermissionRule,
} from "./core/visibility/permission.ts";
export { matchWildcard } from "./core/visibility/wildcard.ts";
export { approvalFolder, approveAlways } from "./host/approve-always.ts";
export { o200kCounter } from "./host/o200k-counter.ts";
export { openSkills } from "./host/open-skills.ts";
export {
  type PlacedSkill,
  type PlaceOperations,
  type PlaceSkillRequest,
  placeSkill,
} from "./host/place-skill.ts";
export {
  connectPostgres,
  createPostgresSearch,
  type PostgresClient,
  type PostgresSearch,
} from "./host/postgres/postgres-search.ts";
export { type SeedRequest, type SeedResult, seedSkills } from "./host/seed-skills.ts";
export { cachedEmbedder } from "./host/semantic/embedding-cache.ts";
export {
  type EmbeddingFolder,
  type FolderEmbedder,
  onnxEmbedder,
} from "./host/semantic/onnx/onnx-embedder.ts";
export { type EmbeddingAddress, openaiEmbedder } from "./host/semantic/openai-embedder.ts";
export {
  createSemanticSearch,
  type SemanticSearch,
  type SemanticSearchRequest,
} from "./host/semantic/semantic-search.ts";
export type { ReadVerdict } from "./host/session/may-read.ts";
export { openSession } from "./host/session/open-session.ts";
export type { CommandRun } from "./host/session/run-command.ts";
export type {
  CommandRequest,
  Session,
  SessionLoad,
  SessionLoadOptions,
  SessionOptions,
  SessionRecord,
  SessionStart,
} from "./host/session/session.ts";
export type {
  ExpandOptions,
  GuidanceOptions,
  Loaded,
  LoadedFile,
  LoadFileOptions,
  LoadOptions,
  OpenOptions,
  SearchHit,
  Skills,
} from "./host/skills.ts";
export { createSkillsRegistry, type SkillsRegistry } from "./host/skills-registry.ts";
export type { ChangeListener, SkillsChange } from "./host/watch/live-state.ts";
export type { WatchOptions } from "./host/watch/skills-watcher.ts";
export type { FolderHandle, FolderListener, Stamp, WatchSystem } from "./host/watch/watch-system.ts";
export { type PullSkillsOptions, pullSkills } from "./remote/pull/pull-skills.ts";
export type { PullResult } from "./remote/pull/pull-sources.ts";
export type {
  PullAction,
  PullChange,
  PullOutcome,
  PullProgress,
  PullStatus,
} from "./remote/pull/pull-types.ts";
export { version } from "./version.ts";
