import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  evaluate,
  isStricter,
  type PermissionAction,
  type PermissionRule,
} from "../visibility/permission.ts";
import { matchWildcard } from "../visibility/wildcard.ts";
import { restrictingRulesLimit, restrictRules } from "./restrict-rules.ts";

function rules(
  ...written: readonly (readonly [pattern: string, action: PermissionAction])[]
): PermissionRule[] {
  return written.map(([pattern, action]) => ({ permission: "skill", pattern, action }));
}
const ask = (list: readonly PermissionRule[], name: string) => evaluate(list, "skill", name).action;

describe("restrictRules", () => {
  it("lets nothing override a denial of the restricting layer", () => {
    const result = restrictRules(rules(["*", "allow"], ["secret", "allow"]), rules(["secret", "deny"]));
    expect([ask(result, "secret"), ask(result, "other")]).toEqual(["deny", "allow"]);
  });

  it("keeps exceptions of the restricting layer, but not against what the others forbid", () => {
    const user = rules(["*", "allow"], ["ok-bad", "deny"], ["ok-later", "ask"]);
    const managed = rules(["*", "deny"], ["ok-*", "allow"]);
    const result = restrictRules(user, managed);
    expect(["x", "ok-good", "ok-bad", "ok-later"].map((name) => ask(result, name))).toEqual([
      "deny",
      "allow",
      "deny",
      "ask",
    ]);
  });

  it("never weakens: allow or ask of the restricting layer change nothing that is stricter", () => {
    const user = rules(["*", "allow"], ["a*", "deny"], ["ab", "ask"]);
    for (const action of ["allow", "ask"] as const) {
      const result = restrictRules(user, rules(["*", action]));
      expect(ask(result, "ax")).toBe("deny");
      expect(ask(result, "ab")).toBe("ask");
      expect(ask(result, "b")).toBe(action);
    }
  });

  it("denies everything when there are too many rules to weigh", () => {
    const many = Array.from(
      { length: restrictingRulesLimit + 1 },
      (_, index) => [`n${index}`, "allow"] as const,
    );
    expect(ask(restrictRules(rules(["*", "allow"]), rules(...many)), "free")).toBe("deny");
  });

  const action = fc.constantFrom<PermissionAction>("allow", "ask", "deny");
  const list = (pattern: fc.Arbitrary<string>) =>
    fc.array(fc.record({ permission: fc.constantFrom("skill", "*", "s*"), pattern, action }), {
      maxLength: 6,
    });
  const text = (letters: string) =>
    fc.array(fc.constantFrom(...letters), { maxLength: 5 }).map((parts) => parts.join(""));

  it("is never weaker than either side, whatever the wildcards", () => {
    fc.assert(
      fc.property(list(text("ab*? ")), list(text("ab*? ")), text("ab "), (base, restricting, name) => {
        const result = ask(restrictRules(base, restricting), name);
        const hit = restricting.findLast(
          (rule) => matchWildcard("skill", rule.permission) && matchWildcard(name, rule.pattern),
        );
        return !isStricter(ask(base, name), result) && !(hit !== undefined && isStricter(hit.action, result));
      }),
      { numRuns: 3000 },
    );
  });

  it("is exactly the stricter of both for plain names and prefixes", () => {
    const pattern = text("ab").chain((start) => fc.constantFrom(start, `${start}*`));
    fc.assert(
      fc.property(list(pattern), list(pattern), text("ab"), (base, restricting, name) => {
        const own = ask(base, name);
        const hit = restricting.findLast(
          (rule) => matchWildcard("skill", rule.permission) && matchWildcard(name, rule.pattern),
        );
        const wanted = hit !== undefined && isStricter(hit.action, own) ? hit.action : own;
        return ask(restrictRules(base, restricting), name) === wanted;
      }),
      { numRuns: 3000 },
    );
  });
});
