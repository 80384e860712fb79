import type { CommandTemplate, ReservedCommand, VisibleSkill } from "../../profile.ts";
import type { Skill } from "../../snapshot.ts";
import { singleLine } from "../../text/single-line.ts";

/** Every skill that a person may call is a slash command, unless its name is reserved (feature M10, set "all"). */
export function skillCommands(
  skills: readonly VisibleSkill[],
  reserved: readonly ReservedCommand[],
  body: (skill: Skill) => string,
): readonly CommandTemplate[] {
  const taken = new Set(reserved.map(({ name }) => name));
  return skills
    .filter((entry) => entry.userInvocable && entry.hidden === null && !taken.has(entry.skill.name))
    .map(
      ({ skill }): CommandTemplate => ({
        name: skill.name,
        aliases: skill.aliases.filter((alias) => !taken.has(alias)),
        description: singleLine(skill.description ?? ""),
        // A command ends at the first blank, so a name with blanks is typed with hyphens.
        usage: `/${skill.name.replace(/\s+/gu, "-")}${skill.argumentHint === null ? "" : ` ${skill.argumentHint}`}`,
        // Read when it is asked for: a list of commands must not read every file.
        get template() {
          return body(skill);
        },
        argumentHint: skill.argumentHint,
        source: "skill",
        skill: skill.name,
      }),
    );
}
