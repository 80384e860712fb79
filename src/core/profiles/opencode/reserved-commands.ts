import type { ReservedCommand } from "../../profile.ts";
import { isFields } from "./merge-settings.ts";

/** Commands of the program itself; a skill of such a name is no command (golden `cmd.*`, "Rules confirmed"). */
export const openCodeCommandNames: readonly ReservedCommand[] = [
  { name: "init", source: "builtin", description: "set up AGENTS.md" },
  { name: "review", source: "builtin", description: "review changes" },
];

/** Names that skills may not take as commands: the program's own and the configured ones, which replace those. */
export function reservedCommands(
  configured: unknown,
  builtIn: readonly ReservedCommand[],
): readonly ReservedCommand[] {
  const commands = new Map(builtIn.map((command) => [command.name, command]));
  for (const [name, value] of Object.entries(isFields(configured) ? configured : {})) {
    if (!isFields(value) || typeof value.template !== "string") continue;
    const description = typeof value.description === "string" ? value.description : "";
    commands.set(name, { name, source: "config", description, template: value.template });
  }
  return [...commands.values()];
}
