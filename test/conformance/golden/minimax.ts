import {
  type BuiltinCommand,
  type CommandSkill,
  catalogBudget,
  enabledBuiltins,
  minimaxYamlLimits,
  o200kCounter,
  type PanelSkill,
  readMinimaxSkill,
  readPluginSkill,
  renderMinimaxCatalog,
  shippedBetaFlags,
  skillsPanel,
  slashCommands,
  slashReminder,
} from "../../../src/index.ts";
import { compare, type GoldenFile, type GoldenSuite } from "./golden-file.ts";
import { precedenceSuite } from "./minimax-precedence.ts";
import { seedingSuite } from "./minimax-seeding.ts";

/** A list of a case, or the pool that it names. */
function listOf<T>(value: unknown, { pools = {} }: GoldenFile): readonly T[] {
  return (typeof value === "string" ? pools[value.slice(1)] : value) as readonly T[];
}

const frontmatterSuite: GoldenSuite = ({ input, expected }) => {
  const { dirName, text, dataDir } = input as {
    readonly dirName: string;
    readonly text: string;
    readonly dataDir: string | null;
  };
  const wanted = expected as { readonly diagnostics: readonly string[] | null };
  const { document, diagnostics } = readMinimaxSkill(text, {
    path: "x",
    folder: dirName,
    dataFolder: dataDir,
    limits: minimaxYamlLimits,
  });
  return compare(expected, {
    name: document.name,
    title: document.title,
    description: document.description,
    diagnostics: wanted.diagnostics && diagnostics.flatMap(({ profileCode }) => profileCode ?? []),
    loaded: true,
  });
};

const pluginSkillSuite: GoldenSuite = ({ input, expected }) => {
  const { text, dirName, options } = input as {
    readonly text: string;
    readonly dirName: string;
    readonly options: { readonly agentSkills: boolean; readonly expectedName?: string };
  };
  const read = readPluginSkill(text, { folder: dirName, ...options });
  return compare(
    expected,
    read.ok ? { name: read.name, description: read.description } : { error: read.code },
  );
};

const gatingSuite: GoldenSuite = ({ input, expected }, file) => {
  const { skills, tools, features, host } = input as {
    readonly skills: readonly string[] | null;
    readonly tools: readonly string[] | null;
    readonly features: Readonly<Record<string, unknown>> & {
      readonly region: string | null;
      readonly beta: Readonly<Record<string, unknown>>;
    };
    readonly host: "cli" | "desktop";
  };
  const { table } = file as GoldenFile & { readonly table: readonly string[] };
  const enabled = enabledBuiltins(table, {
    skills,
    tools,
    features: Object.keys(features).filter((name) => features[name] === true),
    host,
    region: features.region,
    beta: features.beta,
    flags: shippedBetaFlags,
  });
  return compare(expected, { enabled });
};

const catalogSuite: GoldenSuite = ({ input, expected }, file) => {
  const { skills, window } = input as { readonly skills: unknown; readonly window: number | null };
  const { text, tokens, softOverflow, hardOverflow } = renderMinimaxCatalog(listOf(skills, file), {
    budget: catalogBudget(window),
    counter: o200kCounter(),
  });
  return compare(expected, { text, tokens, softOverflow, hardOverflow });
};

const slashSuite: GoldenSuite = ({ input, expected }) => {
  const { text, skills } = input as { readonly text: string; readonly skills: readonly string[] };
  return compare(expected, { reminder: slashReminder([text], skills)?.name ?? null });
};

const commandsSuite: GoldenSuite = ({ input, expected }) => {
  const { skills, builtinCommands } = input as {
    readonly skills: readonly CommandSkill[];
    readonly builtinCommands: readonly BuiltinCommand[];
  };
  return compare(expected, { commands: slashCommands(skills, builtinCommands).map(({ name }) => name) });
};

const panelSuite: GoldenSuite = ({ input, expected }, file) => {
  const { skills, filter } = input as { readonly skills: unknown; readonly filter?: string };
  const { groups } = skillsPanel(listOf<PanelSkill>(skills, file), filter);
  return compare(expected, {
    groups: groups.map(({ title, rows }) => ({ title, rows: rows.map(({ name }) => name) })),
  });
};

/** Suites of MiniMax Code's rules, by the `suite` field of a file. */
export const minimaxSuites: Readonly<Record<string, GoldenSuite>> = {
  "minimax.catalog": catalogSuite,
  "minimax.commands": commandsSuite,
  "minimax.frontmatter": frontmatterSuite,
  "minimax.gating": gatingSuite,
  "minimax.plugin-skill": pluginSkillSuite,
  "minimax.precedence": precedenceSuite,
  "minimax.seeding": seedingSuite,
  "minimax.skills-panel": panelSuite,
  "minimax.slash": slashSuite,
};
