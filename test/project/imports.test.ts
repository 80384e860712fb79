import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

// The direction of imports and the purity of the core (ARCHITECTURE.md) hold by this test, not by agreement.

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Lowest first: a layer imports itself and lower ones. Layers of one rank don't know each other. */
const ranks: Readonly<Record<string, number>> = {
  core: 0,
  version: 0,
  packs: 0.5,
  host: 1,
  remote: 2,
  index: 3,
  adapters: 4,
  testing: 4,
  mcp: 5,
  agent: 5,
  cli: 6,
  bin: 7,
};

const corePackages = new Set(["yaml"]);

/** What would make the core depend on the machine, the moment or the runtime. */
const impure: ReadonlyArray<readonly [name: string, pattern: RegExp]> = [
  ["process", /(?<![\w.$])(?:globalThis\.)?process\s*[.?[]/],
  ["the clock", /\bDate\.now\s*\(|\bnew\s+Date\s*\(\s*\)|(?<![\w.$])Date\s*\(\s*\)|\bperformance\.now\b/],
  ["a date", /\bnew\s+Date\s*\(/],
  ["randomness", /\bMath\.random\s*\(|\bcrypto\.(?:random|getRandom)/],
  ["Buffer", /(?<![\w.$"'])Buffer\s*[.(]/],
  ["the network", /(?<![\w.$])fetch\s*\(/],
  ["require", /(?<![\w.$])require\s*\(/],
];

const agents = [
  ...["skillet", "opencode", "opencode-v2", "mimo", "mimo-code", "mimocode", "minimax", "minimax-code"],
  ...[
    "claude",
    "claude-code",
    "codex",
    "copilot",
    "cursor",
    "gemini",
    "gemini-cli",
    "goose",
    "kimi",
    "kimi-code",
  ],
  ...[
    "amp",
    "cline",
    "crush",
    "deepagents",
    "droid",
    "factory",
    "junie",
    "kilo",
    "kiro",
    "openclaw",
    "openhands",
  ],
  ...["pi", "qwen", "qwen-code", "roo", "trae", "vscode", "windsurf", "zed"],
];

interface Source {
  /** From the repository's root, with slashes: `src/core/path.ts`. */
  readonly path: string;
  /** Without comments. */
  readonly code: string;
  /** Without comments, and with the insides of quoted strings removed. */
  readonly bare: string;
  readonly imports: readonly string[];
}

const sources = readSources();

describe("imports", () => {
  test("every source file belongs to a layer", () => {
    expect(sources.map((source) => source.path).filter((path) => !(layerOf(path) in ranks))).toEqual([]);
  });

  test("a layer imports only itself and lower layers", () => {
    const wrong = relativeImports(sources).filter(({ from, to }) => {
      const [above, below] = [layerOf(from), layerOf(to)];
      if (above === below) return false;
      return (ranks[below] ?? Number.POSITIVE_INFINITY) >= (ranks[above] ?? 0);
    });
    expect(wrong.map(arrow)).toEqual([]);
  });

  test("only the command's entry imports the command line", () => {
    const wrong = relativeImports(sources).filter(
      ({ from, to }) => layerOf(to) === "cli" && !["cli", "bin"].includes(layerOf(from)),
    );
    expect(wrong.map(arrow)).toEqual([]);
  });

  test("nothing in src imports from outside src", () => {
    expect(
      relativeImports(sources)
        .filter(({ to }) => !to.startsWith("src/"))
        .map(arrow),
    ).toEqual([]);
  });

  test("the core imports no runtime module and no package but yaml", () => {
    const wrong = packageImports(core()).filter(({ to }) => isBuiltin(to) || !corePackages.has(to));
    expect(wrong.map(arrow)).toEqual([]);
  });

  test("the core's folders don't know the profiles", () => {
    const wrong = relativeImports(core()).filter(({ from, to }) => {
      if (!isProfile(to) || isProfile(from)) return false;
      return !(to === profilesIndex && /^src\/core\/(?:index\.ts$|registry(?:\.ts$|\/))/.test(from));
    });
    expect(wrong.map(arrow)).toEqual([]);
  });

  test("the shells take profiles from their index", () => {
    const wrong = relativeImports(sources).filter(
      ({ from, to }) => layerOf(from) !== "core" && isProfile(to) && to !== profilesIndex,
    );
    expect(wrong.map(arrow)).toEqual([]);
  });
});

describe("code", () => {
  test("the core is the same on every machine and at every moment", () => {
    const found = core().flatMap((source) =>
      impure.flatMap(([name, pattern]) =>
        linesWith(source.bare, pattern).map((line) => `${source.path}:${line} ${name}`),
      ),
    );
    expect(found).toEqual([]);
  });

  test("no branch on an agent's name outside the profiles", () => {
    const found = sources
      .filter((source) => !isProfile(source.path))
      .flatMap((source) => agentBranches(source.code).map((line) => `${source.path}:${line}`));
    expect(found).toEqual([]);
  });

  test("a branch on an agent's name would be found", () => {
    const branches = [
      'if (profile.name === "opencode") run();',
      'if ("mimo" !== name) run();',
      'switch (name) {\n  case "minimax":\n}',
      'if (["mimo", "opencode"].includes(name)) run();',
      'if (name.startsWith("opencode")) run();',
      "if (id == `opencode-v2`) run();",
    ];
    expect(branches.filter((code) => agentBranches(code).length === 0)).toEqual([]);
    expect(
      agentBranches(
        'const standard = "skillet"; read(".opencode/skills"); // === "mimo"'.split("//")[0] ?? "",
      ),
    ).toEqual([]);
  });
});

const profilesIndex = "src/core/profiles/index.ts";

function core(): readonly Source[] {
  return sources.filter((source) => layerOf(source.path) === "core");
}

function isProfile(path: string): boolean {
  return path.startsWith("src/core/profiles/");
}

/** `core` for src/core/path.ts, `index` for src/index.ts. */
function layerOf(path: string): string {
  return path.split("/")[1]?.replace(/\.ts$/, "") ?? "";
}

interface Edge {
  readonly from: string;
  readonly to: string;
}

function arrow(edge: Edge): string {
  return `${edge.from} -> ${edge.to}`;
}

function relativeImports(from: readonly Source[]): readonly Edge[] {
  return from.flatMap((source) =>
    source.imports
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => ({ from: source.path, to: posix.join(dirname(source.path), specifier) })),
  );
}

function packageImports(from: readonly Source[]): readonly Edge[] {
  return from.flatMap((source) =>
    source.imports.filter((specifier) => !specifier.startsWith(".")).map((to) => ({ from: source.path, to })),
  );
}

function agentBranches(code: string): readonly number[] {
  const name = `["'\`](?:${agents.join("|")})(?:@[^"'\`]*)?["'\`]`;
  const patterns = [
    `[!=]==?\\s*${name}`,
    `${name}\\s*[!=]==?`,
    `\\bcase\\s+${name}`,
    `\\[[^\\]]*${name}[^\\]]*\\]\\s*\\.(?:includes|indexOf|some)\\(`,
    `\\.(?:startsWith|endsWith|includes)\\(\\s*${name}`,
  ];
  return patterns.flatMap((pattern) => linesWith(code, new RegExp(pattern)));
}

/** 1-based numbers of the lines where a match begins. */
function linesWith(code: string, pattern: RegExp): readonly number[] {
  const matches = code.matchAll(new RegExp(pattern.source, `${pattern.flags}g`));
  return [...matches].map((match) => code.slice(0, match.index).split("\n").length);
}

function readSources(): readonly Source[] {
  return readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/[\\/]fixtures[\\/]/.test(path))
    .map((path) => readSource(path))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function readSource(path: string): Source {
  const text = readFileSync(path, "utf8");
  const lexeme = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;
  const blank = (match: string) => match.replace(/[^\n]/g, " ");
  const code = text.replace(lexeme, (match) => (match.startsWith("/") ? blank(match) : match));
  const bare = code.replace(lexeme, (match) => (match.startsWith("`") ? match : '""'));
  const statement = /\b(?:import|export)\s+(?:type\s+)?(?:[\w*{}\s,$]+?\s+from\s+)?["']([^"'\n]+)["']/g;
  const dynamic = /\bimport\s*\(\s*["'`]([^"'`\n]+)["'`]/g;
  const imports = [...code.matchAll(statement), ...code.matchAll(dynamic)].map((match) => match[1] ?? "");
  return { path: path.slice(root.length).replaceAll("\\", "/"), code, bare, imports };
}
