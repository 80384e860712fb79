import { programName } from "./command-options.ts";
import { innerCommands } from "./inner-commands.ts";
import type { ShellCommand } from "./shell-words.ts";

/** Programs whose second word says what is done; an "always" then covers any arguments behind it. */
const withVerb: ReadonlySet<string> = new Set(
  "git npm pnpm yarn cargo go just uv pip pip3 poetry dotnet mvn gradle".split(" "),
);

/** Marks an answer that covers only the very same command. */
const exactly = "= ";

/**
 * What an answer "always" to this command stores: `npm test`, `git commit`, `npm run build` with any arguments; for
 * every other program, and whatever sets variables or writes by a redirection, only the very same command.
 */
export function rememberedCommand(command: ShellCommand): string {
  const { words, assignments, writes, reads } = command;
  const [name = "", verb = ""] = words;
  const exact = `${exactly}${commandLine(command)}`;
  if (assignments.length + writes.length + reads.length > 0 || !withVerb.has(name)) return exact;
  if (!/^[a-z][\w:-]*$/.test(verb) || innerCommands(words).length > 0) return exact;
  if (/^(?:exec|x|dlx|explore|init|create|config|set)$/.test(verb)) return exact;
  if (verb !== "run" && verb !== "run-script") return `${name} ${verb}`;
  // `npm run` alone would cover every script.
  const script = words[2] ?? "";
  return /^(?:p?npm|yarn)$/.test(name) && /^[\w:.-]+$/.test(script) && !script.startsWith("-")
    ? `${name} ${verb} ${script}`
    : exact;
}

/** Whether a remembered answer covers a command. */
export function coversCommand(pattern: string, command: ShellCommand): boolean {
  if (pattern.startsWith(exactly)) return commandLine(command) === pattern.slice(exactly.length);
  // Answers of an earlier version may hold one word alone; what that covers was never shown.
  const remembered = rememberedCommand(command);
  return remembered === pattern && !remembered.startsWith(exactly);
}

/** A remembered answer for people. */
export function rememberedText(pattern: string): string {
  return pattern.startsWith(exactly) ? `exactly ${pattern.slice(exactly.length)}` : `${pattern} …`;
}

/** One command in one spelling: equal for equal commands only. */
export function commandLine({ words, assignments, redirections, globs }: ShellCommand): string {
  const quote = (word: string): string =>
    /^[\w./:=@%+,-]+$/.test(word) || globs.includes(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  return [
    ...assignments.map(quote),
    ...words.map(quote),
    ...redirections.map(
      (one) => `${one.slice(0, one.indexOf(" ") + 1)}${quote(one.slice(one.indexOf(" ") + 1))}`,
    ),
  ].join(" ");
}

/** The spellings under which rules see a command. */
export interface CommandForms {
  /** As it stands: with its variables, and without. A rule that allows has to hold for both. */
  readonly own: readonly string[];
  /** Without the program's folder, and what it runs inside. A rule that denies holds for these too. */
  readonly more: readonly string[];
}

export function commandForms({ words, assignments }: ShellCommand): CommandForms {
  const bare = ([name = "", ...rest]: readonly string[]): string => [programName(name), ...rest].join(" ");
  return {
    own: [[...assignments, ...words].join(" "), words.join(" ")],
    more: [words, ...innerCommands(words)].map(bare),
  };
}
