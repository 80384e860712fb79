/** Where one agent keeps skills. Data; sources and dates are in docs/profiles/skillet.md. */
export interface Brand {
  readonly id: string;
  /** For people. */
  readonly title: string;
  /** Folders below each workspace level. */
  readonly workspace: readonly string[];
  /** User folders; every one that applies is searched, in this order. */
  readonly user: readonly UserPlace[];
}

/** A user folder: below the first variable that is set, else below the home folder. */
export interface UserPlace {
  /** Variables that move it: the value, plus `suffix`. The first one set wins. */
  readonly moved: readonly { readonly variable: string; readonly suffix: string }[];
  /** Below the home folder; null = only when a variable is set. */
  readonly home: string | null;
  readonly folders: readonly string[];
}

const one: readonly string[] = ["skills"];
/** OpenCode and its relatives accept both words. */
const both: readonly string[] = ["skills", "skill"];

function place(
  home: string | null,
  folders: readonly string[] = one,
  moved: readonly { readonly variable: string; readonly suffix: string }[] = [],
): UserPlace {
  return { home, folders, moved };
}

/** Every brand that profile `skillet` knows, by id. */
export const brands: ReadonlyMap<string, Brand> = new Map(
  (
    [
      {
        id: "skillet",
        title: "Skillet",
        workspace: [".skillet/skills"],
        user: [
          place(".config/skillet", one, [
            { variable: "SKILLET_CONFIG_DIR", suffix: "" },
            { variable: "XDG_CONFIG_HOME", suffix: "/skillet" },
          ]),
          place(".skillet"),
        ],
      },
      {
        id: "agents",
        title: "shared convention",
        workspace: [".agents/skills"],
        user: [
          place(".agents"),
          place(".config/agents", one, [{ variable: "XDG_CONFIG_HOME", suffix: "/agents" }]),
        ],
      },
      {
        id: "claude",
        title: "Claude Code",
        workspace: [".claude/skills"],
        user: [place(".claude", one, [{ variable: "CLAUDE_CONFIG_DIR", suffix: "" }])],
      },
      {
        id: "codex",
        title: "Codex",
        workspace: [".codex/skills"],
        user: [place(".codex", one, [{ variable: "CODEX_HOME", suffix: "" }])],
      },
      {
        id: "opencode",
        title: "OpenCode",
        workspace: [".opencode/skills", ".opencode/skill"],
        user: [
          place(null, both, [{ variable: "OPENCODE_CONFIG_DIR", suffix: "" }]),
          place(".config/opencode", both, [{ variable: "XDG_CONFIG_HOME", suffix: "/opencode" }]),
          place(".opencode", both),
        ],
      },
      {
        id: "gemini",
        title: "Gemini CLI",
        workspace: [".gemini/skills"],
        user: [place(".gemini", one, [{ variable: "GEMINI_CLI_HOME", suffix: "/.gemini" }])],
      },
      {
        id: "github",
        title: "GitHub Copilot",
        workspace: [".github/skills"],
        user: [place(".copilot", one, [{ variable: "COPILOT_HOME", suffix: "" }])],
      },
      {
        id: "cursor",
        title: "Cursor",
        workspace: [".cursor/skills"],
        user: [place(".cursor", one, [{ variable: "CURSOR_CONFIG_DIR", suffix: "" }])],
      },
      {
        id: "mimocode",
        title: "MiMo Code",
        workspace: [".mimocode/skills", ".mimocode/skill"],
        user: [
          place(null, both, [{ variable: "MIMOCODE_CONFIG_DIR", suffix: "" }]),
          place(".config/mimocode", both, [
            { variable: "MIMOCODE_HOME", suffix: "/config" },
            { variable: "XDG_CONFIG_HOME", suffix: "/mimocode" },
          ]),
          place(".mimocode", both),
        ],
      },
      {
        id: "minimax",
        title: "MiniMax Code",
        workspace: [".minimax/skills"],
        user: [
          place(".minimax-code", one, [
            { variable: "MINIMAX_DATA_DIR", suffix: "" },
            { variable: "MAVIS_DATA_DIR", suffix: "" },
          ]),
          place(".minimax"),
        ],
      },
    ] satisfies readonly Brand[]
  ).map((brand) => [brand.id, brand]),
);
