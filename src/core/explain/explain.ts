import { type Lookup, lookUp } from "../activation/find-name.ts";
import type { CatalogState } from "../catalog/render-catalog.ts";
import type { Decision } from "../decision.ts";
import type { Catalog, CatalogEntry, Preparation, Profile, VisibleSkill } from "../profile.ts";
import type { CandidateTrail, Snapshot } from "../snapshot.ts";
import { closestNames } from "../text/closest-names.ts";
import { looseKey } from "../text/loose-key.ts";
import type { Explanation, Verdict } from "./explanation.ts";
import { relevantNotes } from "./relevant-notes.ts";
import { summarize } from "./summarize.ts";

export interface ExplainInput {
  readonly name: string;
  readonly profile: Profile;
  readonly preparation: Preparation;
  readonly snapshot: Snapshot;
  readonly entries: readonly VisibleSkill[];
  readonly catalog: Catalog;
  /** A skill's place in the ranking for the request and what stands above; null when none was given. */
  readonly ranking: (entry: VisibleSkill) => Decision | null;
  /** Looks for what a name that is nowhere may have meant, likeliest first; asked for such a name only. */
  readonly nearMisses?: (name: string) => readonly Decision[];
}

/**
 * Collects what was recorded about a name: roots, candidates, precedence, visibility, catalog, ranking. Decides
 * nothing itself. A name is looked up as a load looks it up: exactly, loosely, as an alias, as a folder.
 */
export function explain(input: ExplainInput): Explanation {
  const { name, profile, preparation, snapshot, entries, catalog } = input;
  const lookup = lookUp(profile, entries, name);
  const entry = lookup.kind === "found" ? lookup.entry : undefined;
  const trails = trailsOf(snapshot, entry === undefined ? [name] : [name, entry.skill.name]);
  const listed =
    entry === undefined ? undefined : catalog.skills.find((one) => one.name === entry.skill.name);
  const state: CatalogState | "absent" =
    entry?.modelInvocable === true && listed !== undefined ? listed.state : "absent";
  const asked = new Set(entry === undefined ? [name] : [name, entry.skill.name]);
  const steps: Decision[] = preparation.decisions.filter(
    ({ about }) => about === undefined || asked.has(about),
  );
  for (const visit of snapshot.roots) steps.push(visit.decision);
  for (const trail of trails) {
    for (const decision of trail.decisions)
      steps.push(decision.path === null ? { ...decision, path: trail.location } : decision);
  }
  if (entry !== undefined) {
    for (const decision of entry.decisions) {
      steps.push(decision.path === null ? { ...decision, path: entry.skill.location } : decision);
    }
    for (const [key, message] of profile.ignoredKeys ?? []) {
      if (!Object.hasOwn(entry.skill.extra, key)) continue;
      const path = entry.skill.location;
      steps.push({ stage: "invocation", outcome: "passed", reason: "ignored-key", path, message });
    }
    steps.push(catalogStep(entry, { catalog, state, listed }));
  }
  const ranked = entry === undefined ? null : input.ranking(entry);
  if (ranked !== null) steps.push(ranked);
  const verdict = verdictOf(entry, trails);
  const nearest = verdict === "absent" ? nearestTo(name, lookup, entries) : [];
  const known =
    verdict === "absent"
      ? steps.filter(({ about, outcome }) => about !== undefined && outcome === "skipped")
      : [];
  const near = known.length > 0 ? known : verdict === "absent" ? (input.nearMisses?.(name) ?? []) : [];
  if (known.length === 0) steps.push(...near);
  return {
    profile: snapshot.profile,
    name: entry?.skill.name ?? name,
    verdict,
    catalog: state,
    ...summarize(input, { verdict, entry, trails, state, nearest, near, reason: listed?.code ?? null }),
    steps,
    nearest,
    notes: relevantNotes(profile.notes, { verdict, entry, trails }),
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
  found: {
    readonly catalog: Catalog;
    readonly state: CatalogState | "absent";
    readonly listed: CatalogEntry | undefined;
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
  if (found.state === "absent") {
    const message =
      found.catalog.text === null
        ? "The catalog is not mounted at all for this agent."
        : "Not in the catalog: it has no description; a load by name works.";
    return {
      stage: "catalog",
      outcome: "absent",
      reason: found.catalog.text === null ? "not-mounted" : "undescribed",
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
    outcome: found.state,
    reason: found.state === "full" ? "fits" : (found.listed?.code ?? "budget"),
    path: location,
    message: found.listed?.reason ?? words[found.state],
  };
}
