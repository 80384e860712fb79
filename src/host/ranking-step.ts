import type { Decision } from "../core/decision.ts";
import type { VisibleSkill } from "../core/profile.ts";
import { fieldName } from "../core/search/explain-match.ts";
import type { SearchHit, Skills } from "./skills.ts";

/** Hits above that are told. */
const toldAbove = 3;
/** Words that are told for each. */
const toldWords = 3;

/** Where a name stands in the ranking for a request, what stands above it, and which words put it there. */
export function rankingStep(entry: VisibleSkill, request: string, search: Skills["search"]): Decision {
  const { name } = entry.skill;
  if (!entry.modelInvocable || entry.hidden !== null) {
    const message = "Not searched: no model is offered it.";
    return { stage: "search", outcome: "absent", reason: "not-offered", path: null, message };
  }
  const { results } = search(request, { limit: 50, explain: true });
  const place = results.findIndex((hit) => hit.name === name);
  const hit = results[place];
  const above = results.slice(0, place < 0 ? toldAbove : Math.min(place, toldAbove));
  const told = above.map((rival) => `${rival.name} (${percent(rival)}): ${advantage(rival, hit)}`);
  if (hit === undefined) {
    const message =
      told.length === 0
        ? "No skill fits this request."
        : `It shares no word with this request that counts. Found: ${told.join("; ")}.`;
    return { stage: "search", outcome: "absent", reason: "no-shared-word", path: null, message };
  }
  const more = place > toldAbove ? `; and ${place - toldAbove} more` : "";
  const behind = told.length === 0 ? "" : ` Above it: ${told.join("; ")}${more}.`;
  return {
    stage: "search",
    outcome: "ranked",
    reason: place === 0 ? "first" : "behind",
    path: hit.location,
    message: `Place ${place + 1} for this request (${percent(hit)}): ${hit.reason}.${behind}`,
  };
}

function percent({ probability }: SearchHit): string {
  return `${Math.round(probability * 100)} %`;
}

/** Reasons for a score that are no words of the request. */
const groups: ReadonlySet<string> = new Set(["letters in common", "whole name", "named in passing"]);

/**
 * The words by which a hit is ahead of another: `ahead by 3.20 for "pdf" in the name`; without another, what they add:
 * `3.20 for "pdf" in the name`.
 */
function advantage(rival: SearchHit, own: SearchHit | undefined): string {
  const ahead = new Map<string, { gain: number; field: string }>();
  for (const { term, field, weight } of rival.explain ?? []) {
    const known = ahead.get(term);
    if (known === undefined) ahead.set(term, { gain: weight, field });
    else known.gain += weight;
  }
  for (const { term, weight } of own?.explain ?? []) {
    const known = ahead.get(term);
    if (known !== undefined) known.gain -= weight;
  }
  const words = [...ahead]
    .filter(([, { gain }]) => gain > 0.005)
    .sort((a, b) => b[1].gain - a[1].gain)
    .slice(0, toldWords)
    .map(([term, { gain, field }]) =>
      groups.has(term)
        ? `${gain.toFixed(2)} for ${term}`
        : `${gain.toFixed(2)} for "${term}" in the ${fieldName(field)}`,
    );
  if (words.length === 0) return rival.reason;
  return `${own === undefined ? "" : "ahead by "}${words.join(", ")}`;
}
