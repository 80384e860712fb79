import { SkilletError } from "../../core/error.ts";
import type { Command, Context } from "../command.ts";

/** `skillet ci`: exactly what the lock says. */
export const ci: Command = {
  name: "ci",
  summary: "install exactly what the lock says",
  details: [
    "Puts every skill of skillet.lock in place, from the cache without the network where it is known, else from its source at the locked revision; each is proven by its digest. The lock is not changed. A skill that was edited by hand stays and is an error, unless --yes.",
  ],
  examples: [["skillet ci", "after a checkout, or in continuous integration"]],
  flags: ["to", "user", "frozen", "dry-run", "yes"],
  run,
};

async function run(context: Context): Promise<number> {
  const [{ withInstall }, { planRestore }, { runPlan }] = await Promise.all([
    import("../install/open-install.ts"),
    import("../../remote/install/restore.ts"),
    import("../install/run-plan.ts"),
  ]);
  return withInstall(context, { usual: "where-the-lock-is" }, async (install) => {
    const { scope, tools } = install;
    const plan = await planRestore({ scope, edited: context.flags.on("yes") }, tools);
    if (plan.before.text === null) {
      throw new SkilletError("not-found", `There is no lock at ${scope.lockPath}.`, {
        hint: "skillet add SOURCE makes one.",
      });
    }
    return runPlan(context, plan, install, { question: null });
  });
}
