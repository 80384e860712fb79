import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { SkilletError } from "../../core/error.ts";
import { printable } from "../../core/text/printable.ts";
import type { LockedSkill } from "../lock/lock-data.ts";
import { fetchAll, sourceKey } from "./fetch-all.ts";
import type { Fetched } from "./fetched-skill.ts";
import type { InstallScope } from "./install-scope.ts";
import type { InstallTools } from "./install-tools.ts";
import { loadLock } from "./load-lock.ts";
import { lookAt } from "./look-at.ts";
import type { SkillChange } from "./operation.ts";
import type { Plan } from "./plan.ts";
import { type Arrival, planArrivals, unfetched } from "./plan-add.ts";
import { sourceOfLock } from "./source-of-lock.ts";
import type { Take } from "./take.ts";

export interface UpdateRequest {
  readonly scope: InstallScope;
  /** Empty = all of the lock. */
  readonly names: readonly string[];
  readonly take: Take;
}

/**
 * Asks every source for its present state and plans what follows: three-way, so that the user's edits stay. A skill
 * that its source no longer has is kept and named, never removed; one that moved inside its source is followed
 * (case r-remove). Throws "not-found" for a name that is not in the lock.
 */
export async function planUpdate(request: UpdateRequest, tools: InstallTools): Promise<Plan> {
  const { scope, take } = request;
  const before = loadLock(scope);
  const chosen = chosenSkills(before.data.skills, request.names, scope);
  const groups = new Map<string, (readonly [string, LockedSkill])[]>();
  for (const [name, locked] of chosen) {
    const key = sourceKey(locked, null);
    groups.set(key, [...(groups.get(key) ?? []), [name, locked]]);
  }
  const members = [...groups.values()];
  const wanted = members.map((group) => ({
    source: () =>
      sourceOfLock((group[0] as readonly [string, LockedSkill])[1], scope, lookAt, tools.environment),
  }));
  const answers = await fetchAll(wanted, tools);
  const arrivals: Arrival[] = [];
  const others: SkillChange[] = [];
  for (const [index, group] of members.entries()) {
    const answer = answers[index];
    for (const [name, locked] of group) {
      if (answer === undefined || answer.kind === "failed") {
        const findings = answer === undefined ? [] : [answer.finding];
        others.push(unfetched(name, locked, { action: "failed", scope, findings }));
        continue;
      }
      const arrival = arrivalOf(name, locked, answer.fetched);
      if (arrival !== null) arrivals.push(arrival);
      else
        others.push(
          unfetched(name, locked, { action: "kept", scope, findings: goneFindings(name, answer.fetched) }),
        );
    }
  }
  const { diagnostics } = before;
  return planArrivals(
    { scope, before, arrivals, agents: [], method: "link", take, diagnostics, others },
    tools,
  );
}

/** The skill of that name; its folder in the source may have changed. */
export function arrivalOf(name: string, locked: LockedSkill, from: Fetched): Arrival | null {
  const skill = from.skills.find((one) => one.name === name);
  if (skill === undefined) return null;
  if (skill.path === locked.path || locked.digest === null) return { skill, from };
  const [was, is] = [locked.path ?? "the top folder", skill.path ?? "the top folder"];
  const message = `"${name}" moved from ${printable(was)} to ${printable(is)}.`;
  return {
    skill,
    from,
    findings: [makeDiagnostic("install/moved-upstream", { path: from.source, message })],
  };
}

function goneFindings(name: string, from: Fetched): SkillChange["findings"] {
  // A skill that is there but refused is no reason to speak of a removal.
  const refused = from.diagnostics.filter(
    ({ severity, path }) => severity === "error" && path?.includes(name),
  );
  if (refused.length > 0) return refused;
  const message = `${printable(from.source)} no longer has "${name}"; what is installed stays.`;
  return [makeDiagnostic("install/gone-upstream", { path: from.source, message })];
}

/** Entries of the lock by name, in its order. Throws "not-found" for a name that it does not have. */
export function chosenSkills(
  skills: ReadonlyMap<string, LockedSkill>,
  names: readonly string[],
  scope: InstallScope,
): ReadonlyMap<string, LockedSkill> {
  const unknown = names.find((name) => !skills.has(name));
  if (unknown !== undefined) {
    throw new SkilletError("not-found", `"${printable(unknown).slice(0, 100)}" is not installed here.`, {
      hint:
        skills.size === 0
          ? `There is nothing in ${scope.lockPath}.`
          : `Installed: ${[...skills.keys()].slice(0, 10).join(", ")}`,
    });
  }
  return names.length === 0 ? skills : new Map([...skills].filter(([name]) => names.includes(name)));
}
