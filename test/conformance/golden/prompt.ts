import { execFileSync } from "node:child_process";
import {
  byteCounter,
  type Guidance,
  type GuidanceState,
  isDisabled,
  nextGuidance,
  openSkills,
  type Profile,
  type Skills,
} from "../../../src/index.ts";
import { compare, type GoldenCase, type GoldenOutcome, type GoldenSuite } from "./golden-file.ts";
import { type Tree, type TreeInput, withTree } from "./tree.ts";

/** One answer of the scripted model: calls of tools, or text. */
interface Step {
  readonly tool?: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly tools?: readonly { readonly tool: string; readonly args: Readonly<Record<string, unknown>> }[];
}

interface SectionExpected {
  readonly skills_section?: string | null;
  readonly skills_section_without_builtin?: string;
  readonly skill_tool_offered?: boolean;
  readonly tool_results?: readonly string[];
}

interface RunInput extends TreeInput {
  readonly argv: readonly string[];
  readonly model_script: readonly Step[];
}

interface TurnsInput extends TreeInput {
  readonly permission?: unknown;
  readonly turns: readonly {
    readonly prompt: string;
    readonly steps: readonly Step[];
    readonly agent?: string;
  }[];
}

/** `opencode.prompt`: catalog, tool results and the user's message of one run of the program's command line. */
export function runSuite(profile: string): GoldenSuite {
  return (goldenCase) => {
    const input = goldenCase.input as RunInput;
    const expected = goldenCase.expected as SectionExpected & { readonly user_message?: readonly string[] };
    return withTree(input, (tree) => {
      const request = readArguments(input.argv);
      const skills = open(profile, tree, request.agent);
      const actual = {
        ...section(skills, expected),
        ...(expected.tool_results === undefined
          ? {}
          : { tool_results: toolResults(skills, input.model_script, { tree, approved: request.approved }) }),
        ...(expected.user_message === undefined ? {} : { user_message: [userMessage(skills, request)] }),
      };
      const wanted = {
        ...expectedSection(expected),
        ...(expected.tool_results === undefined ? {} : { tool_results: expected.tool_results }),
        ...(expected.user_message === undefined ? {} : { user_message: expected.user_message }),
      };
      return compareResults(tree.fillAll(wanted), actual, tree.fillAll(goldenCase) as GoldenCase);
    });
  };
}

/**
 * `opencode-v2.prompt`: the same after each turn of a conversation; results add up from turn to turn. The section of the
 * first turn stays; what changed since is told behind the user's message (decision D6).
 */
export function turnsSuite(profile: string): GoldenSuite {
  return (goldenCase) => {
    const input = goldenCase.input as TurnsInput;
    const { turns } = goldenCase.expected as {
      readonly turns: readonly (SectionExpected & { readonly user_messages?: readonly string[] })[];
    };
    const config = input.permission === undefined ? {} : { permission: input.permission };
    return withTree({ ...input, config: { ...input.config, "$PROJECT/opencode.json": config } }, (tree) => {
      const results: string[] = [];
      const prompts: string[] = [];
      const actual: unknown[] = [];
      const wanted: unknown[] = [];
      let told: GuidanceState | null = null;
      for (const [index, turn] of input.turns.entries()) {
        const expected = turns[index] ?? {};
        const skills = open(profile, tree, turn.agent ?? null);
        const guidance: Guidance = guidanceOf(skills, told, expected);
        told = guidance.state;
        prompts.push(guidance.message === null ? turn.prompt : `${turn.prompt}\n${guidance.message}`);
        results.push(...toolResults(skills, turn.steps, { tree, approved: false }));
        actual.push({
          section: guidance.system,
          offered: !isDisabled(skills.preparation.permission, "skill"),
          ...(expected.tool_results === undefined ? {} : { tool_results: [...results] }),
          user_messages: [...prompts],
        });
        wanted.push({
          ...expectedSection(expected),
          ...(expected.tool_results === undefined ? {} : { tool_results: expected.tool_results }),
          user_messages: expected.user_messages?.map((message) => withoutBuiltIn(message, expected)),
        });
        skills.close();
      }
      return compare(tree.fillAll(wanted), actual);
    });
  };
}

function open(profile: string, tree: Tree, agent: string | null): Skills {
  return openSkills({
    profile,
    cwd: tree.cwd,
    home: tree.home,
    env: tree.env,
    ...(agent === null ? {} : { agent }),
  });
}

/** The section that a model sees, without the built-in entry where the recording has it so. */
function section(skills: Skills, expected: SectionExpected): Readonly<Record<string, unknown>> {
  const { text } = skills.profile.catalog(requestFor(skills, expected));
  return { section: text, offered: !isDisabled(skills.preparation.permission, "skill") };
}

/** An update in a message without the built-in entry, where the recording has the section so. */
function withoutBuiltIn(message: string, expected: SectionExpected): string {
  if (expected.skills_section_without_builtin === undefined) return message;
  const [open, close] = [
    "  &lt;skill&gt;\n    &lt;name&gt;customize-opencode&lt;/name&gt;\n",
    "  &lt;/skill&gt;\n",
  ];
  const from = message.indexOf(open);
  const to = from < 0 ? -1 : message.indexOf(close, from);
  return to < 0 ? message : message.slice(0, from) + message.slice(to + close.length);
}

function requestFor(skills: Skills, expected: SectionExpected): Parameters<Profile["catalog"]>[0] {
  const withBuiltIn = expected.skills_section_without_builtin === undefined;
  return {
    skills: skills.entries.filter(
      (entry) => entry.modelInvocable && (withBuiltIn || entry.skill.embedded === null),
    ),
    permission: skills.preparation.permission,
    window: null,
    budget: null,
    configuration: skills.configuration,
    counter: byteCounter,
  };
}

/** What the product tells at this turn, of the entries that the recording counts. */
function guidanceOf(skills: Skills, before: GuidanceState | null, expected: SectionExpected): Guidance {
  const request = requestFor(skills, expected);
  const { profile } = skills;
  const prefix = { model: "", agent: "", permission: request.permission, tools: "" };
  return nextGuidance(before, { profile, catalog: profile.catalog(request), request, prefix });
}

function expectedSection(expected: SectionExpected): Readonly<Record<string, unknown>> {
  return {
    section: expected.skills_section_without_builtin ?? expected.skills_section ?? null,
    offered: expected.skill_tool_offered,
  };
}

function toolResults(
  skills: Skills,
  steps: readonly Step[],
  options: { readonly tree: Tree; readonly approved: boolean },
): readonly string[] {
  const results: string[] = [];
  const calls = steps.flatMap(
    ({ tool, args, tools }) => tools ?? (tool === undefined ? [] : [{ tool, args: args ?? {} }]),
  );
  for (const { tool, args } of calls) {
    if (tool === "skill") {
      const loaded = skills.load(String(args.name), { by: "model", approved: options.approved });
      const failed = loaded.status !== "loaded";
      results.push(failed ? (skills.profile.failedCall?.(loaded.output) ?? loaded.output) : loaded.output);
    } else if (tool === "bash") {
      execFileSync("bash", ["-c", options.tree.fill(String(args.command))], {
        cwd: options.tree.cwd,
        stdio: "ignore",
      });
    }
  }
  return results;
}

interface RunRequest {
  readonly agent: string | null;
  readonly command: string | null;
  readonly approved: boolean;
  /** The remaining words as the command line joins them. */
  readonly text: string;
}

function readArguments(argv: readonly string[]): RunRequest {
  const values = new Map<string, string>();
  const words: string[] = [];
  let approved = false;
  for (let index = 1; index < argv.length; index++) {
    const word = argv[index] ?? "";
    if (word === "--auto") approved = true;
    else if (word.startsWith("--")) values.set(word, argv[++index] ?? "");
    else words.push(/\s/.test(word) ? `"${word.replaceAll('"', '\\"')}"` : word);
  }
  return {
    agent: values.get("--agent") ?? null,
    command: values.get("--command") ?? null,
    approved,
    text: words.join(" "),
  };
}

function userMessage(skills: Skills, { command, text }: RunRequest): string {
  if (command === null) return text;
  const template =
    skills.commands().find(({ name }) => name === command)?.template ??
    skills.preparation.commands.find(({ name }) => name === command)?.template;
  return template === undefined
    ? `no command ${command}`
    : (skills.profile.fillTemplate?.(template, text) ?? template);
}

/** The system's own lists of files vary in order, so they are compared as sets; cut ones by what was ever listed. */
function compareResults(expected: unknown, actual: unknown, recorded: GoldenCase): GoldenOutcome {
  const seen = new Set(recorded.file_lists_observed?.flat(2));
  const view = (value: unknown): unknown =>
    withFiles(value, (files) =>
      recorded.file_set_stable === false
        ? files.map((file) => (seen.has(file) ? "observed" : file))
        : [...files].sort(),
    );
  return compare(view(expected), view(actual));
}

const fileLines = /(?:<file>[^\n]*<\/file>\n)+/g;

/** Every list of files in a text or in the texts of a value, changed. */
function withFiles(value: unknown, change: (files: readonly string[]) => readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withFiles(item, change));
  if (typeof value === "string")
    return value.replace(fileLines, (lines) => {
      const files = [...lines.matchAll(/<file>([^\n]*)<\/file>/g)].map(([, file]) => file ?? "");
      return `${change(files).join("\n")}\n`;
    });
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withFiles(item, change)]));
}
