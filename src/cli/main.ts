import type { Command } from "./command.ts";
import { contextFor } from "./context-for.ts";
import { type Io, processIo } from "./io.ts";
import { checkFlags, parseCommandLine } from "./parse-command-line.ts";
import { commandFor } from "./resolve-command.ts";
import { usageError } from "./usage-error.ts";

/** Runs one command line (without node and script) and resolves to the exit code; never rejects. */
export async function main(args: readonly string[], io: Io = processIo()): Promise<number> {
  try {
    const line = parseCommandLine(args);
    const { command, operands } = await commandFor(line);
    if (line.flags.on("version")) {
      io.stdout.write(`${(await import("../version.ts")).version}\n`);
      return 0;
    }
    if (line.flags.on("help")) {
      const { helpFor } = await import("./help/help-for.ts");
      const { painterFor } = await import("./output/painter.ts");
      io.stdout.write(await helpFor(command, painterFor(io.stdout, io, line.flags)));
      return 0;
    }
    checkFlags(line, command.name, command.flags ?? []);
    checkOperands(command, operands);
    return await command.run(await contextFor(line, operands, io));
  } catch (error) {
    const { reportError } = await import("./report-error.ts");
    return reportError(error, args, io);
  }
}

function checkOperands(command: Command, operands: readonly string[]): void {
  const least = command.least ?? 0;
  const most = command.most === undefined ? least : command.most;
  const usage = `Usage: skillet ${command.name} ${command.operands ?? ""}`.trimEnd();
  if (operands.length < least) throw usageError(`skillet ${command.name} needs more arguments.`, usage);
  if (most !== null && operands.length > most)
    throw usageError(`skillet ${command.name} takes no "${operands[most]}".`, usage);
}
