import type { Command, Context } from "../command.ts";

/** `skillet update`: what the sources have now, with the user's edits kept. */
export const update: Command = {
  name: "update",
  operands: "[NAME…]",
  most: null,
  summary: "bring installed skills up to date, keeping your edits",
  details: [
    "Fetches what the sources offer now, shows the difference and asks. Your own edits are merged line by line; where both changed the same lines nothing is changed, and --take new or --take mine decides. A skill that its source no longer has is kept.",
  ],
  examples: [
    ["skillet update --dry-run", "what is new"],
    ["skillet update pdf --yes", "one skill, without a question"],
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
    const plan = await planUpdate({ scope, names: context.operands, take: takeOf(context) }, tools);
    if (plan.changes.length === 0 && !context.json)
      context.note(`Nothing is installed in ${scope.lockPath}.`);
    return runPlan(context, plan, install, {
      question: "Update?",
    });
  });
}
