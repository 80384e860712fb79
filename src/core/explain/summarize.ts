import type { CatalogState } from "../catalog/render-catalog.ts";
import type { Decision } from "../decision.ts";
import type { CatalogReason, VisibleSkill } from "../profile.ts";
import type { CandidateTrail, Snapshot } from "../snapshot.ts";
import type { Verdict } from "./explanation.ts";

export interface Findings {
  readonly verdict: Verdict;
  readonly entry: VisibleSkill | undefined;
  readonly trails: readonly CandidateTrail[];
  readonly state: CatalogState | "absent";
  /** Why the catalog does not show it in full; null = it does, or it has no room. */
  readonly reason: CatalogReason | null;
  readonly nearest: readonly string[];
  /** What a name that is nowhere may have meant. */
  readonly near: readonly Decision[];
}

export interface Summary {
  readonly summary: string;
  readonly next: string | null;
}

/** The head of an explanation, and the one command that helps; a command that does not help alone is said to be one. */
export function summarize(
  input: { readonly name: string; readonly snapshot: Snapshot },
  found: Findings,
): Summary {
  const { entry, verdict, trails } = found;
  const name = `"${entry?.skill.name ?? input.name}"`;
  if (entry !== undefined && verdict === "offered")
    return entry.modelInvocable ? offered(name, entry, found) : keptBack(name, entry);
  if (entry !== undefined && entry.hidden !== null) {
    const shadow = input.snapshot.shadowed.filter(({ winner }) => winner === entry.skill).length;
    const rest = shadow > 0 ? " The copy behind it does not step in." : "";
    const { text, next } = blocked(entry);
    return { summary: `${name} is not offered${text}${rest}`, next };
  }
  const last = trails.at(-1)?.decisions.at(-1);
  if (verdict === "shadowed" && last !== undefined) {
    return { summary: `${name} is shadowed: ${last.message}`, next: null };
  }
  if (verdict === "skipped" && last !== undefined) {
    return {
      summary: `${name} was found at ${trails.at(-1)?.location ?? last.path} but cannot be used: ${last.message}`,
      next: `skillet check ${trails.at(-1)?.location ?? ""}`.trim(),
    };
  }
  return absent(name, input.snapshot, found);
}

function absent(name: string, { roots }: Snapshot, { nearest, near }: Findings): Summary {
  const searched = roots.filter(({ decision }) => decision.outcome === "searched").length;
  const hint = nearest.length > 0 ? ` Did you mean ${nearest.join(", ")}?` : "";
  const miss = near[0] === undefined ? "" : ` ${near[0].message}`;
  return {
    summary: `There is no skill ${name} in the ${searched} ${searched === 1 ? "folder that exists" : "folders that exist"} of the ${roots.length} that are searched.${miss}${hint}`,
    next: nearest[0] === undefined ? "skillet list --all" : `skillet why ${nearest[0]}`,
  };
}

function keptBack(name: string, entry: VisibleSkill): Summary {
  const { text, next } = blocked(entry);
  return {
    summary: `${name} is listed, from ${entry.skill.location}, but not offered to a model${text}`,
    next,
  };
}

const numbers = ["No", "One", "Two", "Three", "Four", "Five", "Six"];

/** Everything that keeps a skill from a model, and the command that lifts it, if there is one. */
function blocked(entry: VisibleSkill): { readonly text: string; readonly next: string | null } {
  const { name } = entry.skill;
  const blockers = entry.decisions.filter(
    ({ outcome, reason }) => outcome === "hidden" && reason !== "model-only",
  );
  const [only, second] = blockers;
  if (only === undefined || second === undefined) {
    const { reason, message } = only ?? entry.hidden ?? { reason: "", message: "a rule keeps it back." };
    return { text: `: ${message}`, next: nextFor(reason, name) };
  }
  const all = blockers.map(({ message }) => message).join(" ");
  const text = `. ${numbers[blockers.length] ?? String(blockers.length)} things keep it back: ${all}`;
  const reasons = blockers.map(({ reason }) => reason);
  if (reasons.includes("manual-only")) {
    const never = `No command makes it offered while \`disable-model-invocation\` is set.`;
    const callable = entry.hidden === null && entry.permission !== "deny";
    return { text: `${text} ${never}`, next: callable ? nextFor("manual-only", name) : null };
  }
  const steps = reasons.map((reason) => nextFor(reason, name));
  const next = steps.find((step) => step !== null) ?? null;
  const alone = next === null ? "" : ` \`${next}\` alone does not make it offered.`;
  return { text: text + alone, next };
}

function offered(name: string, entry: VisibleSkill, { state, reason }: Findings): Summary {
  const { skill } = entry;
  const from = `from ${skill.location}`;
  const ask = entry.permission === "ask" ? " A model has to ask before it loads it." : "";
  const load = `skillet load ${skill.name}`;
  const report = "skillet catalog --report";
  if (state !== "full" && reason === "no-description")
    return {
      summary: `${name}, ${from}, is not shown to a model: it has no description; it can be loaded by name.${ask}`,
      next: load,
    };
  switch (state) {
    case "full":
      return {
        summary: `${name} is offered, ${from}, with its whole description in the catalog.${ask}`,
        next: load,
      };
    case "shortened":
      return {
        summary: `${name} is offered, ${from}; the catalog shows its description shortened.${ask}`,
        next: report,
      };
    case "name-only":
      return {
        summary: `${name} is offered, ${from}; the catalog has room for its name only.${ask}`,
        next: report,
      };
    case "omitted":
      return {
        summary: `${name} is offered, ${from}, but the catalog has no room for it; a model finds it by search.${ask}`,
        next: report,
      };
    case "absent":
      return {
        summary: `${name} can be loaded by name, ${from}, but is not in the catalog.${ask}`,
        next: load,
      };
  }
}

function nextFor(reason: string, name: string): string | null {
  switch (reason) {
    case "untrusted":
    case "new":
    case "changed":
      return "skillet trust";
    case "disabled":
      return `skillet enable ${name}`;
    case "denied":
      return "skillet config get permission";
    case "changed-on-disk":
      return "skillet pull";
    case "manual-only":
      return `skillet load ${name} --by user`;
    default:
      return null;
  }
}
