import type { Root } from "../../discovery/root.ts";
import type { Contest } from "../../profile.ts";
import type { Skill } from "../../snapshot.ts";
import { fileUrl } from "../../text/file-url.ts";
import { kindOf, rankOf } from "./kinds.ts";
import { compareNames } from "./order.ts";

/** The address of a skill's real file: `files:///…`, percent-encoded. A plugin's is its plain path (spec minimax 5.1). */
export function locationUri({ realPath, root }: Pick<Skill, "realPath" | "root">): string {
  return kindOf(root) === "plugin" ? realPath : fileUrl(realPath).replace(/^file:/, "files:");
}

function priorityOf(root: Pick<Root, "priority">): number {
  return root.priority ?? 0;
}

/** Kind, then priority, then name, then address (feature X2; spec minimax 1.3). Names are compared in English order. */
export function compareSkills(a: Skill, b: Skill): number {
  return (
    rankOf(a.root) - rankOf(b.root) ||
    priorityOf(b.root) - priorityOf(a.root) ||
    compareNames(a.name, b.name) ||
    compareNames(locationUri(a), locationUri(b)) ||
    a.index - b.index
  );
}

/** The first in the order wins; the others keep MiniMax Code's reason text (feature X2, golden `minimax.precedence`). */
export function minimaxContest(skills: readonly Skill[]): Contest {
  const [winner, ...losers] = [...skills].sort(compareSkills);
  if (winner === undefined) throw new RangeError("a contest needs a skill");
  const message = `Shadowed by ${kindOf(winner.root)} source ${locationUri(winner)}`;
  return {
    winner,
    losers: losers.map((skill) => ({ skill, reason: reasonOf(skill, winner), message })),
    diagnostics: [],
  };
}

function reasonOf(skill: Skill, winner: Skill): string {
  if (rankOf(skill.root) !== rankOf(winner.root)) return "lower-scope";
  if (priorityOf(skill.root) !== priorityOf(winner.root)) return "lower-priority";
  return skill.realPath === winner.realPath ? "same-file" : "later-location";
}

/**
 * Names that are there only in folders of compatible agent names, more than once: MiniMax Code cannot tell which one is
 * meant and offers none (spec minimax 3.4).
 */
export function isAmbiguous(skill: Skill, copies: readonly Skill[]): boolean {
  return (
    skill.root.source === "agent-compatible" &&
    copies.some(
      (copy) => copy !== skill && copy.root.id !== skill.root.id && copy.root.source === "agent-compatible",
    ) &&
    !copies.some((copy) => copy.root.source === "agent")
  );
}

/**
 * The order of the runtime list: standalone skills by `compareSkills`, then plugin skills by name (feature X15).
 */
export function minimaxOrder(skills: readonly Skill[]): readonly Skill[] {
  return [...skills].sort((a, b) =>
    kindOf(a.root) === "plugin" && kindOf(b.root) === "plugin"
      ? compareNames(a.name, b.name)
      : compareSkills(a, b),
  );
}

/** Plugin skills whose name, without case, another skill has already: they are not in the list (spec minimax 6). */
export function takenNames(skills: readonly Skill[]): ReadonlyMap<Skill, Skill> {
  const first = new Map<string, Skill>();
  const taken = new Map<Skill, Skill>();
  for (const skill of minimaxOrder(skills)) {
    const key = skill.name.trim().toLowerCase();
    const before = first.get(key);
    if (before === undefined) first.set(key, skill);
    else if (kindOf(skill.root) === "plugin") taken.set(skill, before);
  }
  return taken;
}
