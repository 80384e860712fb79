import type { Command, Context } from "../command.ts";
import { filterSkills } from "../filter-skills.ts";
import { listJson } from "../json/list-json.ts";

/** `skillet list`: the skills that the profile offers, in its order. */
export const list: Command = {
  name: "list",
  operands: "[FILTER]",
  most: 1,
  summary: "the skills found here",
  details: [
    "One row a skill, in the order the profile gives. A check mark stands before what a model is told of; an exclamation mark before what waits for this project to be trusted; a dot before what only you may call or what is switched off.",
    "FILTER is part of a name, an alias or a description; with a star it is a pattern for names.",
    "With --watch the list is followed by one line a change: + is new, - is gone, ~ changed, ! another copy has the name or a new copy does not get it. With --json each line is a JSON object. Ctrl-C ends it.",
  ],
  examples: [
    ["skillet list pdf", "only those about PDF"],
    ["skillet list --all", "losers and rejects too, each with its reason"],
    ["skillet list --as opencode --json", "what OpenCode sees, for a script"],
    ["skillet list --watch", "and every change from now on, with its cause"],
  ],
  flags: ["all", "watch"],
  run,
};

async function run(context: Context): Promise<number> {
  const skills = await context.skills();
  if (context.flags.on("watch")) return (await import("../watch-list.ts")).watchList(context, skills);
  const part = filterSkills(skills, context.operands[0] ?? null);
  if (context.json) {
    context.printJson(listJson(skills, part));
    return 0;
  }
  const { printList } = await import("../views/list-view.ts");
  printList(context, skills, part);
  return 0;
}
