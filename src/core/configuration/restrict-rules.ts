import { isStricter, type PermissionAction, type PermissionRule } from "../visibility/permission.ts";
import { matchWildcard } from "../visibility/wildcard.ts";

/** Rules of one restricting layer; more of them, and everything is denied (the work grows with their product). */
export const restrictingRulesLimit = 5000;

/** What was found out about pairs of patterns; shared between calls that meet the same ones. */
export type PatternMemory = Map<string, Map<string, Intersection>>;

/** What two patterns both match: a pattern, nothing ("apart"), or something that is no single pattern ("cross"). */
type Intersection = { readonly pattern: string } | "apart" | "cross";

const denyEverything: PermissionRule = { permission: "*", pattern: "*", action: "deny" };

/**
 * `rules`, followed by rules which make every answer at least as strict as `restricting` says where it says something:
 * the administrator's rules over the user's, or the user's project over the user. In a flat list the last match wins,
 * so an exception of the restricting layer ("deny all, but allow these") must not undo what `rules` forbid; every such
 * exception is followed by what `rules` say inside it. Where two wildcards cross, the stricter one holds for both.
 * Rows H03 and H10.
 */
export function restrictRules(
  rules: readonly PermissionRule[],
  restricting: readonly PermissionRule[],
  memory: PatternMemory = new Map(),
): readonly PermissionRule[] {
  if (restricting.length > restrictingRulesLimit) return [...rules, denyEverything];
  const added: PermissionRule[] = [];
  for (const limit of restricting) {
    if (limit.action === "deny") added.push(limit);
    else added.push(...exception(rules, limit, memory));
  }
  return [...rules, ...added];
}

/** Rules under which everything inside `limit` is as strict as the stricter of `rules` and `limit`. */
function exception(
  rules: readonly PermissionRule[],
  limit: PermissionRule,
  memory: PatternMemory,
): readonly PermissionRule[] {
  // What no rule names is asked for, so an allowance alone does not open it.
  let inside: PermissionRule[] = [{ ...limit, action: stricter(limit.action, "ask") }];
  for (const rule of rules) {
    const permission = remembered(rule.permission, limit.permission, memory);
    const pattern = remembered(rule.pattern, limit.pattern, memory);
    if (permission === "apart" || pattern === "apart") continue;
    const action = stricter(rule.action, limit.action);
    if (permission !== "cross" && pattern !== "cross") {
      const added = { permission: permission.pattern, pattern: pattern.pattern, action };
      const whole = added.permission === limit.permission && added.pattern === limit.pattern;
      inside = whole ? [added] : [...inside, added];
    } else if (inside.some((one) => isStricter(action, one.action))) {
      // What both match cannot be written as one pattern: all of `limit` takes the strictest action met so far.
      inside = [
        { ...limit, action: inside.reduce((strictest, one) => stricter(strictest, one.action), action) },
      ];
    }
  }
  return inside;
}

function stricter(one: PermissionAction, other: PermissionAction): PermissionAction {
  return isStricter(one, other) ? one : other;
}

function remembered(one: string, other: string, memory: PatternMemory): Intersection {
  const known = memory.get(other) ?? new Map<string, Intersection>();
  memory.set(other, known);
  const found = known.get(one) ?? intersection(one, other);
  known.set(one, found);
  return found;
}

function intersection(one: string, other: string): Intersection {
  if (covers(other, one)) return { pattern: one };
  if (covers(one, other)) return { pattern: other };
  return overlap(one, other) ? "cross" : "apart";
}

/** Whether all that `inner` matches, `outer` matches; may say no when it cannot tell. */
function covers(outer: string, inner: string): boolean {
  if (outer === inner || outer === "*") return true;
  if (!/[*?]/.test(inner)) return matchWildcard(inner, outer);
  // `inner`'s own wildcards become characters that only a `*` of `outer` can match, so that it covers them for good.
  return (
    !outer.includes("?") && !inner.endsWith(" *") && matchWildcard(inner.replace(/[*?]/g, "\uFFFF"), outer)
  );
}

function overlap(one: string, other: string): boolean {
  return shapes(one).some((left) => shapes(other).some((right) => meet(left, right)));
}

/** A trailing ` *` of a pattern is optional together with its blank. */
function shapes(pattern: string): readonly string[] {
  return pattern.endsWith(" *") ? [pattern, pattern.slice(0, -2)] : [pattern];
}

/** Whether some text matches both; says yes for pairs that are too long to tell. */
function meet(one: string, other: string): boolean {
  if (one.length * other.length > 20_000) return true;
  // Row by row from the end: can the rests of both patterns match one text?
  let below = new Array<boolean>(other.length + 2).fill(false);
  for (let i = one.length; i >= 0; i--) {
    const row = new Array<boolean>(other.length + 2).fill(false);
    for (let j = other.length; j >= 0; j--) {
      const [a, b] = [one[i], other[j]];
      if (a === undefined && b === undefined) row[j] = true;
      else if (a === "*" || b === "*")
        row[j] = (a !== undefined && below[j] === true) || (b !== undefined && row[j + 1] === true);
      else row[j] = a !== undefined && b !== undefined && alike(a, b) && below[j + 1] === true;
    }
    below = row;
  }
  return below[0] === true;
}

function alike(a: string, b: string): boolean {
  const same = (unit: string) => (unit === "\\" ? "/" : unit);
  return a === "?" || b === "?" || same(a) === same(b);
}
