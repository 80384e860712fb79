import { cacheFolder, configFolder, dataFolder, managedFolder, stateFolder } from "../../core/places.ts";
import type { RootVisit } from "../../core/snapshot.ts";
import type { Command, Context } from "../command.ts";
import { displayPath } from "../output/display-path.ts";
import { heading } from "../output/heading.ts";
import { rows } from "../output/rows.ts";
import { safeLine } from "../output/safe-text.ts";
import { count, scopeWord } from "../output/words.ts";

/** `skillet paths`: Skillet's own places, and every folder that is searched for skills. */
export const paths: Command = {
  name: "paths",
  summary: "where skills are looked for, and where Skillet keeps its things",
  run,
};

async function run(context: Context): Promise<number> {
  const skills = await context.skills();
  const { environment, snapshot } = skills;
  const own = {
    config: configFolder(environment),
    data: dataFolder(environment),
    cache: cacheFolder(environment),
    state: stateFolder(environment),
    managed: managedFolder(environment),
  };
  if (context.json) {
    context.printJson({
      version: 1,
      profile: snapshot.profile,
      ...own,
      roots: snapshot.roots.map(({ root, decision, candidates }) => ({
        path: root.path,
        scope: root.scope,
        source: root.source,
        priority: root.priority,
        status: decision.outcome,
        reason: decision.reason,
        message: decision.message,
        candidates,
      })),
    });
    return 0;
  }
  const { paint } = context;
  context.print(
    ...heading("Searched for skills, in this order", paint).slice(1),
    ...rows(
      snapshot.roots.map((visit) => [
        visit.decision.outcome === "searched"
          ? { text: paint.symbols.yes, paint: paint.green }
          : { text: paint.symbols.dot, paint: paint.dim },
        ...(paint.width < 70 ? [] : [{ text: scopeWord(visit.root.scope), paint: paint.dim }]),
        {
          text: displayPath(visit.root.path, environment),
          ...(visit.decision.outcome === "searched" ? {} : { paint: paint.dim }),
        },
        { text: statusOf(visit), paint: paint.dim },
      ]),
      paint,
      { shrink: false },
    ),
    ...heading("Skillet's own", paint),
    ...rows(
      Object.entries(own).flatMap(([name, path]) =>
        path === null ? [] : [[{ text: name, paint: paint.dim }, { text: displayPath(path, environment) }]],
      ),
      paint,
    ),
  );
  return 0;
}

function statusOf({ root, decision, candidates }: RootVisit): string {
  if (decision.outcome === "searched") return candidates === 0 ? "no skills" : count(candidates, "skill");
  if (decision.outcome === "missing") return root.expected ? "does not exist" : "not there";
  return safeLine(decision.message);
}
