import type { Environment } from "../../environment.ts";
import type { CommandTemplate, ReservedCommand, VisibleSkill } from "../../profile.ts";
import type { Skill } from "../../snapshot.ts";
import { isMimoSwitchOn } from "./family.ts";
import { chineseText } from "./locale.ts";
import { workflowPrefix } from "./search.ts";

/** The Chinese texts count for what came with the program, and not for its workflow pack. */
export function hasChineseText(skill: Skill): boolean {
  return skill.root.bundled && !skill.name.startsWith(workflowPrefix);
}

/**
 * Every skill is a command, denied ones too, unless the name is taken (features M10, M19). Chinese names and texts are
 * there in a Chinese interface (M16). The slash switch keeps skills from being completed, no more (M22).
 */
export function mimoCommands(
  skills: readonly VisibleSkill[],
  reserved: readonly ReservedCommand[],
  options: { readonly body: (skill: Skill) => string; readonly environment: Environment },
): readonly CommandTemplate[] {
  const { environment, body } = options;
  const taken = new Set(reserved.map(({ name }) => name));
  const uncompleted = isMimoSwitchOn(environment, "MIMOCODE_DISABLE_SLASH_SKILLS");
  return skills
    .filter(({ skill, hidden }) => hidden === null && !taken.has(skill.name))
    .map(({ skill }): CommandTemplate => {
      const chinese = hasChineseText(skill) ? chineseText(skill.name, environment.language) : null;
      return {
        name: skill.name,
        aliases: chinese?.aliases ?? [],
        description: chinese?.description ?? skill.description ?? "",
        usage: `/${skill.name}`,
        template: body(skill),
        argumentHint: null,
        source: "skill",
        skill: skill.name,
        ...(uncompleted ? { completion: false } : {}),
      };
    });
}
