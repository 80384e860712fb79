import { SkilletError } from "../../core/error.ts";
import type { Command, Context } from "../command.ts";

/** `skillet ci`: exactly what the lock says. */
export const ci: Command = {
  name: "ci",
  summary: "install exactly what the lock says",
  details: [
    "Puts every skill of skillet.lock in place, from the cache without the network where it is known, else from its source at the locked revision; each is proven by its digest. The lock is not changed. A skill that was edited by hand stays and is an error, unless --yes; edits that the lock knows belong to it and are put back with it.",
    "It is about the project's lock; --user takes yours.",
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
  // The user's skills are no part of a project, so nothing but the project's lock is meant unless somebody says so.
  return withInstall(context, { usual: "project" }, async (install) => {
    const { scope, tools } = install;
    const plan = await planRestore({ scope, edited: context.flags.on("yes") }, tools);
    if (plan.before.text === null) {
      throw new SkilletError("not-found", `There is no lock at ${scope.lockPath}.`, {
        hint: "skillet add SOURCE makes one. For your own skills: skillet ci --user",
      });
    }
    return runPlan(context, plan, install, { question: null });
  });
}
