import type { RestoreLimits } from "./activation/restore-plan.ts";
import type { Scope } from "./discovery/root.ts";
import type { McpSetting } from "./mcp/server-settings.ts";
import type { PermissionRule } from "./visibility/permission.ts";

/** Which file a setting came from; later layers win, except where a rule says that a layer may not set it. */
export type ConfigLayerName = "default" | "user" | "project" | "managed" | "flag";

export interface ConfigLayer {
  readonly name: ConfigLayerName;
  /** Null for built-in defaults and flags. */
  readonly path: string | null;
}

/** A folder of `skills.paths`, with the layer that named it. */
export interface ConfiguredPath {
  /** As written. */
  readonly written: string;
  /** Absolute. */
  readonly path: string;
  readonly layer: ConfigLayer;
}

export interface Limits {
  /** Bytes of one SKILL.md; larger files are skipped with a diagnostic. */
  readonly skillBytes: number;
  readonly frontmatterBytes: number;
  readonly yamlDepth: number;
  readonly yamlKeys: number;
  /** Levels of folders below a root. */
  readonly scanDepth: number;
  /** Folders entered per root. */
  readonly scanFolders: number;
  /** Folder entries seen per root. */
  readonly scanEntries: number;
  /** Files named in a load's file list. */
  readonly listedFiles: number;
}

/** Settings of profile `skillet`, all layers merged (docs/configuration.md). */
export interface Configuration {
  /** Rules in order, the last match wins; managed `deny` rules are appended last so that nothing overrides them. */
  readonly permission: readonly PermissionRule[];
  /** Rules appended for one agent. */
  readonly agents: Readonly<Record<string, { readonly permission: readonly PermissionRule[] }>>;
  /** Scopes, strongest first; complete (every scope occurs once). */
  readonly precedence: readonly Scope[];
  /** Brand folders, strongest first; a brand that is not listed is not searched. */
  readonly brands: readonly string[];
  readonly reservedCommands: readonly string[];
  readonly skills: {
    readonly paths: readonly ConfiguredPath[];
    readonly urls: readonly string[];
    /** Addresses that only the project names; they are among `urls` once it is trusted. */
    readonly projectUrls: readonly string[];
    /** Names whose catalog entry is never shortened or left out. */
    readonly pins: readonly string[];
    /** Names or wildcards that are switched off. */
    readonly disabled: readonly string[];
    /** Markdown files at a root's top are skills too. */
    readonly flatFiles: boolean;
    /** Fill gaps of a linked worktree from its main checkout. */
    readonly mainCheckout: boolean;
    /** A disabled winner lets the next copy of the name step in. */
    readonly disabledRevealsShadowed: boolean;
    /** The skills that come with Skillet are offered. */
    readonly builtin: boolean;
  };
  readonly trust: {
    /** "ask": project skills are listed but not offered to a model until the folder is trusted; "always": trusted. */
    readonly workspace: "ask" | "always";
    /** Folders trusted by configuration (user or managed layer only). */
    readonly folders: readonly string[];
  };
  readonly catalog: {
    /** Share of the context window, 0 to 1. */
    readonly share: number;
    /** Tokens; null = by share. */
    readonly budget: number | null;
    /** Code points of one entry before any budgeting. */
    readonly entryLimit: number;
    /** Context window in tokens when the caller names none; null = unknown. */
    readonly window: number | null;
  };
  readonly search: {
    readonly limit: number;
    /** A first hit that is likely enough is named for loading at once. */
    readonly autoLoad: boolean;
    /** Where the command gets vectors to compare meaning too; null = words alone. */
    readonly semantic: SemanticSetting | null;
  };
  /** What of loaded skills comes back after a conversation was shortened. */
  readonly compaction: RestoreLimits;
  readonly limits: Limits;
  /** Where skills may be installed from, by name; read by the installer. */
  readonly sources: Readonly<Record<string, unknown>>;
  /** MCP servers whose skills are a source, by the name that their skills get in front. */
  readonly mcp: Readonly<Record<string, McpSetting>>;
  /** A project names servers that wait for it to be trusted. */
  readonly projectMcp: boolean;
  /** What may be fetched and run; read by the parts that fetch and run. */
  readonly policy: Readonly<Record<string, unknown>>;
  /** Model of the terminal agent, `PROVIDER/ID`; null = chosen by the keys that are there. */
  readonly model: string | null;
  /** Where models are served, by name; read by the terminal agent. */
  readonly providers: Readonly<Record<string, unknown>>;
  /** Folders that the terminal agent tells its model of besides the working folder (feature O21). */
  readonly references: readonly string[];
  /** Where each set key came from: dotted key → layer. */
  readonly origin: Readonly<Record<string, ConfigLayer>>;
}

/** What gives the vectors that compare meaning, and how much they count. */
export type SemanticSetting = (SemanticAddress | SemanticFolder) & {
  /** What the model wants in front of a request, of a skill; null = what the model's own settings say, or nothing. */
  readonly requestPrefix: string | null;
  readonly documentPrefix: string | null;
  /** Share of meaning against words, 0 to 1. */
  readonly weight: number;
  /** Milliseconds for one search, or for one request to an address in an evaluation. */
  readonly timeout: number;
};

/** An address that speaks OpenAI's embeddings protocol. */
export interface SemanticAddress {
  /** Up to `/v1`. */
  readonly url: string;
  readonly model: string;
  /** Name of the variable that holds the key; null = none is sent. */
  readonly key: string | null;
}

/** A model in a folder of this machine, in ONNX form. */
export interface SemanticFolder {
  /** Absolute. */
  readonly folder: string;
  /** Which .onnx file of the folder; null = the one with a usual name. */
  readonly file: string | null;
}

/** Every scope, strongest first (order of profile `skillet`). */
export const defaultPrecedence: readonly Scope[] = [
  "managed",
  "workspace",
  "user",
  "config",
  "agent",
  "plugin",
  "remote",
  "mcp",
  "builtin",
];

/** Brand folders, strongest first inside a level. */
export const defaultBrands: readonly string[] = [
  "skillet",
  "agents",
  "claude",
  "codex",
  "opencode",
  "gemini",
  "github",
  "cursor",
  "mimocode",
  "minimax",
];

export const defaultLimits: Limits = {
  skillBytes: 1_048_576,
  frontmatterBytes: 65_536,
  yamlDepth: 32,
  yamlKeys: 512,
  scanDepth: 8,
  scanFolders: 50_000,
  scanEntries: 200_000,
  listedFiles: 50,
};

export const defaultConfiguration: Configuration = {
  // The workflow pack is for the agent that works by it (feature M11); every rule of a user comes after these.
  permission: [
    { permission: "skill", pattern: "*", action: "allow" },
    { permission: "skill", pattern: "compose:*", action: "deny" },
  ],
  agents: { compose: { permission: [{ permission: "skill", pattern: "compose:*", action: "allow" }] } },
  precedence: defaultPrecedence,
  brands: defaultBrands,
  reservedCommands: [],
  skills: {
    paths: [],
    urls: [],
    projectUrls: [],
    pins: [],
    disabled: [],
    flatFiles: false,
    mainCheckout: true,
    disabledRevealsShadowed: false,
    builtin: true,
  },
  trust: { workspace: "ask", folders: [] },
  catalog: { share: 0.02, budget: null, entryLimit: 1024, window: null },
  search: { limit: 5, autoLoad: false, semantic: null },
  compaction: { skillTokens: 5_000, totalTokens: 25_000 },
  limits: defaultLimits,
  sources: {},
  mcp: {},
  projectMcp: false,
  policy: {},
  model: null,
  providers: {},
  references: [],
  origin: {},
};
