import type { Decision } from "../../core/decision.ts";
import type { Explanation } from "../../core/explain/explanation.ts";
import { dirname } from "../../core/path.ts";
import type { Skills } from "../../host/skills.ts";
import type { Command, Context } from "../command.ts";
import { nameMeant } from "../name-meant.ts";

/** `skillet why NAME`: every decision about a name, also one that does not exist. */
export const why: Command = {
  name: "why",
  operands: "NAME",
  least: 1,
  summary: "why a skill is here, or why it is not",
  details: [
    "Every decision about that name, in the order in which it was made: where it was looked for, what was found and read, which copy won, what keeps it back, what the catalog shows. Works for names that don't exist, too: then exit code 3, with all places that were searched.",
  ],
  examples: [
    ["skillet why pdf", "from the folders to the catalog"],
    ['skillet why pdf --for "fill in a form"', "and where search ranks it"],
    ["skillet why pdf --as opencode", "the same for OpenCode"],
  ],
  flags: ["for"],
  run,
};

async function run(context: Context): Promise<number> {
  const skills = await context.skills();
  const request = context.flags.text("for");
  const told = skills.explain(
    nameMeant(skills, context.operands[0] ?? ""),
    request === undefined ? {} : { request },
  );
  const explanation = { ...told, steps: await withInstalled(skills, told) };
  if (context.json) {
    context.printJson({
      version: 1,
      profile: explanation.profile,
      name: explanation.name,
      verdict: explanation.verdict,
      catalog: explanation.catalog,
      summary: explanation.summary,
      steps: explanation.steps.map(({ stage, outcome, reason, path, message }) => ({
        stage,
        outcome,
        reason,
        ...(path === null ? {} : { path }),
        message,
      })),
      nearest: explanation.nearest,
      next: explanation.next,
      notes: explanation.notes,
    });
  } else {
    const { printExplanation } = await import("../views/explanation-view.ts");
    printExplanation(context, skills, explanation);
  }
  return explanation.verdict === "absent" ? 3 : 0;
}

/** The steps, and after the reading of each copy that was installed where it came from. */
async function withInstalled(skills: Skills, { name, steps }: Explanation): Promise<readonly Decision[]> {
  const { installedFrom, installedText, editedText } = await import("../install/installed-from.ts");
  return steps.flatMap((step): readonly Decision[] => {
    if (step.stage !== "read" || step.path === null || !step.path.endsWith("/SKILL.md")) return [step];
    const directory = dirname(step.path);
    const from = installedFrom(skills, { name, directory, realPath: step.path });
    if (from === null) return [step];
    const message = `Installed from ${installedText(from)}; ${editedText(from)}.`;
    const outcome = from.edited === "yes" ? "passed" : "found";
    return [step, { stage: "read", outcome, reason: "installed", path: step.path, message }];
  });
}
