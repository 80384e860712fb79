import type { ExpandRequest, Expansion } from "./activation/expand.ts";
import type { CatalogReason, CatalogState } from "./catalog/render-catalog.ts";
import type { TokenCounter } from "./catalog/token-counter.ts";
import type { Configuration } from "./configuration.ts";
import type { Decision } from "./decision.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { Root } from "./discovery/root.ts";
import type { Environment } from "./environment.ts";
import type { FileSystem, TextCodec } from "./file-system.ts";
import type { GuidanceRules } from "./guidance/guidance.ts";
import type { PackPolicy } from "./packs/pack-policy.ts";
import type { ProvidedPacks } from "./packs/provided-packs.ts";
import type { RemotePlan } from "./remote/remote-source.ts";
import type { ReadLimits, SkillDocument, SkillReader } from "./skill/document.ts";
import type { Skill, Snapshot } from "./snapshot.ts";
import type { PermissionAction, PermissionRule } from "./visibility/permission.ts";

export type { CatalogReason, CatalogState } from "./catalog/render-catalog.ts";
export type { TokenCounter } from "./catalog/token-counter.ts";

/** What the agent around the skills is; facts that gates and rules ask for. */
export interface AgentFacts {
  /** Null = the profile's default agent. */
  readonly name: string | null;
  readonly tools: readonly string[] | null;
  readonly features: readonly string[];
  readonly host: "cli" | "desktop";
  readonly region: string | null;
  readonly mcpServers: readonly string[];
  /** Skills that the agent chose by name; absent or null = it did not choose. */
  readonly skills?: readonly string[] | null;
  /** Names that the agent had before. */
  readonly compatibleNames?: readonly string[];
}

export interface PrepareContext {
  readonly environment: Environment;
  readonly fileSystem: FileSystem;
  readonly codec: TextCodec;
  /** Skillet's own settings; profiles that mirror another system read that system's files instead. */
  readonly configuration: Configuration;
  readonly agent: AgentFacts;
  /** The profile's own skills, made ready; absent = it has none. */
  readonly packs?: ProvidedPacks;
  /** Skills that MCP servers listed; absent = none. */
  readonly mcp?: {
    readonly embedded: readonly EmbeddedSkill[];
    readonly decisions: readonly Decision[];
    readonly diagnostics: readonly Diagnostic[];
  };
  /** Every project counts as trusted (`--trust`). */
  readonly trust: boolean;
}

/** A skill that exists only in memory. */
export interface EmbeddedSkill {
  readonly name: string;
  readonly description: string | null;
  /** Null: it is fetched when it is needed. */
  readonly body: string | null;
  readonly location: string;
  /** Everything else that its frontmatter says; absent = nothing. */
  readonly document?: SkillDocument;
  /** Before every skill on disk (default) or after them. */
  readonly place?: "first" | "last";
  /** Where it comes from; absent = it is built in. */
  readonly root?: Root;
  /** `sha256:…` of what it is known by; needed where there is no body. */
  readonly digest?: string;
}

/** A name that a skill's slash command may not take, and who has it. */
export interface ReservedCommand {
  readonly name: string;
  readonly source: "builtin" | "config" | "mcp";
  readonly description: string;
  /** Its text, where the configuration gives one. */
  readonly template?: string;
}

/** Limits of one run. */
export interface PreparedLimits {
  readonly read: ReadLimits;
  /** Bytes of one SKILL.md. */
  readonly fileBytes: number;
}

/** Everything that a profile derives from environment and configuration before the disk is searched for skills. */
export interface Preparation {
  /** In scan order. */
  readonly roots: readonly Root[];
  /** Registered before the scan; they take the first places. */
  readonly embedded: readonly EmbeddedSkill[];
  /** Roots and sources that are switched off, and why. */
  readonly decisions: readonly Decision[];
  /** Rules of this agent, in order; the last match wins. */
  readonly permission: readonly PermissionRule[];
  readonly commands: readonly ReservedCommand[];
  /** Skills whose text a session of this agent begins with, and the file that says so; absent or null = none. */
  readonly start?: { readonly path: string; readonly skills: readonly string[] } | null;
  /** Limits that configuration changed; left out = the profile's own. */
  readonly limits?: PreparedLimits;
  /** Reads this run's files in place of the profile's own reader. */
  readonly reader?: SkillReader;
  /** Why a winner is not offered in this run; null = nothing keeps it back. */
  readonly gate?: (
    skill: Skill,
    snapshot: Snapshot,
  ) => { readonly reason: string; readonly message: string } | null;
  readonly diagnostics: readonly Diagnostic[];
  /** Where skills are pulled from and kept; absent = the agent has no such thing. */
  readonly remote?: RemotePlan;
  /** What changed in a skill's folder since it was pulled, for a load; absent or null = nothing. */
  readonly changed?: (skill: Skill) => string | null;
}

/** A mirrored system's own codes, kept as `profileCode` of the diagnostics. */
export interface ScanCodes {
  /** A root that is missing or cannot be listed; it warns of both. */
  readonly rootUnreadable: string;
  readonly linkToFile: string;
  readonly linkBroken: string;
  readonly linkOutside: string;
  /** SKILL.md itself is a link. */
  readonly fileLink: string;
  readonly fileUnreadable: string;
  readonly notAFile: string;
  readonly changed: string;
}

/** The verdict over skills of one name. */
export interface Contest {
  readonly winner: Skill;
  readonly losers: readonly { readonly skill: Skill; readonly reason: string; readonly message: string }[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface VisibilityRules {
  /** Skills of untrusted projects are listed but not offered. */
  readonly trust: boolean;
  /** `disable-model-invocation` keeps a skill from the model. */
  readonly manualOnly: boolean;
  /** `user-invocable: false` keeps a skill from `/`. */
  readonly userInvocable: boolean;
  /** `paths` ties a skill to touched files. */
  readonly paths: boolean;
  /** `requires` gates. */
  readonly requires: boolean;
  /** Stored enable/disable state counts. */
  readonly state: boolean;
  /** The setting `skills.disabledRevealsShadowed` counts; left out = it does not. */
  readonly reveal?: boolean;
  /** A permission rule also holds for other spellings of a name; absent = as written only. */
  readonly spellings?: boolean;
  /** Where a denied skill stays visible: "nowhere" or in "list" (and commands), never for a model. */
  readonly denied: "nowhere" | "list";
  /** A skill without description is not in the catalog but can be loaded. */
  readonly undescribed: "catalog" | "load-only";
  /** A refused load names only what a model may load; absent = as `denied` says. */
  readonly namedOnMiss?: "offered";
  /** The profile's own gate: why a skill is not there on this machine (one sentence), or null. */
  readonly gate?: (skill: Skill, facts: GateFacts) => string | null;
}

/** What a profile's own gate may ask. */
export interface GateFacts {
  readonly agent: AgentFacts;
  /** On PATH. */
  readonly hasProgram: (name: string) => boolean;
  readonly variables: Readonly<Record<string, string>>;
}

/** What a mirrored search answers, best first. */
export interface RankedAnswer {
  readonly results: readonly { readonly name: string; readonly score: number; readonly reason: string }[];
  /** The skill that is loaded with the answer, if its permission allows it; else null. */
  readonly autoLoad: string | null;
}

/** A system's own search and the text that its tool gives. */
export interface ProfileSearch {
  /** `skills` are those that the model may load. */
  rank(query: string, skills: readonly VisibleSkill[]): RankedAnswer;
  /** The same over texts that are no skills of this machine, for measuring; in their order. */
  rankTexts(
    query: string,
    texts: readonly {
      readonly name: string;
      readonly description: string;
      readonly aliases: readonly string[];
    }[],
  ): RankedAnswer;
  /** `content` is what the load of `autoLoad` gave; null = nothing was loaded. */
  toolText(answer: RankedAnswer, content: string | null): string;
}

/** One skill with every decision about its visibility. */
export interface VisibleSkill {
  readonly skill: Skill;
  readonly permission: PermissionAction;
  readonly enabled: boolean;
  readonly trusted: boolean;
  /** A model may be told of it and load it. */
  readonly modelInvocable: boolean;
  readonly userInvocable: boolean;
  /** Why it is not in the list at all, else null. */
  readonly hidden: { readonly reason: string; readonly message: string } | null;
  readonly decisions: readonly Decision[];
}

export interface CatalogRequest {
  /** What the model may see, in list order (permission and flags already applied). */
  readonly skills: readonly VisibleSkill[];
  readonly permission: readonly PermissionRule[];
  /** Context window in tokens, null = unknown. */
  readonly window: number | null;
  /** Tokens, null = the profile's own. */
  readonly budget: number | null;
  readonly configuration: Configuration;
  readonly counter: TokenCounter;
}

export interface CatalogEntry {
  readonly name: string;
  readonly state: CatalogState;
  readonly tokens: number;
  /** Why it is not full, one sentence; null when it is. */
  readonly reason: string | null;
  /** The same as a stable code; absent = `budget` where it is not full. */
  readonly code?: CatalogReason;
}

export interface Catalog {
  /** Null: nothing is mounted at all (the section is absent). */
  readonly text: string | null;
  readonly tokens: number;
  /** Tokens; null = the profile has no budget. */
  readonly budget: number | null;
  readonly overflow: "none" | "shortened" | "omitted";
  readonly skills: readonly CatalogEntry[];
}

export interface LoadRequest {
  readonly skill: Skill;
  /** As the reader gives it. */
  readonly body: string;
  /** The name as it was asked for; absent = the skill's. */
  readonly requested?: string;
  readonly arguments: string;
  readonly fileSystem: FileSystem;
  readonly environment: Environment;
  readonly limit: number;
  /** Outputs of commands in the text, by command (see `Profile.dynamic`); absent = commands stay text. */
  readonly commandOutputs?: ReadonlyMap<string, string>;
}

export interface LoadOutput {
  readonly output: string;
  /** Absolute paths listed in the output. */
  readonly files: readonly string[];
}

export interface CommandTemplate {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly usage: string;
  readonly template: string;
  readonly argumentHint: string | null;
  readonly source: "skill";
  /** Name of the skill behind it. */
  readonly skill: string;
  /** False: it works, but no completion offers it; absent = it is offered. */
  readonly completion?: boolean;
}

/** A note that is worth reading only for some names. */
export interface TopicalNote {
  readonly text: string;
  /** "copies": there are several of the name; "links": a link leads to it; "script": its frontmatter is a script. */
  readonly about: "copies" | "links" | "script";
}

/**
 * One agent's rules as data and a few functions. The only place that knows an agent by name (invariant 1): everything
 * else asks the profile.
 */
export interface Profile {
  readonly id: string;
  /** Null = the current one; `seed` for `opencode@seed`. */
  readonly version: string | null;
  readonly title: string;
  /** Points where the mirrored system is unsafe or undetermined and what we do instead; shown by `why`. */
  readonly notes: readonly (string | TopicalNote)[];
  /** Keys of a frontmatter that others act on and this agent does not, with what follows from that; absent = none. */
  readonly ignoredKeys?: ReadonlyMap<string, string>;
  readonly reader: SkillReader;
  readonly readLimits: ReadLimits;
  /** Bytes of one SKILL.md. */
  readonly fileLimit: number;
  readonly visibility: VisibilityRules;
  /** Two paths are the same skill when this is equal; "per-root": each root counts what it holds. */
  readonly identity: "path" | "real-path" | "per-root";
  /** The folder's name that a skill may take: of the path as found (default) or of the real one. */
  readonly folderName?: "real";
  /** What a stored switch of one skill holds on to: its location (default) or the real path of its file. */
  readonly stateBy?: "real-path";
  /** A name can be switched only while it has one copy; absent = the copy in use is switched. */
  readonly switchByName?: "only-copy";
  /** How the catalog counts tokens unless a caller says otherwise; absent = by bytes. */
  readonly tokens?: "o200k_base";
  /** The system's own codes for what a search meets; absent = it has none. */
  readonly scanCodes?: ScanCodes;
  /** Skills that MCP servers offer are a source of it. */
  readonly mcpSources?: true;
  /** How it has skills of its own; absent = none. */
  readonly packs?: PackPolicy;
  /** A load accepts another spelling of a name when exactly one skill fits. */
  readonly looseNames: boolean;
  /** Whether it looks again after a tool wrote to this path (as the tool was given it); absent = where skills may lie. */
  readonly reloadsAfterEdit?: (path: string) => boolean;
  /** Said when our search answers because the mirrored system has none; absent = the profile has its own. */
  readonly searchNote?: string;
  /** Which entry a name means, where neither an exact nor a loose comparison says it; absent = those do. */
  findSkill?(name: string, entries: readonly VisibleSkill[]): VisibleSkill | null;
  prepare(context: PrepareContext): Preparation;
  /** Same key = same name. */
  nameKey(name: string): string;
  /** `skills` are two or more of one name, in scan order. */
  contest(skills: readonly Skill[]): Contest;
  /** What a user should know of the winners as a whole (grouping folders, names that differ in case only, …). */
  review?(winners: readonly Skill[]): readonly Diagnostic[];
  /** Winners in the order of the list; `skills` come in scan order of their first candidate of that name. */
  listOrder(skills: readonly Skill[]): readonly Skill[];
  catalog(request: CatalogRequest): Catalog;
  /** The `skill` tool's output for the model (and the user's explicit load). */
  load(request: LoadRequest): LoadOutput;
  /** The text given for a name that is not there; `names` = what may be named. */
  unknown(name: string, names: readonly string[]): string;
  /** The text for a name that was there before and is not now; `why` is a sentence. Absent = as for any other name. */
  departed?(name: string, why: string): string;
  /** The text a model gets for a skill that no model may call; `command`: a user can. Null = the profile has no such rule. */
  manualOnly(name: string, command: boolean): string | null;
  /** Slash commands, in order. `body` gives a skill's text. */
  commands(
    skills: readonly VisibleSkill[],
    reserved: readonly ReservedCommand[],
    body: (skill: Skill) => string,
    environment: Environment,
  ): readonly CommandTemplate[];
  /** Expands a slash command of a skill to the text that is sent. */
  command(request: LoadRequest): string;
  /** Fills a command's text, a skill's or a configured one, with what was typed behind its name; absent = no templates. */
  fillTemplate?(template: string, argumentText: string): string;
  /** How the text of a failed `skill` call reaches a model; absent = as it is. */
  failedCall?(text: string): string;
  /** The system's own search; absent = ours answers. */
  readonly search?: ProfileSearch;
  /** The text may hold commands whose output takes their place, where somebody allows that; absent = it is only text. */
  readonly dynamic?: boolean;
  /** Given instead of a text that the conversation has already, unchanged; absent = the text is given again. */
  repeated?(skill: Skill): string;
  /** How a model is told about skills over time; absent = the catalog is written anew each turn. */
  readonly guidance?: GuidanceRules;
  /** What a typed message becomes; absent = it is sent as it is. */
  expand?(request: ExpandRequest): Expansion;
}
