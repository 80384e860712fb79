import { SkilletError } from "../../core/error.ts";
import type { Command, Context } from "../command.ts";
import { openOptions } from "../open-options.ts";
import { safeLine, safeLines } from "../output/safe-text.ts";
import { readInput } from "../read-input.ts";
import { usageError } from "../usage-error.ts";

/** `skillet run MESSAGE`: the agent, once, for scripts. */
export const run: Command = {
  name: "run",
  operands: "[MESSAGE…]",
  most: null,
  summary: "give the agent one task and print its answer",
  details: [
    "The answer goes to stdout, progress to stderr; with --json every event is one line on stdout. What is piped in goes along with the message, or is the message; files go along only when you name them yourself, with @ or --attach.",
    "Nobody can be asked, so what would need a question is left out; --yes allows it, but for dangerous commands and edits outside the folder. Rules in your configuration allow more: see docs/agent.md.",
    "Exit codes: 0 done, 1 the task failed or its answer is not whole, 2 no model, no such agent or wrong settings, 3 a skill or session that does not exist, 130 cancelled.",
  ],
  examples: [
    ['skillet run "what does this project do?"', "one answer"],
    ['git diff | skillet run "review this"', "with input"],
    ['skillet run --command release-notes "v2.1" --yes', "a skill, with its questions answered yes"],
    ['skillet run --schema answer.json "list the TODOs" > todos.json', "an answer for a program"],
  ],
  flags: ["model", "command", "schema", "attach", "preload", "continue", "resume", "yes"],
  run: runCommand,
};

async function runCommand(context: Context): Promise<number> {
  const { flags, io } = context;
  const typed = context.operands.join(" ").trim();
  const piped = await readInput(context);
  const command = flags.text("command");
  const { message, input, mentions } = messageOf(typed, piped, command);
  if (message === "")
    throw usageError("skillet run needs a message.", 'Write skillet run "MESSAGE", or pipe it in.');
  if (command !== undefined) await checkCommand(context, command);
  const [{ runOnce }, { readSchema }] = await Promise.all([
    import("../../agent/run/run-once.ts"),
    import("../read-schema.ts"),
  ]);
  const schema = flags.text("schema");
  const resumed = flags.text("resume");
  const result = await runOnce({
    open: openOptions(flags, io),
    model: flags.text("model") ?? null,
    agent: flags.text("agent") ?? null,
    resume: resumed !== undefined ? { id: resumed } : flags.on("continue") ? "last" : null,
    assumeYes: flags.on("yes"),
    schema: schema === undefined ? undefined : readSchema(schema, io.cwd),
    message,
    mentions,
    piped: input,
    files: flags.texts("attach"),
    preload: flags.texts("preload"),
    tell: (event) => {
      if (context.json) io.stdout.write(`${JSON.stringify(event)}\n`);
    },
    note: (text, tone) => {
      if (!context.json) context.note(text, tone);
    },
    onStop: (stop) => io.onStop?.(stop) ?? (() => {}),
  });
  if (!context.json) {
    if (result.answer !== "") context.write(shownAnswer(result.answer, io.stdout.isTTY));
    if (result.problem !== null) {
      io.stderr.write(`skillet: ${safeLine(result.problem.message)}\n`);
      if (result.problem.hint !== "") io.stderr.write(`  ${safeLine(result.problem.hint)}\n`);
    }
  }
  return result.exitCode;
}

/** Data for a program stays as it is; on a terminal nothing in it may move, colour or hide. */
function shownAnswer(answer: string, terminal: boolean): string {
  const text = terminal ? safeLines(answer).join("\n") : answer;
  return text.endsWith("\n") ? text : `${text}\n`;
}

interface Message {
  readonly message: string;
  /** What goes along as it is; null = nothing. */
  readonly input: string | null;
  /** Whether an `@` in the message names a file: only in what was typed. */
  readonly mentions: boolean;
}

/** What is piped in goes along with what was typed, as data; alone it is the message, or the command's arguments. */
function messageOf(typed: string, piped: string | null, command: string | undefined): Message {
  // What is piped in cannot end its frame or pose as a note of ours.
  const safe = (piped?.trim() ?? "").replace(/<(?=\s*\/?\s*(?:stdin|system-reminder))/gi, "&lt;");
  const text = typed === "" ? safe : typed;
  return {
    message: command === undefined ? text : `/${command} ${text}`.trim(),
    input: typed === "" || safe === "" ? null : `<stdin>\n${safe}\n</stdin>`,
    mentions: typed !== "",
  };
}

async function checkCommand(context: Context, command: string): Promise<void> {
  const skills = await context.skills();
  const known = skills.commands();
  if (known.some(({ name, aliases }) => name === command || aliases.includes(command))) return;
  const { closestNames } = await import("../../core/text/closest-names.ts");
  const near = closestNames(
    command,
    known.map(({ name }) => name),
    3,
  );
  throw new SkilletError("not-found", `There is no command "${command}".`, {
    hint: near.length === 0 ? "skillet commands lists them." : `Did you mean ${near.join(" or ")}?`,
  });
}
