import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { authorize, evaluate, isDisabled, type PermissionAction, type PermissionRule } from "./permission.ts";
import { rulesFromConfig } from "./permission-config.ts";
import { matchWildcard } from "./wildcard.ts";

interface GoldenCase {
  readonly id: string;
  readonly input: {
    readonly rules: readonly PermissionRule[];
    readonly permission?: string;
    readonly pattern?: string;
    readonly tool?: string;
  };
  readonly expected: { readonly action?: PermissionAction; readonly disabled?: boolean };
}

const golden = JSON.parse(
  readFileSync(new URL("../../../test/conformance/data/mimo.permission.json", import.meta.url), "utf8"),
) as { readonly cases: readonly GoldenCase[] };

const config = (value: unknown): ReturnType<typeof rulesFromConfig> =>
  rulesFromConfig(value, { home: "/home/me", path: "/c.json" });
const skill = (patterns: Record<string, unknown>): readonly PermissionRule[] =>
  config({ skill: patterns }).value;

describe("golden permission rules", () => {
  it.each(golden.cases.map((entry) => [entry.id, entry] as const))("%s", (_, { input, expected }) => {
    if (input.tool !== undefined) expect({ disabled: isDisabled(input.rules, input.tool) }).toEqual(expected);
    else
      expect(evaluate(input.rules, input.permission ?? "", input.pattern ?? "").action).toBe(expected.action);
  });
});

describe("evaluate", () => {
  const rule = fc.record({
    permission: fc.constantFrom("*", "skill", "sk*", "edit"),
    pattern: fc.constantFrom("*", "a", "a*", "?", "b *", ""),
    action: fc.constantFrom<PermissionAction>("allow", "ask", "deny"),
  });

  it("equals a naive forward scan", () => {
    fc.assert(
      fc.property(
        fc.array(rule),
        fc.constantFrom("skill", "edit", "x"),
        fc.constantFrom("a", "ab", "b", ""),
        (rules, permission, name) => {
          let index: number | null = null;
          rules.forEach((one, i) => {
            if (matchWildcard(permission, one.permission) && matchWildcard(name, one.pattern)) index = i;
          });
          const got = evaluate(rules, permission, name);
          expect(got.index).toBe(index);
          expect(got.action).toBe(index === null ? "ask" : rules[index]?.action);
        },
      ),
    );
  });

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "%s is a name like any other",
    (name) => {
      expect(evaluate([], "skill", name).action).toBe("ask");
      expect(isDisabled([], name)).toBe(false);
      expect(evaluate(config(JSON.parse(`{"skill":{"${name}":"deny"}}`)).value, "skill", name).action).toBe(
        "deny",
      );
    },
  );
});

describe("authorize", () => {
  const rules = skill({ "*": "ask", secret: "deny", free: "allow" });
  const saved: PermissionRule[] = [{ permission: "skill", pattern: "*", action: "allow" }];
  it.each([
    [["free"], [], "allow"],
    [["one"], [], "ask"],
    [["one"], saved, "allow"],
    [["secret"], saved, "deny"],
    [["free", "one"], [], "ask"],
    [["one", "secret"], saved, "deny"],
  ] as const)("%j with %j is %s", (patterns, approvals, expected) => {
    expect(authorize({ permission: "skill", patterns }, { rules, saved: approvals })).toBe(expected);
  });
});

describe("rulesFromConfig", () => {
  it.each([
    ["deny", [["*", "*", "deny"]]],
    [undefined, []],
    [
      { "*": "allow", skill: { "*": "ask", "b*": "deny" } },
      [
        ["*", "*", "allow"],
        ["skill", "*", "ask"],
        ["skill", "b*", "deny"],
      ],
    ],
    [
      { read: { "~/x": "allow", $HOME: "ask", "$HOME/y": "deny", "~z": "deny", "a~/": "deny" } },
      [
        ["read", "/home/me/x", "allow"],
        ["read", "/home/me", "ask"],
        ["read", "/home/me/y", "deny"],
        ["read", "~z", "deny"],
        ["read", "a~/", "deny"],
      ],
    ],
    [{ skill: { "": "allow" } }, [["skill", "", "allow"]]],
  ])("%j", (value, expected) => {
    const result = config(value);
    expect(result.value.map((rule) => [rule.permission, rule.pattern, rule.action])).toEqual(expected);
    expect(result.diagnostics).toEqual([]);
  });

  it.each([
    ["unknown action", { skill: { "*": "maybe" } }, "x", "permission/unknown-action"],
    ["no action", { skill: { "*": null } }, "x", "permission/unknown-action"],
    ["a number", { skill: 7 }, "x", "permission/unknown-action"],
    ["a list", ["allow"], "x", "permission/unknown-action"],
    ["a boolean", true, "x", "permission/unknown-action"],
    ["an open brace", { skill: { "{": "allow" } }, "x", "permission/bad-pattern"],
    ["a closing brace", { skill: { "}{": "allow" } }, "x", "permission/bad-pattern"],
    ["a line break", { skill: { "x\n": "allow" } }, "x", "permission/bad-pattern"],
    ["an endless pattern", { skill: { ["*".repeat(5_000)]: "allow" } }, "x", "permission/bad-pattern"],
  ])("%s fails closed", (_, value, name, code) => {
    const result = config(value);
    expect(evaluate(result.value, "skill", name).action).toBe("deny");
    expect(result.diagnostics.map((d) => [d.code, d.severity, d.path])).toEqual([[code, "error", "/c.json"]]);
  });

  it.each([
    [{ "*": "allow", "internal-*": "deny" }, "internal-x", "deny"],
    [{ "*": "allow", "internal-*": "deny" }, "internal-", "deny"],
    [{ "*a*a*a*a*a*a*a*a*a*b": "allow" }, "a".repeat(64), "ask"],
    [{ "(a+)+$": "allow" }, "aaaa!", "ask"],
    [{ ".*": "allow" }, "abc", "ask"],
    [{ "*": "deny", ok: "allow" }, "ok", "allow"],
    [{ ok: "allow", "*": "deny" }, "ok", "deny"],
    [{ "[!a]": "deny" }, "b", "ask"],
    [{ "*": "allow", "lark-*": "deny", "lark-help": "allow", "deploy-*": "ask" }, "lark-doc", "deny"],
    [{ "*": "allow", "lark-*": "deny", "lark-help": "allow", "deploy-*": "ask" }, "lark-help", "allow"],
    [{ "*": "allow", "lark-*": "deny", "lark-help": "allow", "deploy-*": "ask" }, "deploy-web", "ask"],
  ] as const)("%j decides %s as %s", (patterns, name, expected) => {
    expect(evaluate(skill(patterns), "skill", name).action).toBe(expected);
  });

  it.each([
    [{ "*": "allow", "2024": "deny" }, "deny", 1],
    [{ "2024": "allow", "*": "deny" }, "deny", 1],
    [{ "2024": "deny", "*": "deny" }, "deny", 0],
    [{ "2024": "allow" }, "allow", 0],
  ] as const)("a numeric name in %j is never freer than written", (patterns, expected, diagnostics) => {
    const result = config({ skill: patterns });
    expect(evaluate(result.value, "skill", "2024").action).toBe(expected);
    expect(result.diagnostics).toHaveLength(diagnostics);
  });

  it("takes patterns as they are for mirrored systems", () => {
    const result = rulesFromConfig(
      { skill: { "*": "allow", "{": "deny", "7": "deny" } },
      { home: null, path: null, patterns: "as-is" },
    );
    expect(result.diagnostics).toEqual([]);
    expect(result.value.map((rule) => rule.pattern)).toEqual(["7", "*", "{"]);
  });

  it("never throws", () => {
    fc.assert(fc.property(fc.anything(), (value) => void config(value)));
  });
});
