import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { openSkills } from "../../../src/host/open-skills.ts";
import { repository, type Sibling, skill } from "./sibling.ts";

const three = {
  "skills/deploy/SKILL.md": skill("deploy"),
  "skills/docs/SKILL.md": skill("docs"),
  "skills/free/SKILL.md": skill("free"),
};

export const permissions: readonly Sibling[] = [
  {
    id: "per-agent",
    about: "An agent's own rules come after the general ones.",
    tree: three,
    config: {
      permission: { skill: { "*": "deny" } },
      agent: { writer: { permission: { skill: { docs: "allow" } } } },
    },
    options: { agent: "writer" },
    offered: ["docs"],
    more: (_, { options }) => {
      const { agent: _agent, ...others } = options;
      expect(openSkills(others).catalog().text).toBeNull();
      expect(openSkills({ ...options, agent: "constructor" }).catalog().text).toBeNull();
    },
  },
  {
    id: "all-denied",
    about: "Everything is denied: neither a tool nor a catalog nor a command, and nobody can load.",
    tree: three,
    config: { permission: { skill: "deny" } },
    offered: [],
    lookups: { docs: "refused" },
    more: (skills) => {
      expect(skills.catalog().text).toBeNull();
      expect(skills.commands()).toEqual([]);
      expect(skills.search("docs").results).toEqual([]);
      expect(skills.load("docs", { by: "user" }).status).toBe("denied");
      expect(skills.explain("docs").summary).toMatch(/rule/);
    },
  },
  {
    id: "all-denied-one-allowed",
    about: "All denied but one: the tool stays.",
    tree: three,
    config: { permission: { skill: { "*": "deny", docs: "allow" } } },
    offered: ["docs"],
    more: (skills) => expect(skills.catalog().text).toContain("docs"),
  },
  {
    id: "ask",
    about: "A model has to ask; the user does not.",
    tree: three,
    config: { permission: { skill: { deploy: "ask" } } },
    offered: ["deploy", "docs", "free"],
    skills: { deploy: { loadByModel: "ask", loadByUser: "allow", modelInvocable: true } },
    more: (skills) => {
      expect(skills.load("deploy").output).not.toContain("Do it.");
      expect(skills.load("deploy", { approved: true }).output).toContain("Do it.");
      expect(skills.catalog().text).toContain("deploy");
    },
  },
  {
    id: "last-match",
    about: "The last rule that matches decides, however special the earlier ones are.",
    tree: three,
    config: { permission: { skill: { docs: "allow", deploy: "ask", "d*": "deny" } } },
    offered: ["free"],
  },
  {
    id: "question-mark",
    about: "A question mark stands for one character, a star for any number; both also for Chinese letters.",
    tree: {
      "skills/文档/SKILL.md": skill("文档"),
      "skills/文/SKILL.md": skill("文"),
      "skills/v1/SKILL.md": skill("v1"),
      "skills/v12/SKILL.md": skill("v12"),
    },
    config: { permission: { skill: { "v?": "deny", "文?": "deny" } } },
    offered: ["v12", "文"],
  },
  {
    id: "unreadable-action",
    about: "An action that is no action denies, and says so.",
    tree: three,
    config: { permission: { skill: { docs: "alow", deploy: true } } },
    offered: ["free"],
    said: [
      { level: "error", code: "permission/unknown-action", says: /alow/ },
      { level: "error", code: "permission/unknown-action", says: /boolean/ },
    ],
  },
  {
    id: "deny-any-spelling",
    about: "A denied skill cannot be reached by another spelling, an alias or its folder.",
    tree: {
      "skills/secret/SKILL.md": skill("Secret-Plan", "Hush.", "aliases: [open-door]"),
      "skills/free/SKILL.md": skill("free"),
    },
    config: { permission: { skill: { "Secret-*": "deny" } } },
    offered: ["free"],
    lookups: {
      "Secret-Plan": "refused",
      "secret-plan": "refused",
      "secret plan": "refused",
      "open-door": "refused",
      secret: "refused",
    },
    more: (skills) => {
      for (const name of ["secret-plan", "SECRET_PLAN", "open-door"]) {
        const { status, output } = skills.load(name, { by: "user" });
        expect(["denied", "unknown"]).toContain(status);
        expect(output).not.toContain("Do it.");
      }
      expect(JSON.stringify(skills.search("hush secret plan open-door"))).not.toContain("Secret");
      expect(skills.load("secret-plan").output).not.toContain("Secret-Plan");
    },
  },
  {
    id: "manual-and-model-only",
    about: "Manual-only and model-only skills: who sees what.",
    tree: {
      "skills/hand/SKILL.md": skill("hand", "Manual.", "disable-model-invocation: true"),
      "skills/brain/SKILL.md": skill("brain", "Model only.", "user-invocable: false"),
      "skills/nobody/SKILL.md": skill(
        "nobody",
        "Both.",
        "disable-model-invocation: true",
        "user-invocable: false",
      ),
    },
    offered: ["brain", "hand", "nobody"],
    skills: {
      hand: { modelInvocable: false, userInvocable: true },
      brain: { modelInvocable: true, userInvocable: false },
    },
    more: (skills) => {
      expect(skills.commands().map(({ name }) => name)).toEqual(["hand"]);
      expect(skills.catalog().skills.map(({ name }) => name)).toEqual(["brain"]);
      expect(skills.load("hand")).toMatchObject({ status: "manual-only" });
      expect(skills.load("hand").output).toContain("/hand");
      expect(skills.load("hand", { by: "user" }).status).toBe("loaded");
      expect(skills.explain("hand").summary).toContain("with /hand");
      const nobody = skills.explain("nobody").summary;
      expect(nobody).toContain("no model can call it");
      expect(nobody).not.toContain("with /nobody");
      expect(skills.load("nobody").output).not.toContain("/nobody");
    },
  },
  {
    id: "project-grants-itself",
    about: "A project's settings may tighten permissions, not loosen them.",
    tree: {
      ...repository("repo"),
      "repo/skillet.jsonc":
        '{ "permission": { "skill": { "lark": "allow", "free": "deny" } }, "trust": { "workspace": "always" } }',
      "repo/.agents/skills/lark/SKILL.md": skill("lark"),
      "repo/.agents/skills/free/SKILL.md": skill("free"),
      "repo/.agents/skills/other/SKILL.md": skill("other"),
    },
    setup: { cwd: "repo" },
    config: { permission: { skill: { lark: "deny" } } },
    offered: ["other"],
    said: [
      { level: "warning", code: "config/not-for-project", file: "repo/skillet.jsonc", says: /allow/ },
      { level: "warning", code: "config/not-for-project", file: "repo/skillet.jsonc", says: /trust/ },
    ],
    more: (_, { options }) => expect(openSkills({ ...options, trust: false }).catalog().skills).toEqual([]),
  },
  {
    id: "untrusted",
    about: "A project that is not trusted: listed, but no model is told; the user's own skills are offered.",
    tree: {
      ...repository("repo"),
      "repo/.agents/skills/p/SKILL.md": skill("p"),
      "home/.agents/skills/u/SKILL.md": skill("u"),
    },
    setup: { cwd: "repo", home: "home" },
    options: { trust: false },
    offered: ["p", "u"],
    skills: { p: { modelInvocable: false, loadByModel: "refused" }, u: { modelInvocable: true } },
    more: (skills) => {
      expect(skills.catalog().skills.map(({ name }) => name)).toEqual(["u"]);
      expect(skills.search("about p").results.map(({ name }) => name)).not.toContain("p");
      expect(skills.explain("p")).toMatchObject({
        verdict: "offered",
        catalog: "absent",
        next: "skillet trust",
      });
      expect(skills.workspace).toMatchObject({ trusted: false, needsTrust: 1 });
    },
  },
  {
    id: "trusted-by-user-settings",
    about: "Folders that the user's settings trust; a project's own settings cannot.",
    tree: {
      ...repository("repo"),
      ...repository("other"),
      "repo/.agents/skills/p/SKILL.md": skill("p"),
      "other/.agents/skills/o/SKILL.md": skill("o"),
      "other/skillet.jsonc": '{ "trust": { "folders": ["."] } }',
    },
    setup: { cwd: "repo" },
    options: { trust: false },
    config: { trust: { folders: ["$CASE/repo"] } },
    offered: ["p"],
    skills: { p: { modelInvocable: true } },
    more: (_, { options, folder }) =>
      expect(openSkills({ ...options, cwd: join(folder, "other") }).catalog().skills).toEqual([]),
  },
  {
    id: "numeric-names",
    about: "Rules for names that are numbers, whose place in an object is lost: the stricter reading holds.",
    tree: { "skills/2024/SKILL.md": skill('"2024"'), "skills/2025/SKILL.md": skill('"2025"') },
    config: { permission: { skill: { "*": "allow", "2024": "deny" } } },
    offered: ["2025"],
    said: [{ level: "warning", code: "permission/numeric-pattern", says: /2024/ }],
  },
  {
    id: "requirements",
    about: "A skill that needs a program or a variable which is not there is hidden, with the reason.",
    tree: {
      "skills/needs/SKILL.md": skill("needs", "Needs.", "requires:", "  bins: [no-such-program-here]"),
      "skills/has/SKILL.md": skill("has", "Has.", "requires:", "  env: [HAVE_IT]"),
      "skills/lacks/SKILL.md": skill("lacks", "Lacks.", "requires:", "  env: [LACK_IT]"),
    },
    setup: { env: { HAVE_IT: "1" } },
    offered: ["has"],
    more: (skills) => {
      expect(skills.explain("needs").summary).toContain("no-such-program-here");
      expect(skills.explain("lacks").summary).toContain("LACK_IT");
    },
  },
  {
    id: "trust-is-of-the-repository",
    about: "Trust of one repository does not reach a repository inside it.",
    tree: {
      ...repository("outer"),
      ...repository("outer/vendored"),
      "outer/vendored/.agents/skills/v/SKILL.md": skill("v"),
      "outer/.agents/skills/o/SKILL.md": skill("o"),
    },
    setup: { cwd: "outer" },
    options: { trust: false },
    config: { trust: { folders: ["$CASE/outer"] } },
    offered: ["o"],
    skills: { o: { modelInvocable: true } },
    more: (_, { options, folder }) => {
      mkdirSync(join(folder, "outer/vendored/src"));
      writeFileSync(join(folder, "outer/vendored/src/a.txt"), "");
      const inner = openSkills({ ...options, cwd: join(folder, "outer/vendored/src") });
      expect(inner.snapshot.skills.map(({ name }) => name)).toEqual(["v"]);
    },
  },
];
