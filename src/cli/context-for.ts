import type { Skills } from "../host/skills.ts";
import type { Context } from "./command.ts";
import type { Io } from "./io.ts";
import { jsonPieces, jsonText } from "./output/json-text.ts";
import { plainPainter } from "./output/paint.ts";
import { safeText } from "./output/safe-text.ts";
import type { CommandLine } from "./parse-command-line.ts";

/** What a command gets to work with. Colours and widths are loaded only for runs that print for people. */
export async function contextFor(line: CommandLine, operands: readonly string[], io: Io): Promise<Context> {
  const { flags } = line;
  const json = flags.on("json");
  const people = json ? null : await import("./output/for-people.ts");
  const quiet = flags.on("quiet");
  let opened: Promise<Skills> | undefined;
  return {
    io,
    operands,
    flags,
    json,
    quiet,
    verbose: flags.on("verbose"),
    paint: people === null ? plainPainter : people.painterFor(io.stdout, io, flags),
    skills({ connect = true } = {}) {
      opened ??= open(line, io).then(async (skills) => {
        if (connect && Object.keys(skills.configuration.mcp).length > 0) await skills.connect();
        return skills;
      });
      return opened;
    },
    write: (text) => io.stdout.write(text),
    print: (...lines) => io.stdout.write(lines.map((text) => `${text}\n`).join("")),
    printJson(value) {
      if (io.stdout.writePieces === undefined) io.stdout.write(jsonText(value));
      else io.stdout.writePieces(jsonPieces(value));
    },
    note(text, tone) {
      if (quiet) return;
      const safe = safeText(text);
      io.stderr.write(
        people === null ? `${safe}\n` : people.noteText(safe, tone, people.painterFor(io.stderr, io, flags)),
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
