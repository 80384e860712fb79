import { evaluate, evaluateSpellings, type PermissionEvaluation, type PermissionRule } from "./permission.ts";
import { matchWildcard } from "./wildcard.ts";

/**
 * `evaluate` (or `evaluateSpellings`) of one list of rules for the permission `skill`, for very many names. Most names
 * fall under the one rule for everything, with a few rules for others behind it; a name that none of those can mean by
 * its first letters has the answer that all such names have.
 */
export function judgeOf(
  rules: readonly PermissionRule[],
  spellings: boolean,
): (name: string) => PermissionEvaluation {
  const thorough = spellings ? evaluateSpellings : evaluate;
  const applying = rules.filter(({ permission }) => matchWildcard("skill", permission));
  const general = applying.findLastIndex(({ pattern }) => pattern === "*");
  const rule = applying[general];
  if (rule === undefined) return (name) => thorough(rules, "skill", name);
  const starts = applying.slice(general + 1).map(({ pattern }) => /^[^*?\\/ ]*/.exec(pattern)?.[0] ?? "");
  const answer: PermissionEvaluation = {
    permission: rule.permission,
    pattern: rule.pattern,
    action: rule.action,
    index: rules.lastIndexOf(rule),
  };
  return (name) =>
    /^[a-z0-9-]+$/.test(name) && !starts.some((start) => name.startsWith(start))
      ? answer
      : thorough(rules, "skill", name);
}
