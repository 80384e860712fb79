import type { Command } from "./command.ts";
import { aliases, foreignVerbs, otherWords } from "./other-words.ts";
import type { CommandLine } from "./parse-command-line.ts";
import { commandNamed, commands, laterCommands } from "./registry.ts";
import { suggest } from "./suggest.ts";
import { usageError } from "./usage-error.ts";

/**
 * Which command a line names. The first word decides: a command's name or alias is that command; a word of another tool, or one
 * close to a command's name, is an error with a suggestion; anything with a blank in it, anything after `--`, and any
 * other word begins a request.
 */
export async function commandFor(
  line: CommandLine,
): Promise<{ readonly command: Command; readonly operands: readonly string[] }> {
  const { word } = line;
  if (word === null) {
    if (line.operands.length > 0) return { command: await request(), operands: line.operands };
    return { command: (await import("./commands/overview.ts")).overview, operands: [] };
  }
  const entry = commandNamed(Object.hasOwn(aliases, word) ? (aliases[word] ?? word) : word);
  if (entry !== undefined) return { command: await entry.load(), operands: line.operands };
  if (laterCommands.includes(word))
    throw usageError(
      `\`skillet ${word}\` is not in this version.`,
      `What there is: skillet help. As a request: skillet -- "${[word, ...line.operands].join(" ")}"`,
    );
  const asRequest = `As a request: skillet -- "${[word, ...line.operands].join(" ")}"`;
  const verb = Object.hasOwn(foreignVerbs, word) ? foreignVerbs[word] : undefined;
  // Behind a verb and one word stands the name of a skill; more words are a request.
  if (verb !== undefined && line.operands.length < 2 && !/\s/.test(line.operands[0] ?? ""))
    throw usageError(`There is no command "${word}".`, `${verb} ${asRequest}`);
  const meant = intended(word);
  if (meant.length > 0) {
    const lines = meant.map((name) => `skillet ${name}`).join(" or ");
    throw usageError(`There is no command "${word}".`, `Did you mean ${lines}? ${asRequest}`);
  }
  return { command: await request(), operands: [word, ...line.operands] };
}

async function request(): Promise<Command> {
  return (await import("./commands/request.ts")).request;
}

function intended(word: string): readonly string[] {
  if (/\s/.test(word)) return [];
  const other = Object.hasOwn(otherWords, word) ? otherWords[word] : undefined;
  if (other !== undefined) return [other];
  const names = commands.filter((entry) => entry.group !== null).map((entry) => entry.name);
  return suggest(word, names);
}
