import type { Command, Context } from "../command.ts";
import { flags } from "../flags.ts";
import { safeLine } from "../output/safe-text.ts";
import { parseCommandLine } from "../parse-command-line.ts";
import { commandNamed, commands } from "../registry.ts";

/** Commands whose first operand is a skill. */
const takesSkill: ReadonlySet<string> = new Set(["show", "why", "load", "enable", "disable"]);

const words: Readonly<Record<string, readonly string[]>> = {
  completion: ["bash", "zsh", "fish"],
  config: ["get", "set", "list", "schema"],
};

/**
 * Hidden: `skillet __complete -- WORD…` prints what may stand in place of the last word, one candidate a line, its
 * meaning behind a tab. Shell scripts call it at every press of the key, so nothing is opened unless names are wanted.
 */
export const complete: Command = {
  name: "__complete",
  operands: "WORD…",
  most: null,
  summary: "candidates for the last word",
  run,
};

async function run(context: Context): Promise<number> {
  const typed = context.operands.slice(0, -1);
  const current = context.operands.at(-1) ?? "";
  const candidates = await candidatesFor(context, typed, current);
  context.print(
    ...candidates
      .filter(([word]) => word.startsWith(current))
      .map(([word, meaning]) => (meaning === "" ? word : `${word}\t${meaning}`)),
  );
  return 0;
}

type Candidates = readonly (readonly [word: string, meaning: string])[];

async function candidatesFor(
  context: Context,
  typed: readonly string[],
  current: string,
): Promise<Candidates> {
  const before = typed.at(-1);
  const open = flags.find((flag) => `--${flag.name}` === before && flag.value !== undefined);
  if (open !== undefined)
    return open.name === "as" ? profiles() : (open.choices ?? []).map((word) => [word, ""]);
  const operands = operandsOf(typed);
  const entry = operands[0] === undefined ? undefined : commandNamed(operands[0]);
  const command = entry === undefined ? undefined : await entry.load();
  if (current.startsWith("-"))
    return flags
      .filter((flag) => flag.global === true || command?.flags?.includes(flag.name) === true)
      .map((flag) => [`--${flag.name}`, flag.summary]);
  if (operands.length === 0) return summaries();
  const [name = ""] = operands;
  if (operands.length > 1) return [];
  if (name === "help") return [...(await summaries()), ["exit-codes", "what each exit code means"]];
  if (takesSkill.has(name)) return skillNames(context, typed);
  return (words[name] ?? []).map((word) => [word, ""]);
}

function operandsOf(typed: readonly string[]): readonly string[] {
  return typed.filter((word, index) => {
    const previous = typed[index - 1];
    const isValue = flags.some((flag) => flag.value !== undefined && `--${flag.name}` === previous);
    return !isValue && !word.startsWith("-");
  });
}

async function summaries(): Promise<Candidates> {
  const shown = commands.filter((entry) => entry.group !== null);
  return Promise.all(shown.map(async (entry) => [entry.name, (await entry.load()).summary] as const));
}

async function profiles(): Promise<Candidates> {
  const { profileId, profiles: known } = await import("../../core/profiles/index.ts");
  return known.map((profile) => [profileId(profile), profile.title]);
}

/** Letters, digits and marks that mean nothing to a shell: the word is put into the command line as it is. */
const plainName = /^[\p{L}\p{N}_@%+=:,.][\p{L}\p{N}_@%+=:,.-]*$/u;

/** Names that may stand in a command line unquoted, without denied ones, found as the line being typed says. */
async function skillNames(context: Context, typed: readonly string[]): Promise<Candidates> {
  const [{ openSkills }, { openOptions }] = await Promise.all([
    import("../../host/open-skills.ts"),
    import("../open-options.ts"),
  ]);
  try {
    const skills = openSkills(openOptions(parseCommandLine(typed).flags, context.io));
    return skills.entries
      .filter(({ skill, permission }) => permission !== "deny" && plainName.test(skill.name))
      .map(({ skill }) => [skill.name, safeLine(skill.description ?? "").slice(0, 60)]);
  } catch {
    return []; // A line that is wrong so far has no candidates; the shell must not print anything.
  }
}
