/** What a built-in skill needs of the agent: every tool of `all`, and one of `any` (tools, or features by name). */
export interface ToolNeed {
  readonly all: readonly string[];
  readonly any?: { readonly tools: readonly string[]; readonly features: readonly string[] };
}

const files: ToolNeed = { all: ["read", "write", "bash"] };
const shell: ToolNeed = { all: ["bash"] };

/** Skills that an agent has unless it chooses others, and their needs (feature X9; spec minimax 3.3). */
export const selectableSkills: ReadonlyMap<string, ToolNeed> = new Map([
  ["code-review", { all: ["read"] }],
  [
    "deep-research",
    {
      all: ["read", "write", "todowrite"],
      any: { tools: ["web_fetch", "bash"], features: ["webSearch"] },
    },
  ],
  ["deploy-website", { all: ["read", "write", "bash", "website_deploy"] }],
  ["docx", files],
  ["edit-deployed-website", { all: ["read", "edit", "bash", "website_deploy"] }],
  ["init", files],
  ["lark-tools", shell],
  ["llm-call", shell],
  ["mcode-tools-master", shell],
  ["mavis-doctor", shell],
  ["pdf", files],
  ["plugin-creator", files],
  ["pptx", files],
  ["skill-creator", files],
  ["skill-refiner", { all: ["read", "edit"] }],
  ["visual-page", { all: ["write"] }],
  ["x-link-reader", { all: ["web_fetch"] }],
  ["xlsx", files],
]);

/** Skills that belong to an ability and come and go with it, whatever the agent chose. */
export const ownedSkills: ReadonlyMap<
  string,
  ToolNeed & { readonly feature: string | null; readonly host?: "cli" | "desktop" }
> = new Map([
  ["mavis", { all: [], feature: "mavis" }],
  ["create-agent", { all: [], feature: "mavis" }],
  ["minimax-code-product", { all: [], feature: "mavis" }],
  ["miniapp-creator", { all: ["read", "write", "edit", "bash"], feature: "miniApps" }],
  ["cu-desktop", { all: [], feature: "cuMode" }],
  ["resume-codex", { all: ["bash"], feature: null, host: "cli" }],
]);

/** Features that a host never has, and built-in skills that it never offers. */
export const hostLimits: Readonly<
  Record<"cli" | "desktop", { readonly features: readonly string[]; readonly disabled: readonly string[] }>
> = {
  cli: { features: ["mavis", "cuMode"], disabled: ["mavis-doctor", "plugin-creator"] },
  desktop: { features: [], disabled: [] },
};

/** Built-in skills that are off in a region. */
export const regionLimits: Readonly<Record<string, readonly string[]>> = { cn: ["x-link-reader"] };

/** Flags that built-in skills ask for in their own files. */
export const shippedBetaFlags: ReadonlyMap<string, string> = new Map([["mcode-tools-master", "mcodeTools"]]);

/** A flag that the live state decides, not the settings. */
export const liveBetaFlag = "cuMode";

/** Names that the build leaves out of the product. */
export const buildExclusions: readonly string[] = [
  "create-agent",
  "mavis",
  "mavis-doctor",
  "mavis-team",
  "miniapp-creator",
  "plugin-creator",
];

/** Names that the gate knows. An entry of another name is not gated. */
export const gatedNames: ReadonlySet<string> = new Set([...selectableSkills.keys(), ...ownedSkills.keys()]);
