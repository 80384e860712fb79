import type { Diagnostic } from "../../core/diagnostic.ts";
import type { Skills } from "../../host/skills.ts";
import { writeConflicts } from "../../remote/install/conflict-memory.ts";
import { lockText } from "../../remote/install/load-lock.ts";
import type { SkillChange } from "../../remote/install/operation.ts";
import { carryOut, hasWork, type Plan } from "../../remote/install/plan.ts";
import type { Context } from "../command.ts";
import { displayPath } from "../output/display-path.ts";
import { confirm } from "./confirm.ts";
import type { Install } from "./open-install.ts";
import { planJson } from "./plan-json.ts";
import { printFindings, printPlan } from "./print-plan.ts";

export interface RunPlanOptions {
  /** The question before anything is written; null = it was asked for plainly. */
  readonly question: string | null;
  /** Called once everything is written. */
  readonly written?: () => void;
}

/**
 * Shows a plan, asks where that is wanted, carries it out and says how it went. 1 when something was refused, failed,
 * is in conflict, or was not agreed to.
 */
export async function runPlan(
  context: Context,
  plan: Plan,
  { skills, tools, scope }: Install,
  options: RunPlanOptions,
): Promise<number> {
  const dryRun = context.flags.on("dry-run");
  const failed = isFailure(plan.changes, plan.diagnostics);
  const place = skills.environment;
  const work = hasWork(plan);
  const asks = work && !dryRun && options.question !== null && !context.flags.on("yes");
  const show = (): void => {
    if (context.json) return;
    printPlan(context, plan.changes, { place, planned: dryRun || asks });
    printFindings(context, plan.diagnostics, place, 0);
  };
  const put = plan.changes.flatMap(({ action, to }) => (to !== null && givenNow.has(action) ? [to] : []));
  if (!dryRun && plan.conflicts !== undefined) writeConflicts(scope, plan.conflicts);
  let written = false;
  let after: readonly Diagnostic[] = [];
  let agreed = true;
  // What is asked about is shown before; what is simply done is told once it is.
  if (asks) show();
  if (work && !dryRun) {
    agreed = options.question === null || (await confirm(context, options.question));
    if (agreed) {
      after = await carryOut(plan, tools.store);
      written = true;
      options.written?.();
      // What was not asked about was not shown either: `ci` follows a lock that came with the project.
      if (options.question !== null) await approve(skills, put);
    }
  }
  if (!asks) show();
  if (context.json) {
    context.printJson(
      planJson({
        scope,
        changes: plan.changes,
        diagnostics: [...plan.diagnostics, ...after],
        dryRun,
        written,
      }),
    );
    return failed || !agreed ? 1 : 0;
  }
  for (const { message } of after) context.note(message);
  if (written) {
    const lock = displayPath(scope.lockPath, place);
    const isGone = lockText(plan.after) === null;
    context.note(isGone ? `Nothing is installed any more; ${lock} was removed.` : `Lock: ${lock}`, "dim");
    if (waiting(skills, put))
      context.note("No model is told of it until the project is trusted: skillet trust", "dim");
  } else if (dryRun && work) context.note("Nothing was written (--dry-run).", "dim");
  else if (!work && !failed && plan.changes.length > 0) context.note("Nothing to do.", "dim");
  return failed || !agreed ? 1 : 0;
}

const givenNow = new Set<SkillChange["action"]>(["added", "updated", "restored"]);

/** In a trusted project, what the user agreed to does not wait for the user a second time. */
async function approve(skills: Skills, put: readonly string[]): Promise<void> {
  const { approveAlso } = await import("../../host/trust-workspace.ts");
  approveAlso(skills, put);
}

/** Whether something that was put there is kept from models because its project is not trusted. */
function waiting(skills: Skills, put: readonly string[]): boolean {
  if (put.length === 0) return false;
  skills.reload();
  return skills.entries.some(
    ({ skill, trusted }) => !trusted && skill.directory !== null && put.includes(skill.directory),
  );
}

/** Whether a script should stop: something failed, is in conflict, or a source gave an error. */
function isFailure(changes: readonly SkillChange[], diagnostics: readonly Diagnostic[]): boolean {
  const bad = changes.some(({ action }) => action === "conflict" || action === "failed");
  return bad || diagnostics.some(({ severity }) => severity === "error");
}
