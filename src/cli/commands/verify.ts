import type { Diagnostic } from "../../core/diagnostic.ts";
import type { Command, Context } from "../command.ts";
import { count } from "../output/words.ts";

/** `skillet verify`: what is on disk against the lock. */
export const verify: Command = {
  name: "verify",
  summary: "compare installed skills with the lock",
  details: [
    "Computes every digest anew from disk. An operation that was cut off is finished first, unless --dry-run. Exit code 1 when a skill is edited or missing. --fix puts back what is missing (not what you edited).",
  ],
  examples: [["skillet verify", "is everything as the lock says?"]],
  flags: ["to", "user", "fix", "dry-run"],
  run,
};

async function run(context: Context): Promise<number> {
  const [
    { withInstall },
    { verifySkills },
    { loadLock },
    { exclusively },
    { printPlan, printFindings },
    { planJson },
  ] = await Promise.all([
    import("../install/open-install.ts"),
    import("../../remote/install/verify.ts"),
    import("../../remote/install/load-lock.ts"),
    import("../../remote/install/transact.ts"),
    import("../install/print-plan.ts"),
    import("../install/plan-json.ts"),
  ]);
  return withInstall(context, { usual: "where-the-lock-is" }, async (install) => {
    const { scope, tools, skills } = install;
    const dryRun = context.flags.on("dry-run");
    let finished: readonly Diagnostic[] = dryRun ? [] : exclusively(scope, (done) => done);
    let repaired = false;
    if (context.flags.on("fix") && !dryRun) {
      const [{ planRestore }, { carryOut, hasWork }] = await Promise.all([
        import("../../remote/install/restore.ts"),
        import("../../remote/install/plan.ts"),
      ]);
      const plan = await planRestore({ scope, edited: false }, tools);
      if (hasWork(plan)) {
        finished = [...finished, ...(await carryOut(plan, tools.store))];
        repaired = true;
      }
    }
    const lock = loadLock(scope);
    const changes = verifySkills(scope, lock, tools.store);
    const diagnostics = [...lock.diagnostics, ...finished];
    const bad = changes.filter(({ action }) => action !== "unchanged");
    if (context.json) {
      context.printJson(
        planJson({ scope, changes, diagnostics, dryRun, written: repaired || finished.length > 0 }),
      );
    } else {
      printPlan(context, context.verbose ? changes : bad, { place: skills.environment, planned: false });
      printFindings(context, diagnostics, skills.environment, 0);
      const { paint } = context;
      if (changes.length === 0) context.note(`Nothing is installed in ${scope.lockPath}.`);
      else if (bad.length === 0)
        context.print(
          `${paint.green(paint.symbols.yes)} ${count(changes.length, "skill")}, all as the lock says`,
        );
      else
        context.note(`${count(bad.length, "skill")} of ${changes.length} not as the lock says.`, "warning");
    }
    return bad.length > 0 ? 1 : 0;
  });
}
