import { existsSync } from "node:fs";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { SkilletError } from "../../core/error.ts";
import { toNative } from "../../host/native-path.ts";
import type { SkillChange } from "../../remote/install/operation.ts";
import type { Command, Context } from "../command.ts";
import { displayPath } from "../output/display-path.ts";
import { count } from "../output/words.ts";

/** `skillet verify`: what is on disk against the lock. */
export const verify: Command = {
  name: "verify",
  summary: "compare installed skills with the lock",
  details: [
    "Computes every digest anew from disk. An operation that was cut off is finished first, unless --dry-run. Exit code 1 when a skill is edited or missing. --fix puts back what is missing (not what you edited).",
    "Edits that the lock knows, because an update kept them, are named and are no fault; --strict counts them as one.",
  ],
  examples: [["skillet verify", "is everything as the lock says?"]],
  flags: ["to", "user", "fix", "strict", "dry-run"],
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
    let finished: readonly Diagnostic[] = [];
    try {
      if (!dryRun) finished = exclusively(scope, (done) => done);
    } catch (error) {
      // A full disk, or one that can only be read, can still be compared when nothing was begun.
      if (!(error instanceof SkilletError) || existsSync(toNative(scope.journal))) throw error;
    }
    let repaired: readonly SkillChange[] = [];
    if (context.flags.on("fix")) {
      const [{ planRestore }, { carryOut, hasWork }] = await Promise.all([
        import("../../remote/install/restore.ts"),
        import("../../remote/install/plan.ts"),
      ]);
      const plan = await planRestore({ scope, edited: false }, tools);
      repaired = plan.changes.filter(({ action }) => action === "restored" || action === "failed");
      if (hasWork(plan) && !dryRun) finished = [...finished, ...(await carryOut(plan, tools.store))];
    }
    const lock = loadLock(scope);
    const changes = verifySkills(scope, lock, tools.store);
    const diagnostics = [...lock.diagnostics, ...finished];
    const kept = changes.filter(({ action }) => action === "kept");
    const accepted: readonly string[] = context.flags.on("strict") ? ["unchanged"] : ["unchanged", "kept"];
    const bad = changes.filter(({ action }) => !accepted.includes(action));
    const done = repaired.filter(({ action }) => action === "restored");
    if (context.json) {
      const written = (done.length > 0 && !dryRun) || finished.length > 0;
      context.printJson(planJson({ scope, changes, diagnostics, dryRun, written, repaired }));
    } else {
      const place = skills.environment;
      printPlan(context, repaired, { place, planned: dryRun });
      const shown = changes
        .filter(({ action }) => action !== "unchanged")
        .map((change) => (change.action === "kept" ? { ...change, to: null, files: [] } : change));
      printPlan(context, context.verbose ? changes : shown, { place, planned: false });
      printFindings(context, diagnostics, place, 0);
      const { paint } = context;
      const but = kept.length === 0 ? "" : `, ${kept.length} of them with edits that it knows`;
      if (changes.length === 0)
        context.note(`Nothing is installed in ${displayPath(scope.lockPath, place)}.`);
      else if (bad.length === 0)
        context.print(
          `${paint.green(paint.symbols.yes)} ${count(changes.length, "skill")}, all as the lock says${but}`,
        );
      else
        context.note(`${count(bad.length, "skill")} of ${changes.length} not as the lock says.`, "warning");
      if (dryRun && done.length > 0) context.note("Nothing was written (--dry-run).", "dim");
    }
    return bad.length > 0 ? 1 : 0;
  });
}
