import { splitArguments } from "../../core/activation/argument-words.ts";
import type { CommandPolicy } from "../../core/activation/command-policy.ts";
import type { VisibleSkill } from "../../core/profile.ts";
import type { Skills } from "../skills.ts";
import { type CommandRun, runCommand } from "./run-command.ts";
import type { SessionLoadOptions, SessionOptions } from "./session.ts";

/** Milliseconds and bytes of one command. */
const commandLimits = { timeout: 120_000, bytes: 100_000 };

export interface SkillCommands {
  readonly entry: VisibleSkill;
  /** Each once, in the order of the text. */
  readonly commands: readonly string[];
  readonly request: SessionLoadOptions;
  readonly policy: CommandPolicy;
  readonly options: Pick<SessionOptions, "allowCommands" | "commandTimeout">;
}

/** Whether commands of this skill may run at all: it is trusted, and its text is not another machine's. */
export function mayRunCommands({ trusted, skill }: VisibleSkill): boolean {
  return trusted && skill.root.scope !== "mcp" && skill.root.scope !== "remote";
}

/** Runs what a skill's text asks to run, one after the other, where that is allowed; null = nothing ran. */
export async function runSkillCommands(
  skills: Skills,
  { entry, commands, request, policy, options }: SkillCommands,
): Promise<readonly CommandRun[] | null> {
  if (policy === "off" || !mayRunCommands(entry) || commands.length === 0) return null;
  const { name, location } = entry.skill;
  const asks = policy === "ask";
  if (asks && (await options.allowCommands?.({ skill: name, location, commands })) !== true) return null;
  const argumentText = request.arguments ?? "";
  const runs: CommandRun[] = [];
  for (const command of commands) {
    request.signal?.throwIfAborted();
    runs.push(
      await runCommand(command, {
        cwd: skills.environment.cwd,
        environment: skills.environment.variables,
        words: splitArguments(argumentText, "shell"),
        argumentText,
        signal: request.signal,
        timeout: options.commandTimeout ?? commandLimits.timeout,
        limit: commandLimits.bytes,
      }),
    );
  }
  request.signal?.throwIfAborted();
  return runs;
}

/** What takes the places of commands: their output, or word that they failed. */
export function outputsOf(runs: readonly CommandRun[]): ReadonlyMap<string, string> {
  return new Map(runs.map((run) => [run.command, shownOutput(run)]));
}

function shownOutput({ state, output, message, command }: CommandRun): string {
  if (state === "ran") return output;
  const said = output === "" ? "" : ` It wrote:\n${output}`;
  return `[The command \`${command}\` failed. ${message ?? ""}${said}]`;
}
