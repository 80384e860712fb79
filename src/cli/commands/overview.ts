import { entriesOf } from "../../host/guard-results.ts";
import type { Command, Context } from "../command.ts";
import { countBy } from "../count-by.ts";
import { ownDiagnostics } from "../own-diagnostics.ts";

/** Bare `skillet`: what was found here, in a few lines. */
export const overview: Command = {
  name: "",
  summary: "what was found here, with the next commands",
  run,
};

async function run(context: Context): Promise<number> {
  const skills = await context.skills();
  const entries = entriesOf(skills);
  const listed = entries.filter((entry) => entry.hidden === null);
  if (context.json) {
    const severities = countBy(ownDiagnostics(skills), ({ severity }) => severity);
    context.printJson({
      version: 1,
      profile: skills.snapshot.profile,
      cwd: skills.environment.cwd,
      workspace: skills.workspace,
      counts: {
        skills: listed.length,
        offered: listed.filter((entry) => entry.modelInvocable).length,
        shadowed: skills.shadowed.length,
        hidden: entries.length - listed.length,
        skipped: skills.skipped.length,
        errors: severities.get("error") ?? 0,
        warnings: severities.get("warning") ?? 0,
      },
      scopes: Object.fromEntries(countBy(listed, ({ skill }) => skill.root.scope)),
    });
    return 0;
  }
  const { printOverview } = await import("../views/overview-view.ts");
  printOverview(context, skills, listed);
  return 0;
}
