import { oneBasedArguments, substituteArguments } from "../../activation/arguments.ts";
import type { CommandTemplate, LoadRequest, ReservedCommand, VisibleSkill } from "../../profile.ts";
import type { Skill } from "../../snapshot.ts";

/**
 * Every skill is a slash command, denied ones too, unless the program or the configuration has one of that name; the
 * text is a template (golden `cmd.*`, "Rules confirmed"). `wanted` narrows that down to the skills that ask for it.
 */
export function openCodeCommands(
  skills: readonly VisibleSkill[],
  reserved: readonly ReservedCommand[],
  options: { readonly body: (skill: Skill) => string; readonly wanted: (skill: Skill) => boolean },
): readonly CommandTemplate[] {
  const taken = new Set(reserved.map(({ name }) => name));
  return skills
    .filter(({ skill, hidden }) => hidden === null && !taken.has(skill.name) && options.wanted(skill))
    .map(
      ({ skill }): CommandTemplate => ({
        name: skill.name,
        aliases: [],
        description: skill.description ?? "",
        usage: `/${skill.name}`,
        template: skillTemplate(skill, options.body(skill)),
        argumentHint: null,
        source: "skill",
        skill: skill.name,
      }),
    );
}

function skillTemplate(skill: Skill, body: string): string {
  if (skill.directory === null) return body;
  return [
    body,
    "",
    `Base directory for this skill: ${skill.directory}`,
    "Relative paths in this skill (e.g., scripts/, references/) are relative to this base directory.",
  ].join("\n");
}

/** The message that is sent for a skill's command. */
export function openCodeCommand(request: LoadRequest): string {
  return expandOpenCodeTemplate(skillTemplate(request.skill, request.body), request.arguments);
}

/**
 * A command's text with its arguments: `$1`…, of which the highest takes the rest, and `$ARGUMENTS`; without either
 * the arguments follow after a blank line. Shell parts are left as they are (invariant 3).
 */
export function expandOpenCodeTemplate(template: string, argumentText: string): string {
  return substituteArguments(template, argumentText, { ...oneBasedArguments, names: [] }).trim();
}
