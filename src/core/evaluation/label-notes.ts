import { closestNames } from "../text/closest-names.ts";
import type { EvaluationCase } from "./evaluation-case.ts";

/** The skills that are asked for. */
export interface KnownSkills {
  /** Every name and id that a label may hold. */
  readonly known: ReadonlySet<string>;
  /** What may have been meant instead. */
  readonly names: readonly string[];
}

/** Names that are looked up for a "did you mean"; a lookup reads all names. */
const lookedUp = 20;

/**
 * What labels say that can hardly be meant, one sentence each, with the place: names that no skill has, then labels that
 * contradict an earlier one of the same request. Linear in cases, but for the few names that are looked up.
 */
export function labelNotes(cases: readonly EvaluationCase[], skills: KnownSkills): readonly string[] {
  return [...unknownNames(cases, skills), ...contradictions(cases)];
}

function unknownNames(cases: readonly EvaluationCase[], { known, names }: KnownSkills): readonly string[] {
  const unknown = new Map<string, { place: string; more: number }>();
  for (const { relevant, forbidden, place } of cases)
    for (const name of new Set(forbidden === null ? relevant : [...relevant, forbidden])) {
      if (known.has(name)) continue;
      const before = unknown.get(name);
      if (before === undefined) unknown.set(name, { place, more: 0 });
      else before.more++;
    }
  return [...unknown].map(([name, { place, more }], index) => {
    const meant = index < lookedUp ? closestNames(name, names, 1)[0] : undefined;
    const hint = meant === undefined ? "" : `; did you mean "${meant}"?`;
    const others = more === 0 ? "" : ` (${more} more ${more === 1 ? "request names" : "requests name"} it)`;
    return `${place}: there is no skill "${name}"${hint}${others}`;
  });
}

function contradictions(cases: readonly EvaluationCase[]): readonly string[] {
  const earlier = new Map<string, EvaluationCase[]>();
  const notes: string[] = [];
  for (const one of cases) {
    const query = one.query.trim();
    const same = earlier.get(query);
    if (same === undefined) {
      earlier.set(query, [one]);
      continue;
    }
    // A request that is repeated thousands of times is compared with its first few labels.
    const other = same.slice(0, 10).find((before) => contradicts(before, one));
    if (other !== undefined)
      notes.push(
        `${one.place}: says ${label(one)}; ${other.place} says ${label(other)} for the same request`,
      );
    same.push(one);
  }
  return notes;
}

/** No answer satisfies both: one forbids what the other wants, one wants nothing, or what they want first differs. */
function contradicts(one: EvaluationCase, other: EvaluationCase): boolean {
  if (one.forbidden !== null || other.forbidden !== null)
    return (
      (one.forbidden !== null && other.relevant.includes(one.forbidden)) ||
      (other.forbidden !== null && one.relevant.includes(other.forbidden))
    );
  if (one.relevant.length === 0 || other.relevant.length === 0)
    return one.relevant.length !== other.relevant.length;
  return !one.relevant.some((name) => other.relevant.includes(name));
}

function label({ relevant, forbidden }: EvaluationCase): string {
  if (forbidden !== null) return `not "${forbidden}"`;
  return relevant.length === 0 ? "that nothing fits" : relevant.map((name) => `"${name}"`).join(" or ");
}
