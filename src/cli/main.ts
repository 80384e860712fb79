import type { Skills } from "../host/skills.ts";
import type { Command, Context } from "./command.ts";
import { type Io, processIo } from "./io.ts";
import { jsonText } from "./output/json-text.ts";
import { painterFor } from "./output/painter.ts";
import { safeText } from "./output/safe-text.ts";
import { wrap } from "./output/text-width.ts";
import { type CommandLine, checkFlags, parseCommandLine } from "./parse-command-line.ts";
import { commandFor } from "./resolve-command.ts";
import { usageError } from "./usage-error.ts";

/** Runs one command line (without node and script) and resolves to the exit code; never rejects. */
export async function main(args: readonly string[], io: Io = processIo()): Promise<number> {
  try {
    const line = parseCommandLine(args);
    const { command, operands } = await commandFor(line);
    if (line.flags.on("version") && line.word === null) {
      io.stdout.write(`${(await import("../version.ts")).version}\n`);
      return 0;
    }
    if (line.flags.on("help")) {
      const { helpFor } = await import("./help/help-for.ts");
      io.stdout.write(await helpFor(command, painterFor(io.stdout, io, line.flags)));
      return 0;
    }
    checkFlags(line, command.name, command.flags ?? []);
    checkOperands(command, operands);
    return await command.run(contextFor(line, operands, io));
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

function contextFor(line: CommandLine, operands: readonly string[], io: Io): Context {
  const { flags } = line;
  const paint = painterFor(io.stdout, io, flags);
  const quiet = flags.on("quiet");
  let opened: Promise<Skills> | undefined;
  return {
    io,
    operands,
    flags,
    json: flags.on("json"),
    quiet,
    verbose: flags.on("verbose"),
    paint,
    skills() {
      opened ??= open(line, io);
      return opened;
    },
    write: (text) => io.stdout.write(text),
    print: (...lines) => io.stdout.write(lines.map((text) => `${text}\n`).join("")),
    printJson: (value) => io.stdout.write(jsonText(value)),
    note: (text, tone) => {
      if (quiet) return;
      const notes = painterFor(io.stderr, io, flags);
      const color = tone === "dim" ? notes.dim : tone === "warning" ? notes.yellow : (line: string) => line;
      io.stderr.write(
        wrap(safeText(text), notes.textWidth)
          .map((line) => `${color(line)}\n`)
          .join(""),
      );
    },
  };
}

async function open(line: CommandLine, io: Io): Promise<Skills> {
  const [{ openSkills }, { openOptions }] = await Promise.all([
    import("../host/open-skills.ts"),
    import("./open-options.ts"),
  ]);
  return openSkills(openOptions(line.flags, io));
}
