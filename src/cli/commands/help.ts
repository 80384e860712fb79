import type { Command, Context } from "../command.ts";
import { helpFor } from "../help/help-for.ts";
import { aliases } from "../other-words.ts";
import { wrap } from "../output/text-width.ts";
import { commandNamed, commands, laterCommands } from "../registry.ts";
import { suggest } from "../suggest.ts";
import { usageError } from "../usage-error.ts";

/** `skillet help [NAME | CODE | exit-codes]`. */
export const help: Command = {
  name: "help",
  operands: "[NAME | CODE | exit-codes]",
  most: 1,
  summary: "all commands, one command, a finding's code, or the exit codes",
  run,
};

/** What each exit code says; docs/exit-codes.md tells more. */
export const exitCodes: readonly (readonly [code: number, meaning: string])[] = [
  [0, "done"],
  [1, "there are findings, or the operation failed"],
  [2, "wrong usage, configuration or environment"],
  [3, "what was named does not exist"],
  [130, "cancelled"],
];

async function run(context: Context): Promise<number> {
  const topic = context.operands[0];
  if (topic === "exit-codes") {
    if (context.json)
      context.printJson({ version: 1, exitCodes: exitCodes.map(([code, meaning]) => ({ code, meaning })) });
    else
      context.print(
        ...exitCodes.flatMap(([code, meaning]) =>
          wrap(meaning, context.paint.textWidth - 6).map(
            (line, at) => `${(at === 0 ? String(code) : "").padStart(4)}  ${line}`,
          ),
        ),
      );
    return 0;
  }
  if (topic === undefined) {
    const { overview } = await import("./overview.ts");
    context.write(await helpFor(overview, context.paint));
    return 0;
  }
  if (topic.includes("/")) {
    const { explainCode } = await import("../help/explain-code.ts");
    return explainCode(context, topic);
  }
  const entry = commandNamed(Object.hasOwn(aliases, topic) ? (aliases[topic] ?? topic) : topic);
  if (entry === undefined) {
    if (laterCommands.includes(topic)) throw usageError(`\`skillet ${topic}\` is not in this version.`, null);
    const names = [...commands.filter(({ group }) => group !== null).map(({ name }) => name), "exit-codes"];
    const near = suggest(topic, names);
    throw usageError(
      `There is no help about "${topic}".`,
      near.length === 0 ? "All commands: skillet help" : `Did you mean ${near.join(" or ")}?`,
    );
  }
  context.write(await helpFor(await entry.load(), context.paint));
  return 0;
}
