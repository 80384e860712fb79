import type { Activation, Activator } from "../../core/activation/activation-ledger.ts";
import type { CommandPolicy } from "../../core/activation/command-policy.ts";
import type { Expansion, MessagePart } from "../../core/activation/expand.ts";
import type { RestoreLimits, RestorePlan } from "../../core/activation/restore-plan.ts";
import type { Diagnostic } from "../../core/diagnostic.ts";
import type { Guidance, GuidanceState } from "../../core/guidance/guidance.ts";
import type { VisibleSkill } from "../../core/profile.ts";
import type {
  ExpandOptions,
  GuidanceOptions,
  Loaded,
  LoadedFile,
  LoadFileOptions,
  LoadOptions,
  Skills,
} from "../skills.ts";
import type { ReadVerdict } from "./may-read.ts";
import type { CommandRun } from "./run-command.ts";

/** Commands of one skill's text that are about to run. */
export interface CommandRequest {
  readonly skill: string;
  /** Path of SKILL.md. */
  readonly location: string;
  /** Each once, in the order of the text. */
  readonly commands: readonly string[];
}

export interface SessionOptions {
  /** Take the place of the settings `compaction.*`. */
  readonly limits?: Partial<RestoreLimits>;
  /**
   * Commands in skills (`` !`command` ``): "off" (default) leaves them as text, "ask" runs them after `allowCommands` said
   * yes, "allow" runs them. The setting `policy.commands` can only make it stricter; an untrusted skill's never run.
   */
  readonly commands?: CommandPolicy;
  readonly allowCommands?: (request: CommandRequest) => boolean | Promise<boolean>;
  /** Milliseconds for one command; default two minutes. */
  readonly commandTimeout?: number;
  /** What `record` gave: the conversation goes on. What cannot be read counts as a new conversation. */
  readonly resume?: unknown;
}

export interface SessionLoadOptions extends Omit<LoadOptions, "commandOutputs"> {
  /** Gives the text although the conversation has it already. */
  readonly again?: boolean;
  readonly signal?: AbortSignal;
}

export interface SessionLoad extends Loaded {
  /** The conversation has the text already; `output` is a note that says so. */
  readonly repeated: boolean;
  /** Commands that ran for this text. */
  readonly ran: readonly CommandRun[];
  /** What would run if it were allowed, and did not. */
  readonly notRun: readonly string[];
}

/** Plain data, for a file: what a conversation was given. */
export interface SessionRecord {
  readonly version: 1;
  readonly profile: string;
  readonly activations: readonly Activation[];
  readonly guidance: GuidanceState | null;
  /** The skills that the agent begins with were given. */
  readonly started: boolean;
}

/** Text to begin a conversation with. */
export interface SessionStart {
  readonly parts: readonly MessagePart[];
  readonly injected: readonly string[];
  /** Names of the agent's file that give nothing, with near names. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * One conversation over an open set of skills: knows what was given, by whom and when, so that nothing is given twice and
 * all of it comes back after a compaction. It can take the place of the skills where tools are made (`skillTools`).
 * Nothing here writes. See docs/sessions.md.
 */
export interface Session {
  readonly skills: Skills;
  readonly profile: Skills["profile"];
  readonly entries: readonly VisibleSkill[];
  readonly remembers: true;
  /** Oldest first. */
  readonly activations: readonly Activation[];
  /** As `skills.load`; a text that the conversation has already is a short note instead. Rejects only when aborted. */
  load(name: string, options?: SessionLoadOptions): Promise<SessionLoad>;
  /** Fetches what a load or a file needs from an MCP server; the skill tools call it. */
  retrieve: Skills["retrieve"];
  /** As `skills.loadFile`; files of skills that were given can be read, whoever brought them. */
  loadFile(name: string, path: string | null, options?: LoadFileOptions): LoadedFile;
  search: Skills["search"];
  searchTool(query: string, options?: { readonly approved?: boolean }): string | null;
  /** Commands in a skill's text that would run, without running anything. */
  dryRun(name: string): {
    readonly commands: readonly string[];
    readonly policy: CommandPolicy;
    readonly trusted: boolean;
  } | null;
  /** The skills that the agent's file names, once; nothing when they were given. */
  start(options?: { readonly signal?: AbortSignal }): Promise<SessionStart>;
  /** As `skills.expand`, without what the conversation has; the first message brings what `start` would. */
  expand(message: string, options?: ExpandOptions): Promise<Expansion>;
  /** Notes a skill that came in another way, e.g. through a tool of the caller's own. */
  note(
    name: string,
    given: { readonly by: Activator; readonly text: string; readonly arguments?: string },
  ): void;
  /** Call it when the conversation was shortened: what to put into it again. What is not in it counts as not given. */
  afterCompaction(): RestorePlan;
  /** What the model is told at this turn; the state is kept. */
  guidance(options?: GuidanceOptions): Guidance;
  /** Whether the agent's own read tool may open this absolute path because it lies in a skill's folder. */
  mayRead(path: string): ReadVerdict;
  /** Folders of skills that may be read, links resolved. */
  readonly readableFolders: readonly string[];
  /** Goes on with another open set, e.g. of another agent: a new epoch where the profile has epochs. */
  use(skills: Skills): void;
  record(): SessionRecord;
  /** Forgets everything; later calls throw. The skills stay open: they are the caller's. */
  close(): void;
}
