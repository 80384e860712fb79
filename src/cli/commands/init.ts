import { SkilletError } from "../../core/error.ts";
import { chatHere } from "../chat-here.ts";
import type { Command } from "../command.ts";

/** `skillet init [DIR]`: opens the agent there and submits `/init` (feature X18). */
export const init: Command = {
  name: "init",
  operands: "[DIR]",
  most: 1,
  summary: "let the agent look at a project and write its AGENTS.md",
  details: [
    "Opens skillet chat in the folder and submits /init. Where there is no terminal, `skillet run` can do it with --command init.",
  ],
  examples: [
    ["skillet init", "this project"],
    ["skillet init ../other", "another one"],
  ],
  flags: ["model"],
  run: (context) => {
    const [directory] = context.operands;
    if (directory !== undefined && context.flags.text("cwd") !== undefined)
      throw new SkilletError("usage", "Name the folder once: as DIR or with --cwd.");
    return chatHere(context, { first: "/init", ...(directory === undefined ? {} : { directory }) });
  },
};
