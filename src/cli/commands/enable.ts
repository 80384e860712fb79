import type { Command } from "../command.ts";
import { switchSkill } from "../switch-skill.ts";

/** `skillet enable NAME|LOCATION`. */
export const enable: Command = {
  name: "enable",
  operands: "NAME|LOCATION",
  least: 1,
  summary: "switch a skill on",
  details: [
    "LOCATION is the path of a SKILL.md or of its folder. A name must mean exactly one skill. The decision is kept in Skillet's own state, not in the skill's file.",
  ],
  run: (context) => switchSkill(context, "enabled"),
};
