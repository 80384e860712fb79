import { changeTrust } from "../change-trust.ts";
import type { Command } from "../command.ts";

/** `skillet untrust [DIR]`. */
export const untrust: Command = {
  name: "untrust",
  operands: "[DIR | mcp:SERVER[/NAME]]",
  most: 1,
  summary: "take that back",
  run: (context) => changeTrust(context, false),
};
