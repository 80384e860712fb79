import { compareNames } from "./order.ts";
import { terminalText } from "./terminal-text.ts";

/** An entry of the list that slash commands are made of; `enabled` left out = on. */
export interface CommandSkill {
  readonly name: string;
  readonly description?: string | null;
  readonly displayDescription?: string | null;
  readonly enabled?: boolean;
}

/** A command of the program itself. */
export interface BuiltinCommand {
  readonly name: string;
  readonly aliases?: readonly string[];
}

export interface SlashCommand {
  /** Lower case. */
  readonly name: string;
  readonly description: string;
  readonly usage: string;
  /** What a choice puts into the input line; the text is submitted as typed. */
  readonly template: string;
  /** Name of the skill behind it, as written. */
  readonly skill: string;
}

/** Longest name of a command in UTF-16 units. */
const longestName = 128;

/**
 * A slash command for every skill that is on (feature X14; spec minimax 5.3, golden `minimax.commands`): names in lower
 * case, in English order; left out are names that are empty, too long, hold white space, a slash or control characters,
 * that a command of the program has, or that came before.
 */
export function slashCommands(
  skills: readonly CommandSkill[],
  builtins: readonly BuiltinCommand[],
): readonly SlashCommand[] {
  const taken = new Set(
    builtins.flatMap(({ name, aliases = [] }) => [name, ...aliases].map((word) => word.toLowerCase())),
  );
  const commands: SlashCommand[] = [];
  for (const skill of skills) {
    if (skill.enabled === false) continue;
    const name = skill.name.trim().toLowerCase();
    if (name === "" || name.length > longestName || /[\s/]/.test(name) || terminalText(name) !== name)
      continue;
    if (taken.has(name)) continue;
    taken.add(name);
    commands.push({
      name,
      description: describe(skill),
      usage: `/${name} [instructions]`,
      template: `/${name} `,
      skill: skill.name,
    });
  }
  return commands.sort((a, b) => compareNames(a.name, b.name));
}

function describe({ description, displayDescription }: CommandSkill): string {
  const text = [displayDescription, description]
    .map((one) => terminalText(one ?? "").trim())
    .find((one) => one !== "");
  return text === undefined ? "[Skill]" : `[Skill] ${text}`;
}
