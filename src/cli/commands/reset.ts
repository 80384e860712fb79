import type { Command, Context } from "../command.ts";
import { displayPath } from "../output/display-path.ts";
import { rows } from "../output/rows.ts";
import { wrap } from "../output/text-width.ts";
import { count } from "../output/words.ts";

/** `skillet reset`: removes what Skillet wrote outside projects. */
export const reset: Command = {
  name: "reset",
  summary: "remove everything that Skillet wrote outside projects",
  details: [
    "State (what is switched off, which projects are trusted), cache, and the skills that you installed for yourself (add --to user), unless you edited them. Your settings file and everything in projects stays.",
  ],
  examples: [["skillet reset --dry-run", "only show it"]],
  flags: ["dry-run"],
  run,
};

async function run(context: Context): Promise<number> {
  const [{ reset: remove, resetPlan }, { environmentFor }, { resetInstalled }] = await Promise.all([
    import("../../host/reset.ts"),
    import("../environment-for.ts"),
    import("../install/reset-installed.ts"),
  ]);
  const environment = environmentFor(context);
  const dryRun = context.flags.on("dry-run");
  const installed = await resetInstalled(environment, dryRun);
  const own = dryRun ? resetPlan(environment) : remove(environment);
  const plan = { remove: [...installed.remove, ...own.remove], keep: [...installed.keep, ...own.keep] };
  if (context.json) {
    context.printJson({
      version: 1,
      dryRun,
      removed: dryRun ? [] : plan.remove,
      toRemove: dryRun ? plan.remove : [],
      kept: plan.keep,
    });
    return 0;
  }
  const { paint } = context;
  const place = { cwd: "", home: environment.home };
  if (plan.remove.length === 0) context.print(...wrap("There is nothing to remove.", paint.textWidth));
  else
    context.print(
      paint.bold(dryRun ? "Would be removed" : "Removed"),
      ...rows(
        plan.remove.map(({ path, files }) => [
          { text: paint.symbols.no, paint: paint.dim },
          { text: displayPath(path, place) },
          { text: count(files, "file"), paint: paint.dim },
        ]),
        paint,
        { shrink: false },
      ),
    );
  if (plan.keep.length > 0)
    context.print(
      paint.bold("Kept"),
      ...rows(
        plan.keep.map(({ path, reason }) => [
          { text: paint.symbols.dot, paint: paint.dim },
          { text: displayPath(path, place) },
          { text: reason, paint: paint.dim },
        ]),
        paint,
        { shrink: false },
      ),
    );
  return 0;
}
