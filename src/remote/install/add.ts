import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { printable } from "../../core/text/printable.ts";
import type { LockedSkill } from "../lock/lock-data.ts";
import { fetchAll } from "./fetch-all.ts";
import type { Fetched } from "./fetched-skill.ts";
import type { InstallScope } from "./install-scope.ts";
import type { InstallTools } from "./install-tools.ts";
import { loadLock } from "./load-lock.ts";
import type { Plan } from "./plan.ts";
import { type Arrival, planArrivals } from "./plan-add.ts";
import { described } from "./plan-skill.ts";
import type { Source } from "./source.ts";
import type { Take } from "./take.ts";

export interface AddRequest {
  readonly scope: InstallScope;
  readonly sources: readonly Source[];
  /** Ids, see `agentIds`. */
  readonly agents: readonly string[];
  readonly method: "link" | "copy";
  readonly take: Take;
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
    const from = answer.fetched;
    if (request.scope.name === "workspace" && from.skills.length > 0 && isOutside(from.source))
      diagnostics.push(onlyHere(from.source));
    for (const skill of from.skills) {
      const first = arrivals.get(skill.name);
      if (first === undefined) {
        const findings = otherSource(before.data.skills.get(skill.name), from);
        arrivals.set(skill.name, { skill, from, findings });
      } else if (first.skill.digest !== skill.digest || placeOf(first.from) !== placeOf(from)) {
        const message = `"${skill.name}" is in ${nameOf(first)} and in ${nameOf({ skill, from })}; the first was taken.`;
        diagnostics.push(makeDiagnostic("install/twice", { path: from.source, message }));
      }
    }
  }
  return planArrivals({ ...request, before, arrivals: [...arrivals.values()], diagnostics }, tools);
}

/** A skill that was installed from elsewhere: the lock names one source, so that changes. */
function otherSource(locked: LockedSkill | undefined, from: Fetched): readonly Diagnostic[] {
  if (locked === undefined || placeOf(locked) === placeOf(from)) return [];
  const message = `It came from ${printable(described(locked))} until now; ${printable(described(from))} is another source.`;
  return [makeDiagnostic("install/other-source", { path: from.source, message })];
}

/** A local path in the lock's form that is not below the project. */
function isOutside(source: string): boolean {
  return /^(?:[/~]|[A-Za-z]:[\\/]|file:)/.test(source);
}

function onlyHere(source: string): Diagnostic {
  const message = `The project's lock will name ${printable(source)}, which lies outside of the project.`;
  return makeDiagnostic("install/only-here", { path: source, message });
}

function placeOf({ kind, url, source }: Pick<Fetched, "kind" | "url" | "source">): string {
  return JSON.stringify([kind, url ?? source]);
}

function nameOf({ skill, from }: Arrival): string {
  return printable(skill.path === null ? from.source : `${from.source} (${skill.path})`);
}
