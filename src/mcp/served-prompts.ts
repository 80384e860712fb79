import type { CommandTemplate, VisibleSkill } from "../core/profile.ts";
import type { Skill } from "../core/snapshot.ts";
import type { Skills } from "../host/skills.ts";
import { pageAfter } from "./page-after.ts";
import type { Prompt, PromptArgument } from "./sdk.ts";

/** One page of the prompts: every skill that a person may call, as a slash command of the client. */
export function listPrompts(
  skills: Skills,
  cursor: string | undefined,
): { readonly prompts: Prompt[]; readonly nextCursor?: string } {
  const { page, nextCursor } = pageAfter(callable(skills), ({ command }) => command.name, cursor);
  const prompts = page.map(promptOf);
  return nextCursor === undefined ? { prompts } : { prompts, nextCursor };
}

/** Every prompt, in no special order. */
export function allPrompts(skills: Skills): readonly Prompt[] {
  return callable(skills).map(promptOf);
}

function promptOf({ command, skill }: Callable): Prompt {
  return {
    name: command.name,
    ...(skill.title === null ? {} : { title: skill.title }),
    description: command.description,
    arguments: argumentsOf(command, skill),
  };
}

/** What a called prompt sends, or why it can't be given (`isError`); null when there is none of that name. */
export async function promptText(
  skills: Skills,
  name: string,
  values: Readonly<Record<string, string>>,
): Promise<{ readonly description: string; readonly text: string; readonly isError: boolean } | null> {
  const found = callable(skills).find(({ command }) => command.name === name);
  if (found === undefined) return null;
  const { command, skill } = found;
  await skills.retrieve(skill.name, null, { by: "user" });
  const loaded = skills.load(skill.name, { by: "user", arguments: argumentText(skill, values) });
  return { description: command.description, text: loaded.output, isError: loaded.status !== "loaded" };
}

interface Callable {
  readonly command: CommandTemplate;
  readonly skill: Skill;
}

function callable(skills: Skills): readonly Callable[] {
  const byName = new Map(skills.entries.map((entry) => [entry.skill.name, entry]));
  return skills.commands().flatMap((command) => {
    const entry = byName.get(command.skill);
    return entry !== undefined && command.completion !== false && isTrusted(entry)
      ? [{ command, skill: entry.skill }]
      : [];
  });
}

/** What waits for trust is not told to a client, which shows names and descriptions to a model as it likes. */
function isTrusted({ trusted, hidden, permission }: VisibleSkill): boolean {
  return trusted && hidden === null && permission !== "deny";
}

const allArguments = "arguments";

function argumentsOf({ argumentHint }: CommandTemplate, { argumentNames }: Skill): PromptArgument[] {
  if (argumentNames.length > 0) return argumentNames.map((name) => ({ name, required: false }));
  return [
    { name: allArguments, description: argumentHint ?? "What it is for, in your own words", required: false },
  ];
}

/** The line of arguments that a person would have typed. */
function argumentText({ argumentNames }: Skill, values: Readonly<Record<string, string>>): string {
  const given = (name: string): string => (Object.hasOwn(values, name) ? (values[name] ?? "") : "");
  if (argumentNames.length === 0) return given(allArguments);
  const words = argumentNames.map(given);
  while (words.at(-1) === "") words.pop();
  return words.map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[^\s"']+$/.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`;
}
