import {
  type ExpandRequest,
  type Expansion,
  leadingCommand,
  plainExpansion,
  userPart,
} from "../../activation/expand.ts";
import type { CommandTemplate, VisibleSkill } from "../../profile.ts";
import { expandOpenCodeTemplate } from "./commands.ts";

/**
 * A message that begins with a command becomes that command's text with the arguments in it; any other is sent as it is,
 * whatever it mentions (golden `cmd.*`). `commandsOf` gives the skills' own; the program's and configured ones come first.
 */
export function openCodeExpansion(
  request: ExpandRequest,
  commandsOf: (entries: readonly VisibleSkill[]) => readonly CommandTemplate[],
): Expansion {
  const command = leadingCommand(request.message);
  const plain = plainExpansion(request.message);
  if (command === null) return plain;
  const configured = request.reserved.find(({ name }) => name === command.name);
  const ofSkill =
    configured === undefined
      ? commandsOf(request.entries.filter(({ skill }) => skill.name === command.name))[0]
      : undefined;
  const template = configured?.template ?? ofSkill?.template;
  if (template === undefined) return plain;
  const names = ofSkill === undefined ? [] : [ofSkill.skill];
  const text = expandOpenCodeTemplate(template, command.rest);
  return { ...plain, parts: [userPart(text)], mentioned: names, injected: names };
}
