import type { Command } from "../../src/cli/command.ts";
import { type Flag, flags } from "../../src/cli/flags.ts";
import { commands } from "../../src/cli/registry.ts";

/** `docs/cli.md`: every command with its flags, from the tables that the help is made of. */
export async function commandPage(): Promise<string> {
  const all = await Promise.all(
    commands
      .filter(({ group }) => group !== null)
      .map(async (entry) => ({ group: entry.group ?? "", command: await entry.load() })),
  );
  const groups = [...new Set(all.map(({ group }) => group))];
  return [
    "# The command",
    "",
    "`skillet` (short: `skl`). Data goes to stdout, everything else to stderr; `--json` works on every reading command.",
    "Nothing here needs a network. Flags may stand before or after the command; what follows `--` is never a flag.",
    "",
    "| | |",
    "|---|---|",
    "| `skillet` | what was found here, with the next commands |",
    '| `skillet "REQUEST"` | which skills would serve it and why, what a model would be told and given |',
    "",
    "A first word with a blank in it, or one that is near no command, begins a request. Where there is no skill at all,",
    "not even a built-in one, a request is answered from the example workspace that comes with Skillet, and the answer says so.",
    "When no skill is likely to serve the request, the answer names the closest one and nothing more; with --json `fits` is",
    "false. Both are answers, so the exit code is 0.",
    "",
    ...groups.flatMap((group) => [
      `## ${group}`,
      "",
      ...all.filter((entry) => entry.group === group).flatMap(({ command }) => section(command)),
    ]),
    "## Flags of every command",
    "",
    ...table(flags.filter(({ global }) => global === true)),
    "",
    "`--home` replaces the home folder for every root and drops the variables of the process that move agents' folders",
    "(`CLAUDE_CONFIG_DIR`, `CODEX_HOME`, `XDG_CONFIG_HOME` and the like); they count again when given by `--env`. With",
    "`--cwd`, `--home` and `--data` nothing outside those folders is read, except what links and configuration point to.",
    "",
    "[Exit codes](exit-codes.md) · [Settings](configuration.md) · [Diagnostics](diagnostics/README.md)",
    "",
  ].join("\n");
}

function section(command: Command): readonly string[] {
  const own = (command.flags ?? []).flatMap((name) => flags.find((flag) => flag.name === name) ?? []);
  return [
    `### \`skillet ${[command.name, command.operands].filter(Boolean).join(" ")}\``,
    "",
    `${command.summary[0]?.toUpperCase()}${command.summary.slice(1)}.`,
    "",
    ...(command.details ?? []).flatMap((paragraph) => [paragraph, ""]),
    ...(own.length === 0 ? [] : [...table(own), ""]),
    ...(command.examples === undefined
      ? []
      : ["```sh", ...command.examples.map(([line, meaning]) => `${line}  # ${meaning}`), "```", ""]),
  ];
}

function table(list: readonly Flag[]): readonly string[] {
  return [
    "| flag | meaning |",
    "|---|---|",
    ...list.map((flag) => {
      const short = flag.short === undefined ? "" : `-${flag.short}, `;
      const value = flag.value === undefined ? "" : ` ${flag.value}`;
      return `| \`${short}--${flag.name}${value}\` | ${flag.summary} |`;
    }),
  ];
}
