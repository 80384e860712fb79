import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isScript } from "./is-script.ts";
import { judgeOrigin, judgeSkill, policyDiagnostics, type SkillFacts } from "./judge.ts";
import { originOf, originRule } from "./origin.ts";
import { openPolicy } from "./policy.ts";
import { readPolicy } from "./read-policy.ts";

describe("origins", () => {
  test.each([
    ["skills.example.com", "https://skills.example.com/any/index.json", true],
    ["skills.example.com", "https://SKILLS.example.com/", true],
    ["skills.example.com", "http://skills.example.com/", false],
    ["http://skills.example.com", "http://skills.example.com/", true],
    ["skills.example.com", "https://skills.example.com.evil.example/", false],
    ["skills.example.com", "https://evil.example/skills.example.com", false],
    ["skills.example.com", "https://skills.example.com@evil.example/", false],
    ["skills.example.com", "https://skills.example.com:8443/", false],
    ["skills.example.com:8443", "https://skills.example.com:8443/x", true],
    ["*.example.com", "https://a.b.example.com/", true],
    ["*.example.com", "https://example.com/", false],
    ["*.example.com", "https://evilexample.com/", false],
    ["github.com/acme", "https://github.com/acme/skills.git", true],
    ["github.com/acme", "git@github.com:acme/skills.git", true],
    ["github.com/acme", "ssh://git@github.com/acme/skills", true],
    ["github.com/acme", "git+https://github.com/acme/skills", true],
    ["github.com/acme", "https://github.com/acme-evil/skills", false],
    ["github.com/acme/skills", "https://github.com/acme/skills.git", true],
    ["github.com/acme/", "https://github.com/acme/../evil/x", false],
    ["github.com/acme", "https://github.com/acme/%2e%2e/evil", false],
    ["oci://ghcr.io/acme", "oci://ghcr.io/acme/pdf:1", true],
    ["ghcr.io", "oci://ghcr.io/acme/pdf:1", true],
    ["oci://ghcr.io", "https://ghcr.io/x", false],
    ["local", "/srv/skills", true],
    ["local", "https://a.example/", false],
    ["/srv/skills", "/srv/skills/team", true],
    ["/srv/skills", "/srv/skills-evil", false],
    ["/srv/skills", "/srv/skills/../other", false],
    ["/srv/skills", "file:///srv/skills/x", true],
  ])("%s against %s: %s", (rule, address, fits) => {
    const origin = originOf(address);
    expect(origin !== null && originRule(rule)?.(origin)).toBe(fits);
  });

  test.each(["", "*", "a b", "https://", "https://user@host", "host?x", "host#x", "ho*st", "*.*.com"])(
    "%j is no rule",
    (text) => {
      expect(originRule(text)).toBeNull();
    },
  );

  test("any text has an answer, and a host rule lets no other host pass", () => {
    const rule = originRule("skills.example.com");
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true, withFragments: true })),
        (text) => {
          const origin = originOf(text);
          if (origin !== null && rule?.(origin) === true) expect(origin.host).toBe("skills.example.com");
          originRule(text);
        },
      ),
    );
  });
});

describe("reading", () => {
  test("nothing set forbids nothing", () => {
    expect(readPolicy({})).toEqual({ value: openPolicy, diagnostics: [] });
  });

  test("a whole policy", () => {
    const key = `ed25519:${"A".repeat(43)}=`;
    const { value, diagnostics } = readPolicy({
      origins: ["a.example"],
      publishers: { acme: key, other: [key], third: { keys: [key] } },
      require: "signature",
      scripts: "deny",
      deny: ["x-*"],
      allow: ["*"],
      limits: { files: 3 },
      privateHosts: ["INTERN.example"],
    });
    expect(diagnostics).toEqual([]);
    expect(value.publishers.map(({ name, keys }) => [name, keys.length])).toEqual([
      ["acme", 1],
      ["other", 1],
      ["third", 1],
    ]);
    expect(value.limits).toEqual({ ...openPolicy.limits, files: 3 });
    expect(value.privateHosts).toEqual(["intern.example"]);
  });

  test.each([
    { origins: "a.example" },
    { origins: ["*"] },
    { origins: [5] },
    { publishers: [] },
    { publishers: { acme: "ed25519:short" } },
    { publishers: { acme: [] } },
    { require: "hash" },
    { require: null },
    { scripts: true },
    { deny: "x" },
    { limits: { files: 0 } },
    { limits: { files: "many" } },
    { limits: { fils: 3 } },
    { limits: [] },
    { privateHosts: {} },
    { orgins: ["a.example"] },
  ])("%j closes everything", (given) => {
    const { value, diagnostics } = readPolicy(given);
    expect(diagnostics.map(({ code }) => code)).toContain("policy/invalid");
    expect(judgeOrigin(value, "https://a.example/").allowed).toBe(false);
  });

  test("an unknown word that looks like no rule is only said", () => {
    const { value, diagnostics } = readPolicy({ somethingElseEntirely: 1 });
    expect(diagnostics.map(({ code }) => code)).toEqual(["config/unknown-key"]);
    expect(value.broken).toBeNull();
  });

  test("any object has an answer", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (given) => {
        readPolicy(given);
      }),
    );
  });
});

describe("judging", () => {
  const facts: SkillFacts = {
    name: "pdf",
    origin: "https://a.example/",
    files: [{ path: "SKILL.md", bytes: 100, script: false }],
    digestStated: false,
    publisher: null,
  };
  const refused = (policy: object, more: Partial<SkillFacts> = {}) => {
    const { value } = readPolicy(policy as Record<string, unknown>);
    const judgement = judgeSkill(value, { ...facts, ...more });
    expect(judgement.allowed).toBe(judgement.steps.every(({ allowed }) => allowed));
    expect(judgement.steps.every(({ message }) => /\.$/.test(message))).toBe(true);
    return policyDiagnostics(judgement, { name: "pdf", path: null, policy: value }).map(({ code }) => code);
  };

  test.each([
    [{}, {}, []],
    [{ origins: ["a.example"] }, {}, []],
    [{ origins: ["b.example"] }, {}, ["policy/origin"]],
    [{ origins: [] }, {}, ["policy/origin"]],
    [{ deny: ["p*"] }, {}, ["policy/name"]],
    [{ allow: ["doc*"] }, {}, ["policy/name"]],
    [{ deny: ["PDF"] }, {}, ["policy/name"]],
    [{ deny: ["p?F"] }, { name: "PDF" }, ["policy/name"]],
    [{ allow: ["Pdf"] }, {}, []],
    [{ deny: ["acme/pdf"] }, {}, ["policy/invalid"]],
    [{ deny: [" pdf"] }, {}, ["policy/invalid"]],
    [{ allow: ["pdf@1"] }, {}, ["policy/invalid", "policy/name"]],
    [{ require: "digest" }, {}, ["policy/digest"]],
    [{ require: "digest" }, { digestStated: true }, []],
    [{ require: "digest" }, { publisher: "acme" }, []],
    [{ require: "signature" }, { digestStated: true }, ["policy/signature"]],
    [{ require: "signature" }, { publisher: "acme" }, []],
    [{ scripts: "deny" }, {}, []],
    [{ scripts: "deny" }, { files: [{ path: "run.sh", bytes: 1, script: true }] }, ["policy/script"]],
    [{ limits: { fileBytes: 99 } }, {}, ["policy/size"]],
    [{ limits: { skillBytes: 99 } }, {}, ["policy/size"]],
    [{ limits: { files: 1 } }, { files: [...facts.files, ...facts.files] }, ["policy/size"]],
    [
      { origins: [], deny: ["*"], require: "digest", scripts: "deny" },
      { files: [{ path: "a", bytes: 1, script: true }] },
      ["policy/origin", "policy/name", "policy/digest", "policy/script"],
    ],
  ])("%j with %j", (policy, more, codes) => {
    expect(refused(policy, more as Partial<SkillFacts>)).toEqual(codes);
  });
});

test.each([
  ["a.md", false, "---", false],
  ["a.md", true, "---", true],
  ["run.sh", false, "", true],
  ["RUN.PS1", false, "", true],
  ["tool", false, "#!/bin/sh", true],
  ["tool", false, "\x7fELF", true],
  ["tool", false, "MZ\x90\0", true],
  ["data.json", false, "{}", false],
])("%s (executable: %s, head %j) is a script: %s", (path, executable, head, expected) => {
  expect(isScript({ path, executable, head: Uint8Array.from(head, (unit) => unit.charCodeAt(0)) })).toBe(
    expected,
  );
});
