import { autoLoadFrom } from "../../core/search/decide.ts";
import type { Skills } from "../../host/skills.ts";
import type { Command, Context } from "../command.ts";
import { exampleSkills } from "../example-workspace.ts";
import { type MeantHit, searchMeaning } from "../search-meaning.ts";
import { requestFits } from "../views/how-likely.ts";

/** `skillet "REQUEST"`, the main job: which skills would serve a request, and what a model would be told and given. */
export const request: Command = {
  name: "",
  operands: '"REQUEST"',
  least: 1,
  most: null,
  summary: "which skills would serve a request, and why",
  run,
};

async function run(context: Context): Promise<number> {
  const text = context.operands.join(" ");
  const own = await context.skills();
  const example = await exampleSkills(context, own);
  const skills = example ?? own;
  const { results, autoLoad, semantic } = await searchMeaning(context, skills, { query: text, limit: 5 });
  const best: MeantHit | undefined = results[0];
  const catalog = skills.catalog();
  const state = catalog.skills.find(({ name }) => name === best?.name)?.state ?? null;
  const loaded = best === undefined ? null : skills.load(best.name, { by: "model" });
  const { fitsElsewhere } = await import("../other-agent.ts");
  const elsewhere = (best?.probability ?? 0) >= autoLoadFrom ? null : fitsElsewhere(context, own, text);
  if (context.json) {
    context.printJson({
      version: 1,
      profile: skills.snapshot.profile,
      cwd: skills.environment.cwd,
      request: text,
      example: example !== null,
      ...semantic,
      results: results.map(({ name, location, score, probability, reason }) => ({
        name,
        location,
        score,
        probability,
        reason,
      })),
      autoLoad,
      fits: requestFits(results),
      withAgent: elsewhere && {
        agent: elsewhere.agent,
        name: elsewhere.name,
        probability: elsewhere.probability,
      },
      catalog: { state, tokens: catalog.tokens, budget: catalog.budget, overflow: catalog.overflow },
      load: loaded && {
        status: loaded.status,
        name: loaded.name,
        output: loaded.output,
        files: loaded.files,
        permission: loaded.permission,
      },
      waitingForTrust: waiting(skills),
    });
    return 0;
  }
  if (skills.profile.searchNote !== undefined) context.note(skills.profile.searchNote, "dim");
  const { printAnswer } = await import("../views/answer-view.ts");
  printAnswer(context, skills, {
    text,
    results,
    catalog,
    state,
    loaded,
    elsewhere,
    example: example !== null,
  });
  return 0;
}

function waiting({ workspace }: Skills): number {
  return workspace === null || workspace.trusted ? 0 : workspace.needsTrust;
}
