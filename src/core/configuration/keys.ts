import { defaultBrands, defaultConfiguration, defaultPrecedence } from "../configuration.ts";

/** What a setting's value looks like. */
export type ConfigKind =
  | { readonly kind: "text" }
  | { readonly kind: "boolean" }
  | {
      readonly kind: "number";
      readonly minimum: number;
      readonly maximum: number;
      readonly whole: boolean;
      readonly nullable: boolean;
    }
  | { readonly kind: "choice"; readonly choices: readonly string[] }
  /** A list of texts; `choices`: only these have a meaning. */
  | { readonly kind: "list"; readonly choices?: readonly string[] }
  /** `"allow"`, `{skill: "ask"}` or `{skill: {PATTERN: "deny"}}`. */
  | { readonly kind: "permission" }
  /** `{NAME: {permission}}`. */
  | { readonly kind: "agents" }
  /** An object that another part reads. */
  | { readonly kind: "object"; readonly nullable?: boolean };

/**
 * What a project's file may do with a setting (row H03, H07): anything; nothing; only make a number smaller; only
 * switch off; or what the setting's own rule says.
 */
export type ProjectRight = "any" | "never" | "lower" | "off" | "own-rule";

export interface ConfigKey {
  /** Dotted, `catalog.share`. */
  readonly key: string;
  readonly type: ConfigKind;
  /** As written in a file. */
  readonly default: unknown;
  /** One sentence for people. */
  readonly description: string;
  readonly project: ProjectRight;
  /** "append": the layers' lists are joined; "replace": the strongest layer's value alone counts. */
  readonly merge: "replace" | "append" | "own-rule";
}

const number = (
  minimum: number,
  maximum: number,
  more: { readonly whole?: boolean; readonly nullable?: boolean } = {},
): ConfigKind => ({
  kind: "number",
  minimum,
  maximum,
  whole: more.whole ?? true,
  nullable: more.nullable ?? false,
});

const { skills, trust, catalog, search, compaction, limits } = defaultConfiguration;

/** Words of `precedence`: the scopes, and "project", which people say for "workspace". */
export const scopeWords: readonly string[] = [...defaultPrecedence, "project"];

function limit(name: keyof typeof limits, range: readonly [number, number], description: string): ConfigKey {
  return {
    key: `limits.${name}`,
    type: number(...range),
    default: limits[name],
    description,
    project: "lower",
    merge: "replace",
  };
}

/**
 * Every setting of `skillet.jsonc`. The reader, the JSON Schema and docs/configuration.md are made from this table,
 * so that they cannot disagree.
 */
export const configKeys: readonly ConfigKey[] = [
  {
    key: "$schema",
    type: { kind: "text" },
    default: null,
    description: "Where editors find the schema; Skillet does not read it.",
    project: "any",
    merge: "replace",
  },
  {
    key: "permission",
    type: { kind: "permission" },
    default: { skill: { "*": "allow", "compose:*": "deny" } },
    description:
      "Which skills may be used: allow, ask or deny by name or wildcard; the last matching rule wins. A project's rules can only make it stricter.",
    project: "own-rule",
    merge: "own-rule",
  },
  {
    key: "agent",
    type: { kind: "agents" },
    default: { compose: { permission: { skill: { "compose:*": "allow" } } } },
    description: "Rules for one agent only, under its name: { NAME: { permission } }.",
    project: "own-rule",
    merge: "own-rule",
  },
  {
    key: "precedence",
    type: { kind: "list", choices: scopeWords },
    default: defaultPrecedence,
    description:
      "Which scope wins when two skills have one name, strongest first. The scopes that are named swap places among themselves; managed stays first.",
    project: "own-rule",
    merge: "replace",
  },
  {
    key: "brands",
    type: { kind: "list", choices: defaultBrands },
    default: defaultBrands,
    description:
      "Whose folders are searched (.claude, .agents, …), strongest first; what is not named is not searched.",
    project: "own-rule",
    merge: "replace",
  },
  {
    key: "reservedCommands",
    type: { kind: "list" },
    default: [],
    description: "Slash commands that no skill may take.",
    project: "any",
    merge: "append",
  },
  {
    key: "skills.paths",
    type: { kind: "list" },
    default: skills.paths,
    description:
      "More folders with skills; ~/ is the home folder, others are relative to the file. A project can only name folders inside itself.",
    project: "own-rule",
    merge: "append",
  },
  {
    key: "skills.urls",
    type: { kind: "list" },
    default: skills.urls,
    description:
      "Addresses that `skillet pull` fetches skills from (docs/remote.md). Those of a project count once it is trusted.",
    project: "own-rule",
    merge: "append",
  },
  {
    key: "skills.pins",
    type: { kind: "list" },
    default: skills.pins,
    description: "Skills whose catalog entry is never shortened or left out.",
    project: "any",
    merge: "append",
  },
  {
    key: "skills.disabled",
    type: { kind: "list" },
    default: skills.disabled,
    description: "Skills that are switched off, by name or wildcard.",
    project: "any",
    merge: "append",
  },
  {
    key: "skills.flatFiles",
    type: { kind: "boolean" },
    default: skills.flatFiles,
    description: "Markdown files directly in a skills folder are skills too.",
    project: "any",
    merge: "replace",
  },
  {
    key: "skills.mainCheckout",
    type: { kind: "boolean" },
    default: skills.mainCheckout,
    description: "A linked worktree also sees the skills that only its main checkout has.",
    project: "off",
    merge: "replace",
  },
  {
    key: "skills.disabledRevealsShadowed",
    type: { kind: "boolean" },
    default: skills.disabledRevealsShadowed,
    description: "When a skill is switched off, the next copy of its name steps in.",
    project: "off",
    merge: "replace",
  },
  {
    key: "skills.builtin",
    type: { kind: "boolean" },
    default: skills.builtin,
    description: "The skills that come with Skillet are offered; false hides them and removes nothing.",
    project: "off",
    merge: "replace",
  },
  {
    key: "trust.workspace",
    type: { kind: "choice", choices: ["ask", "always"] },
    default: trust.workspace,
    description:
      "ask: a project's skills are offered to a model once the folder is trusted; always: at once.",
    project: "never",
    merge: "replace",
  },
  {
    key: "trust.folders",
    type: { kind: "list" },
    default: trust.folders,
    description: "Folders that are trusted with everything in them.",
    project: "never",
    merge: "append",
  },
  {
    key: "catalog.share",
    type: number(0, 1, { whole: false }),
    default: catalog.share,
    description: "Share of the context window that the catalog may take.",
    project: "lower",
    merge: "replace",
  },
  {
    key: "catalog.budget",
    type: number(0, 1_000_000, { nullable: true }),
    default: catalog.budget,
    description: "Tokens that the catalog may take; null = by share.",
    project: "never",
    merge: "replace",
  },
  {
    key: "catalog.entryLimit",
    type: number(20, 100_000),
    default: catalog.entryLimit,
    description: "Characters of one description in the catalog.",
    project: "lower",
    merge: "replace",
  },
  {
    key: "catalog.window",
    type: number(1, 100_000_000, { nullable: true }),
    default: catalog.window,
    description: "Context window in tokens where the caller names none; null = unknown.",
    project: "never",
    merge: "replace",
  },
  {
    key: "search.limit",
    type: number(1, 100),
    default: search.limit,
    description: "How many skills a search gives.",
    project: "any",
    merge: "replace",
  },
  {
    key: "search.autoLoad",
    type: { kind: "boolean" },
    default: search.autoLoad,
    description:
      "A search names its first skill for loading at once where that is very likely the right one.",
    project: "never",
    merge: "replace",
  },
  {
    key: "search.semantic",
    type: { kind: "object", nullable: true },
    default: search.semantic,
    description:
      "What adds meaning to the command's search by words: a folder with an embedding model in ONNX form, { folder, file }, or an OpenAI-compatible address, { url, model, key } where key is the name of a variable; with requestPrefix, documentPrefix, weight and timeout (docs/search.md). null or {} = words alone.",
    project: "never",
    merge: "replace",
  },
  {
    key: "compaction.skillTokens",
    type: number(0, 1_000_000),
    default: compaction.skillTokens,
    description: "Tokens of one loaded skill that come back after a conversation was shortened.",
    project: "lower",
    merge: "replace",
  },
  {
    key: "compaction.totalTokens",
    type: number(0, 10_000_000),
    default: compaction.totalTokens,
    description: "Tokens of all loaded skills together that come back after a conversation was shortened.",
    project: "lower",
    merge: "replace",
  },
  limit("skillBytes", [4_096, 64 * 1_048_576], "Bytes of one SKILL.md; a larger one is skipped."),
  limit("frontmatterBytes", [1_024, 1_048_576], "Bytes of one frontmatter."),
  limit("yamlDepth", [4, 64], "Levels of nesting in frontmatter."),
  limit("yamlKeys", [16, 4_096], "Keys in one frontmatter."),
  limit("scanDepth", [1, 64], "Levels of folders below a skills folder."),
  limit("scanFolders", [100, 1_000_000], "Folders entered below one skills folder."),
  limit("scanEntries", [1_000, 10_000_000], "Files and folders seen below one skills folder."),
  limit("listedFiles", [1, 1_000], "Files named when a skill is loaded."),
  {
    key: "sources",
    type: { kind: "object" },
    default: {},
    description: "Sources that `skillet pull` fetches skills from, by name (docs/remote.md).",
    project: "never",
    merge: "own-rule",
  },
  {
    key: "mcp",
    type: { kind: "object" },
    default: {},
    description:
      "MCP servers whose skills are offered as SERVER:NAME once you approve them: { NAME: { command, args, env, cwd } } or { NAME: { url, headers } }, with timeout in milliseconds and enabled. A trusted project can add https addresses only.",
    project: "own-rule",
    merge: "own-rule",
  },
  {
    key: "policy",
    type: { kind: "object" },
    default: {},
    description:
      "What may come from elsewhere and what may run: origins, digests, signatures, names, scripts, sizes (docs/policy.md).",
    project: "never",
    merge: "own-rule",
  },
  {
    key: "model",
    type: { kind: "text" },
    default: null,
    description: "Model that `skillet chat` and `skillet run` talk to, as PROVIDER/ID.",
    project: "never",
    merge: "replace",
  },
  {
    key: "providers",
    type: { kind: "object" },
    default: {},
    description: "Where models are served, by name: { NAME: { url, format, key, models } }.",
    project: "never",
    merge: "own-rule",
  },
  {
    key: "references",
    type: { kind: "list" },
    default: [],
    description:
      "Folders that `skillet chat` and `skillet run` tell the model of besides the working folder; ~/ is the home folder, others are relative to the file. Reading there still asks.",
    project: "never",
    merge: "append",
  },
];

const byName: ReadonlyMap<string, ConfigKey> = new Map(configKeys.map((entry) => [entry.key, entry]));

/** The setting of that dotted name, or null. */
export function configKey(key: string): ConfigKey | null {
  return byName.get(key) ?? null;
}

/** Names before the dot: `skills`, `trust`, `catalog`, `search`, `limits`. */
export const configGroups: ReadonlySet<string> = new Set(
  configKeys.filter(({ key }) => key.includes(".")).map(({ key }) => key.slice(0, key.indexOf("."))),
);
