import type { Command, Context } from "../command.ts";

/** `skillet update`: what the sources have now, with the user's edits kept. */
export const update: Command = {
  name: "update",
  operands: "[NAME…]",
  most: null,
  summary: "bring installed skills up to date, keeping your edits",
  details: [
    "Fetches what the sources offer now, shows the difference and asks. Your own edits are merged line by line and noted in the lock, so that verify and ci know them. A skill that its source no longer has is kept.",
    "Where both changed the same lines nothing is changed: edit the file until it has what you want of both and update again, or decide with --take mine (your lines) or --take new (theirs), which concern only what is in conflict; --take mine=FILE decides about one file. --take mine also notes edits when nothing is new, and --take source drops them.",
  ],
  examples: [
    ["skillet update --dry-run", "what is new"],
    ["skillet update pdf --yes", "one skill, without a question"],
    ["skillet update pdf --take mine", "your edits count, and verify knows them from now on"],
  ],
  flags: ["to", "user", "take", "dry-run", "yes"],
  run,
};

async function run(context: Context): Promise<number> {
  const [{ withInstall, takeOf }, { planUpdate }, { runPlan }] = await Promise.all([
    import("../install/open-install.ts"),
    import("../../remote/install/update.ts"),
    import("../install/run-plan.ts"),
  ]);
  return withInstall(context, { usual: "where-the-lock-is" }, async (install) => {
    const { scope, tools } = install;
    const plan = await planUpdate(
      { scope, names: context.operands, take: takeOf(context, context.operands) },
      tools,
    );
    if (plan.changes.length === 0 && !context.json)
      context.note(`Nothing is installed in ${scope.lockPath}.`);
    return runPlan(context, plan, install, {
      question: "Update?",
    });
  });
}
