import { changeTrust } from "../change-trust.ts";
import type { Command } from "../command.ts";

/** `skillet trust [DIR]`. */
export const trust: Command = {
  name: "trust",
  operands: "[DIR | mcp:SERVER[/NAME]]",
  most: 1,
  flags: ["folder"],
  summary: "let models use the skills of this project",
  details: [
    "A cloned project can bring skills that you have never read. They are listed, but no model is told of them before you trust the project. Trust is for what is there now, in the whole repository and its linked worktrees: a skill that is new or changes later waits again, unless you say --folder.",
    "mcp:SERVER approves the skills that an MCP server of your settings lists now, mcp:SERVER/NAME one of them. The approval is for these files: when the server lists others, the skill waits again.",
  ],
  run: (context) => changeTrust(context, true),
};
