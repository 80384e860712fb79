import { findName, type Lookup } from "../activation/find-name.ts";
import type { CatalogState } from "../catalog/render-catalog.ts";
import type { Decision } from "../decision.ts";
import type { Catalog, Preparation, Profile, VisibleSkill } from "../profile.ts";
import type { CandidateTrail, Snapshot } from "../snapshot.ts";
import { closestNames } from "../text/closest-names.ts";
import { looseKey } from "../text/loose-key.ts";
import type { Explanation, Verdict } from "./explanation.ts";

export interface ExplainInput {
  readonly name: string;
  readonly profile: Profile;
  readonly preparation: Preparation;
  readonly snapshot: Snapshot;
  readonly entries: readonly VisibleSkill[];
  readonly catalog: Catalog;
  /** Set when a request was given: the name's place in the ranking and what stands above. */
  readonly ranking: Decision | null;
}

/**
 * Collects what was recorded about a name: roots, candidates, precedence, visibility, catalog, ranking. Decides
 * nothing itself. A name is looked up as a load looks it up: exactly, loosely, as an alias, as a folder.
 */
export function explain(input: ExplainInput): Explanation {
  const { name, profile, preparation, snapshot, entries, catalog } = input;
  const lookup = findName(entries, name);
  const entry = lookup.kind === "found" ? lookup.entry : undefined;
  const trails = trailsOf(snapshot, entry === undefined ? [name] : [name, entry.skill.name]);
  const listed =
    entry === undefined ? undefined : catalog.skills.find((one) => one.name === entry.skill.name);
  const state: CatalogState | "absent" =
    entry?.modelInvocable === true && listed !== undefined ? listed.state : "absent";
  const steps: Decision[] = [...preparation.decisions];
  for (const visit of snapshot.roots) steps.push(visit.decision);
  for (const trail of trails) {
    for (const decision of trail.decisions)
      steps.push(decision.path === null ? { ...decision, path: trail.location } : decision);
  }
  if (entry !== undefined) {
    for (const decision of entry.decisions) {
      steps.push(decision.path === null ? { ...decision, path: entry.skill.location } : decision);
    }
    steps.push(catalogStep(entry, { catalog, state, reason: listed?.reason ?? null }));
  }
  if (input.ranking !== null) steps.push(input.ranking);
  const verdict = verdictOf(entry, trails);
  const nearest = verdict === "absent" ? nearestTo(name, lookup, entries) : [];
  return {
    profile: snapshot.profile,
    name: entry?.skill.name ?? name,
    verdict,
    catalog: state,
    ...sentence(input, { verdict, entry, trails, state, nearest }),
    steps,
    nearest,
    notes: verdict === "absent" ? [] : profile.notes,
  };
}

/** Several skills that fit the spelling, or names like it. */
function nearestTo(name: string, lookup: Lookup, entries: readonly VisibleSkill[]): readonly string[] {
  const allowed = entries.filter(({ hidden }) => hidden?.reason !== "denied").map(({ skill }) => skill.name);
  return lookup.kind === "ambiguous"
    ? lookup.names.filter((one) => allowed.includes(one))
    : closestNames(name, allowed, 3);
}

function trailsOf(snapshot: Snapshot, names: readonly string[]): readonly CandidateTrail[] {
  const exact = snapshot.trails.filter((trail) =>
    names.some((name) => trail.names.includes(name) || trail.location === name),
  );
  if (exact.length > 0) return exact;
  const keys = names.map(looseKey);
  return snapshot.trails.filter((trail) => trail.names.some((known) => keys.includes(looseKey(known))));
}

function verdictOf(entry: VisibleSkill | undefined, trails: readonly CandidateTrail[]): Verdict {
  if (entry !== undefined) return entry.hidden === null ? "offered" : "hidden";
  const outcomes = trails.map((trail) => trail.decisions.at(-1)?.outcome);
  if (outcomes.includes("shadowed")) return "shadowed";
  if (outcomes.includes("skipped")) return "skipped";
  return "absent";
}

function catalogStep(
  entry: VisibleSkill,
  listed: {
    readonly catalog: Catalog;
    readonly state: CatalogState | "absent";
    readonly reason: string | null;
  },
): Decision {
  const { location } = entry.skill;
  if (!entry.modelInvocable) {
    return {
      stage: "catalog",
      outcome: "absent",
      reason: "not-for-models",
      path: location,
      message: "Not in the catalog, for the reason above.",
    };
  }
  if (listed.state === "absent") {
    const message =
      listed.catalog.text === null
        ? "The catalog is not mounted at all for this agent."
        : "Not in the catalog: it has no description; a load by name works.";
    return {
      stage: "catalog",
      outcome: "absent",
      reason: listed.catalog.text === null ? "not-mounted" : "undescribed",
      path: location,
      message,
    };
  }
  const words: Readonly<Record<CatalogState, string>> = {
    full: "In the catalog, in full.",
    shortened: "In the catalog, shortened.",
    "name-only": "In the catalog by name only.",
    omitted: "Left out of the catalog for lack of room; search finds it.",
  };
  return {
    stage: "catalog",
    outcome: listed.state,
    reason: listed.state === "full" ? "fits" : "budget",
    path: location,
    message: listed.reason ?? words[listed.state],
  };
}

interface Findings {
  readonly verdict: Verdict;
  readonly entry: VisibleSkill | undefined;
  readonly trails: readonly CandidateTrail[];
  readonly state: CatalogState | "absent";
  readonly nearest: readonly string[];
}

function sentence(
  input: ExplainInput,
  found: Findings,
): { readonly summary: string; readonly next: string | null } {
  const { entry, verdict, trails } = found;
  const name = `"${entry?.skill.name ?? input.name}"`;
  if (entry !== undefined && verdict === "offered") return offeredSentence(name, entry, found.state);
  if (entry?.hidden !== null && entry !== undefined) {
    const shadow = input.snapshot.shadowed.filter(({ winner }) => winner === entry.skill).length;
    const rest = shadow > 0 ? " The copy behind it does not step in." : "";
    return {
      summary: `${name} is not offered: ${entry.hidden.message}${rest}`,
      next: nextFor(entry.hidden.reason, entry.skill.name),
    };
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
  const searched = input.snapshot.roots.filter(({ decision }) => decision.outcome === "searched").length;
  const hint = found.nearest.length > 0 ? ` Did you mean ${found.nearest.join(", ")}?` : "";
  return {
    summary: `There is no skill ${name} in the ${searched} ${searched === 1 ? "folder that exists" : "folders that exist"} of the ${input.snapshot.roots.length} that are searched.${hint}`,
    next: found.nearest[0] === undefined ? "skillet list --all" : `skillet why ${found.nearest[0]}`,
  };
}

function offeredSentence(
  name: string,
  entry: VisibleSkill,
  state: CatalogState | "absent",
): { readonly summary: string; readonly next: string | null } {
  const { skill } = entry;
  const from = `from ${skill.location}`;
  if (!entry.modelInvocable) {
    const kept = entry.decisions.filter(({ outcome }) => outcome === "hidden");
    const reason = kept[0];
    const next = nextFor(reason?.reason ?? "", skill.name);
    return {
      summary: `${name} is listed, ${from}, but not offered to a model: ${reason?.message ?? "a rule keeps it back."}`,
      next,
    };
  }
  const ask = entry.permission === "ask" ? " A model has to ask before it loads it." : "";
  switch (state) {
    case "full":
      return {
        summary: `${name} is offered, ${from}, with its whole description in the catalog.${ask}`,
        next: `skillet load ${skill.name}`,
      };
    case "shortened":
      return {
        summary: `${name} is offered, ${from}; the catalog shows its description shortened.${ask}`,
        next: "skillet catalog --report",
      };
    case "name-only":
      return {
        summary: `${name} is offered, ${from}; the catalog has room for its name only.${ask}`,
        next: "skillet catalog --report",
      };
    case "omitted":
      return {
        summary: `${name} is offered, ${from}, but the catalog has no room for it; a model finds it by search.${ask}`,
        next: "skillet catalog --report",
      };
    case "absent":
      return {
        summary: `${name} can be loaded by name, ${from}, but is not in the catalog.${ask}`,
        next: `skillet load ${skill.name}`,
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
    case "manual-only":
      return `skillet load ${name} --by user`;
    default:
      return null;
  }
}
