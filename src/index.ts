export type { Lookup } from "./core/activation/find-name.ts";
export { byteCounter, type TokenCounter } from "./core/catalog/token-counter.ts";
export type { Configuration } from "./core/configuration.ts";
export type { Decision, Outcome, Stage } from "./core/decision.ts";
export type { Diagnostic, Severity, TextRange } from "./core/diagnostic.ts";
export type { Root, Scope } from "./core/discovery/root.ts";
export type { Environment } from "./core/environment.ts";
export { SkilletError, type SkilletErrorCode } from "./core/error.ts";
export type { Explanation, Verdict } from "./core/explain/explanation.ts";
export type {
  AgentFacts,
  Catalog,
  CatalogEntry,
  CatalogState,
  CommandTemplate,
  Profile,
  VisibleSkill,
} from "./core/profile.ts";
export { profileId, profileNamed, profiles } from "./core/profiles/index.ts";
export type { SkillDocument } from "./core/skill/document.ts";
export type { ShadowedSkill, Skill, SkippedPath, Snapshot } from "./core/snapshot.ts";
export {
  evaluate,
  isDisabled,
  type PermissionAction,
  type PermissionRule,
} from "./core/visibility/permission.ts";
export { matchWildcard } from "./core/visibility/wildcard.ts";
export { openSkills } from "./host/open-skills.ts";
export {
  type PlacedSkill,
  type PlaceOperations,
  type PlaceSkillRequest,
  placeSkill,
} from "./host/place-skill.ts";
export type { Loaded, LoadOptions, OpenOptions, SearchHit, SkillFile, Skills } from "./host/skills.ts";
export { version } from "./version.ts";
