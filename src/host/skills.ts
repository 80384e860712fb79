import type { DynamicCommand } from "../core/activation/dynamic-commands.ts";
import type { AttachedFile, Expansion, GivenSkill } from "../core/activation/expand.ts";
import type { Lookup } from "../core/activation/find-name.ts";
import type { SkillFile } from "../core/activation/skill-file.ts";
import type { TokenCounter } from "../core/catalog/token-counter.ts";
import type { Configuration } from "../core/configuration.ts";
import type { Diagnostic } from "../core/diagnostic.ts";
import type { Environment } from "../core/environment.ts";
import type { Explanation } from "../core/explain/explanation.ts";
import type { Guidance, GuidanceState } from "../core/guidance/guidance.ts";
import type { Catalog, CommandTemplate, Preparation, Profile, VisibleSkill } from "../core/profile.ts";
import type { ShadowedSkill, Skill, SkippedPath, Snapshot } from "../core/snapshot.ts";
import type { SourceFile, SourceLoad, SourceOptions } from "../core/tools/tool-source.ts";
import type { PermissionAction } from "../core/visibility/permission.ts";
import type { ChangeListener } from "./watch/live-state.ts";
import type { WatchOptions } from "./watch/skills-watcher.ts";

export type { Lookup } from "../core/activation/find-name.ts";
export type { SkillFile } from "../core/activation/skill-file.ts";

/** How `openSkills` is called. Everything is optional; the defaults describe the running process. */
export interface OpenOptions {
  /** Working folder; default the process's. */
  readonly cwd?: string;
  /** Replaces the home folder for every root; see docs/cli.md for what else that changes. */
  readonly home?: string;
  /** The profile's data folder. */
  readonly data?: string;
  /** `skillet` (default), `opencode`, `opencode-v2`, `opencode@seed`, … */
  readonly profile?: string;
  /** Variables set for this call on top of the process's. */
  readonly env?: Readonly<Record<string, string>>;
  /** Takes the place of the user's configuration file. */
  readonly configFile?: string;
  /** Agent whose permission rules apply. */
  readonly agent?: string;
  readonly tools?: readonly string[];
  readonly features?: readonly string[];
  readonly host?: "cli" | "desktop";
  readonly region?: string;
  readonly mcpServers?: readonly string[];
  /** Skills that the agent chose; left out = it did not choose. Agents without such a choice ignore it. */
  readonly skills?: readonly string[];
  /** Names that the agent had before. */
  readonly compatibleAgents?: readonly string[];
  /** Skills that are off in this call besides those switched off by hand: paths of SKILL.md. */
  readonly disabled?: readonly string[];
  /** BCP 47. */
  readonly language?: string;
  /** Treat the workspace as trusted for this call. */
  readonly trust?: boolean;
  /** Files in play; skills tied to file patterns are offered only when one matches. */
  readonly touched?: readonly string[];
  readonly counter?: TokenCounter;
  /** Folder whose skills take the place of the built-in ones. */
  readonly pack?: string;
}

export interface LoadOptions extends SourceOptions {
  readonly arguments?: string;
  /** Who asks: a model never gets what is denied or manual-only. Default "model". */
  readonly by?: "model" | "user";
  /** Outputs of commands in the text, by command; each takes its command's place. Left out = commands stay text. */
  readonly commandOutputs?: ReadonlyMap<string, string>;
}

export interface GuidanceOptions {
  readonly contextWindow?: number;
  readonly budget?: number;
  /** The model's id, for profiles that keep a system prompt for one model. */
  readonly model?: string;
  /** Something that changes with the agent's tools, e.g. a hash of their definitions. */
  readonly tools?: string;
}

export interface LoadFileOptions extends SourceOptions {
  /** Who asks, as for a load. Default "model". */
  readonly by?: "model" | "user";
}

export type LoadedFile = SourceFile;

/** `status` says what happened; `output` is always the exact text to hand on. */
export interface Loaded extends SourceLoad {
  /** Absolute paths that the output lists. */
  readonly files: readonly string[];
  readonly permission: PermissionAction;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ExpandOptions {
  readonly attachments?: readonly AttachedFile[];
  /** Files in play, besides those that the skills were opened with. */
  readonly touched?: readonly string[];
  /** Skills whose full text goes before the message, also those that only a user may call. */
  readonly preload?: readonly string[];
  /** The message begins a session of this agent: the skills that the agent's file names are given with it. */
  readonly begin?: boolean;
  /** Skills whose text the conversation has already. */
  readonly given?: readonly GivenSkill[];
  /** The promise rejects with its reason. */
  readonly signal?: AbortSignal;
}

export interface SearchHit {
  readonly name: string;
  readonly location: string;
  /** Larger is better; only comparable inside one answer. */
  readonly score: number;
  /** 0 to 1: how likely this is the right skill. */
  readonly probability: number;
  readonly reason: string;
  readonly explain?: readonly { readonly term: string; readonly field: string; readonly weight: number }[];
}

/**
 * An open set of skills for one pair of working folder and worktree (feature O10). All reads answer from one snapshot;
 * `reload` or a noticed change replaces it as a whole. Nothing here writes.
 */
export interface Skills {
  readonly profile: Profile;
  readonly environment: Environment;
  readonly configuration: Configuration;
  readonly preparation: Preparation;
  readonly snapshot: Snapshot;
  /** Every winner with its visibility, in list order (hidden ones too). */
  readonly entries: readonly VisibleSkill[];
  /** Skills that a session of this agent begins with, by the agent's file; null = there is none. */
  readonly start: { readonly path: string; readonly skills: readonly string[] } | null;
  readonly shadowed: readonly ShadowedSkill[];
  readonly skipped: readonly SkippedPath[];
  /** Of configuration, state and discovery, in that order. */
  readonly diagnostics: readonly Diagnostic[];
  /** The workspace folder whose trust decides, and whether it is trusted. Null: no project here. */
  readonly workspace: {
    readonly folder: string;
    readonly trusted: boolean;
    readonly needsTrust: number;
  } | null;
  /** Counts tokens as the catalog does. */
  readonly counter: TokenCounter;
  find(name: string): Lookup;
  catalog(options?: { readonly contextWindow?: number; readonly budget?: number }): Catalog;
  /**
   * What a model is told at the next turn, compared with the state that the last answer gave (null = a new conversation):
   * the section for the system prompt, and what to say in mid-conversation. See docs/sessions.md.
   */
  guidance(before?: GuidanceState | null, options?: GuidanceOptions): Guidance;
  /**
   * Ranked skills. `autoLoad` names the first where it may be loaded at once: it is likely enough, its permission allows
   * it, and the configuration or `options.autoLoad` asks for it.
   */
  search(
    query: string,
    options?: { readonly limit?: number; readonly explain?: boolean; readonly autoLoad?: boolean },
  ): { readonly results: readonly SearchHit[]; readonly autoLoad: string | null };
  /**
   * The mirrored search tool's exact output; absent or null: the profile has no such tool, use `search`. A skill that
   * the tool would load is loaded when its permission allows it or `approved` says that the user did.
   */
  searchTool?(query: string, options?: { readonly approved?: boolean }): string | null;
  load(name: string, options?: LoadOptions): Loaded;
  /**
   * A file of the skill that the name means, by its path relative to the skill's folder; null lists them. Who may not load
   * the skill does not get its files; nothing outside its folder is read.
   */
  loadFile(name: string, path: string | null, options?: LoadFileOptions): LoadedFile;
  /** What a typed message becomes in this profile. Loads a Markdown parser when a message needs one. */
  expand(message: string, options?: ExpandOptions): Promise<Expansion>;
  commands(): readonly CommandTemplate[];
  explain(name: string, options?: { readonly request?: string }): Explanation;
  /** Commands in a skill's text that would run where somebody allows it; none in profiles that have no such thing. */
  dynamicCommands(skill: Skill): readonly DynamicCommand[];
  /** Text after the frontmatter as the profile reads it; "" when the file can no longer be read. */
  body(skill: Skill): string;
  /** Paths relative to the skill's folder, sorted, at most `limit` (default 200), and whether there are more. */
  files(skill: Skill, limit?: number): { readonly files: readonly string[]; readonly more: boolean };
  readFile(skill: Skill, path: string): SkillFile;
  /**
   * Asks the MCP servers of the settings which skills they offer, those whose last answer is no longer good (`force`: all).
   * The only call that starts programs or uses a network, besides `retrieve`. Resolves to true when something changed;
   * what a server does wrong is a diagnostic. See docs/mcp.md.
   */
  connect(options?: { readonly force?: boolean; readonly signal?: AbortSignal }): Promise<boolean>;
  /**
   * Fetches what a load of that name, or of one of its files, needs from an MCP server; local skills need nothing. What
   * does not hold the entry that was approved is not kept, and the load says so.
   */
  retrieve(
    name: string,
    path?: string | null,
    options?: { readonly by?: "model" | "user"; readonly signal?: AbortSignal },
  ): Promise<void>;
  /** Looks at the disk again; unchanged files are not read again. True when something changed. */
  reload(): boolean;
  /**
   * Tells that a tool wrote, moved or removed these files; looks at the disk again, reading anew even what looks
   * unchanged, where one of them can concern a skill. Relative paths start at the working folder; backslashes may
   * separate. True when something changed; false too where the profile's agent does not look again (feature M9).
   */
  edited(paths: string | readonly string[]): boolean;
  /**
   * Calls `listener` with every difference that a user or a model would notice, whoever found it: the watcher, which the
   * first listener starts, or a `reload`. Returns what takes the listener back. See docs/watching.md.
   */
  on(event: "change", listener: ChangeListener): () => void;
  /** Starts watching, once; later calls wait for the same start. Call it before `on` to choose how. */
  watch(options?: WatchOptions): Promise<void>;
  /** Lets go of everything; nothing is told afterwards, and the process can end. May be called twice. */
  close(): void;
}
