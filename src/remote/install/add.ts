import type { Diagnostic } from "../../core/diagnostic.ts";
import { fetchAll } from "./fetch-all.ts";
import type { InstallScope } from "./install-scope.ts";
import type { InstallTools } from "./install-tools.ts";
import { loadLock } from "./load-lock.ts";
import type { Plan } from "./plan.ts";
import { type Arrival, planArrivals } from "./plan-add.ts";
import type { Source } from "./source.ts";

export interface AddRequest {
  readonly scope: InstallScope;
  readonly sources: readonly Source[];
  /** Ids, see `agentIds`. */
  readonly agents: readonly string[];
  readonly method: "link" | "copy";
  readonly take: "new" | "mine" | null;
}

/**
 * Fetches sources and plans their installation; nothing is written. A source that fails, and a skill that is refused,
 * is told in the plan's diagnostics and costs the others nothing.
 */
export async function planAdd(request: AddRequest, tools: InstallTools): Promise<Plan> {
  const before = loadLock(request.scope);
  const answers = await fetchAll(
    request.sources.map((source) => ({ source })),
    tools,
  );
  const diagnostics: Diagnostic[] = [...before.diagnostics];
  const arrivals = new Map<string, Arrival>();
  for (const answer of answers) {
    if (answer.kind === "failed") {
      diagnostics.push(answer.finding);
      continue;
    }
    diagnostics.push(...answer.fetched.diagnostics);
    // Named twice, the last one counts, as with any command line.
    for (const skill of answer.fetched.skills) arrivals.set(skill.name, { skill, from: answer.fetched });
  }
  return planArrivals({ ...request, before, arrivals: [...arrivals.values()], diagnostics }, tools);
}
