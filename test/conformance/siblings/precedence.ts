import { expect } from "vitest";
import { openSkills } from "../../../src/host/open-skills.ts";
import { repository, type Sibling, skill } from "./sibling.ts";

/** One skill in the folders of several brands of the user. */
const threeBrands = {
  "home/.claude/skills/x/SKILL.md": skill("x", "Claude."),
  "home/.agents/skills/x/SKILL.md": skill("x", "Agents."),
  "home/.codex/skills/x/SKILL.md": skill("x", "Codex."),
};

export const precedence: readonly Sibling[] = [
  {
    id: "identical-copies",
    about: "The same bytes in the folders of two brands: listed once, and no fuss about it.",
    tree: {
      "home/.agents/skills/x/SKILL.md": skill("x"),
      "home/.claude/skills/x/SKILL.md": skill("x"),
    },
    setup: { home: "home" },
    offered: ["x"],
    skills: { x: { winner: "home/.agents/skills/x", shadowed: ["home/.claude/skills/x"] } },
    said: [{ level: "info", code: "precedence/identical-copy", says: /identical/i }],
  },
  {
    id: "three-levels",
    about: "Package before repository before user.",
    tree: {
      ...repository("repo"),
      "home/.agents/skills/x/SKILL.md": skill("x", "User."),
      "repo/.agents/skills/x/SKILL.md": skill("x", "Repository."),
      "repo/pkg/.agents/skills/x/SKILL.md": skill("x", "Package."),
    },
    setup: { home: "home", cwd: "repo/pkg" },
    offered: ["x"],
    skills: {
      x: { description: "Package.", shadowed: ["repo/.agents/skills/x", "home/.agents/skills/x"] },
    },
    said: [
      { level: "info", code: "precedence/shadowed", file: "repo/.agents/skills/x/SKILL.md" },
      { level: "info", code: "precedence/shadowed", file: "home/.agents/skills/x/SKILL.md" },
    ],
    more: (skills) =>
      expect(skills.shadowed.map(({ reason }) => reason)).toEqual(["farther-level", "lower-scope"]),
  },
  {
    id: "nearer-level-before-brand",
    about: "A level nearer to the working folder counts more than the order of brands.",
    tree: {
      ...repository("repo"),
      "repo/.skillet/skills/x/SKILL.md": skill("x", "Repository, first brand."),
      "repo/pkg/.minimax/skills/x/SKILL.md": skill("x", "Package, last brand."),
    },
    setup: { cwd: "repo/pkg" },
    offered: ["x"],
    skills: { x: { description: "Package, last brand." } },
  },
  {
    id: "brands-default",
    about: "The order of brands without configuration.",
    tree: threeBrands,
    setup: { home: "home" },
    offered: ["x"],
    skills: { x: { description: "Agents.", shadowed: ["home/.claude/skills/x", "home/.codex/skills/x"] } },
  },
  {
    id: "brands-reversed",
    about: "The order of brands by configuration; brands that are not named are not searched.",
    tree: { ...threeBrands, "home/.gemini/skills/g/SKILL.md": skill("g") },
    setup: { home: "home" },
    config: { brands: ["codex", "claude", "agents"] },
    offered: ["x"],
    skills: {
      x: { description: "Codex.", shadowed: ["home/.claude/skills/x", "home/.agents/skills/x"] },
      g: {},
    },
    more: (skills) => {
      const off = skills.explain("g").steps.filter(({ reason }) => reason === "brand-off");
      expect(off.map(({ message }) => message).join(" ")).toContain("Gemini");
    },
  },
  {
    id: "unknown-words",
    about: "Misspelt words in precedence and brands: said, and everything else as configured.",
    tree: {
      ...repository("repo"),
      "repo/.agents/skills/x/SKILL.md": skill("x", "Project."),
      "home/.agents/skills/x/SKILL.md": skill("x", "User."),
      "home/.claude/skills/c/SKILL.md": skill("c"),
    },
    setup: { home: "home", cwd: "repo" },
    config: { precedence: ["usr", "user", "project", "user"], brands: ["agents", "cluade"] },
    offered: ["x"],
    skills: { x: { description: "User." } },
    said: [
      { level: "warning", code: "config/unknown-value", says: /"usr"/ },
      { level: "warning", code: "config/unknown-value", says: /"cluade"/ },
    ],
  },
  {
    id: "precedence-partly",
    about: "Scopes that precedence does not name keep their places; those that it names swap theirs.",
    tree: {
      ...repository("repo"),
      "repo/.agents/skills/x/SKILL.md": skill("x", "Project."),
      "home/.agents/skills/x/SKILL.md": skill("x", "User."),
      "extra/x/SKILL.md": skill("x", "Configured."),
    },
    setup: { home: "home", cwd: "repo" },
    config: { precedence: ["config", "user", "project"], skills: { paths: ["$CASE/extra"] } },
    offered: ["x"],
    skills: {
      x: { description: "Configured.", shadowed: ["home/.agents/skills/x", "repo/.agents/skills/x"] },
    },
  },
  {
    id: "managed-first",
    about: "What the administrator provides outranks everything.",
    tree: {
      ...repository("repo"),
      "managed/skills/x/SKILL.md": skill("x", "Managed."),
      "repo/.agents/skills/x/SKILL.md": skill("x", "Project."),
    },
    setup: { cwd: "repo", env: { SKILLET_MANAGED_DIR: "managed" } },
    offered: ["x"],
    skills: { x: { description: "Managed." } },
  },
  {
    id: "disabled-by-name",
    about: "A skill that is switched off stays off; the copy behind it does not step in.",
    tree: {
      ...repository("repo"),
      "repo/.agents/skills/x/SKILL.md": skill("x", "Project."),
      "home/.agents/skills/x/SKILL.md": skill("x", "User."),
      "home/.agents/skills/why/SKILL.md": skill("why"),
    },
    setup: { home: "home", cwd: "repo" },
    config: { skills: { disabled: ["x"] } },
    offered: ["why"],
    more: (skills) => {
      expect(skills.explain("x").verdict).toBe("hidden");
      expect(skills.explain("x").summary).toMatch(/not offered/);
    },
  },
  {
    id: "disabled-reveals",
    about: "The same with the setting that lets the copy behind step in.",
    tree: {
      ...repository("repo"),
      "repo/.agents/skills/x/SKILL.md": skill("x", "Project."),
      "home/.agents/skills/x/SKILL.md": skill("x", "User."),
    },
    setup: { home: "home", cwd: "repo" },
    config: { skills: { disabled: ["x"], disabledRevealsShadowed: true } },
    offered: [],
  },
  {
    id: "disabled-by-pattern",
    about: "Several skills are switched off by a pattern, the same in list, search, load and commands.",
    tree: {
      "skills/lark-doc/SKILL.md": skill("lark-doc"),
      "skills/lark-mail/SKILL.md": skill("lark-mail"),
      "skills/sparrow/SKILL.md": skill("sparrow"),
    },
    config: { skills: { disabled: ["lark-*"] } },
    offered: ["sparrow"],
    lookups: { "lark-mail": "refused", "Lark-Doc": "refused" },
  },
  {
    id: "case-twins",
    about: "Two names differ in case only: both stay, and it is said.",
    tree: { "skills/a/SKILL.md": skill("PDF"), "skills/b/SKILL.md": skill("pdf") },
    offered: ["PDF", "pdf"],
    said: [{ level: "warning", code: "precedence/case-twins", says: /PDF.*pdf|pdf.*PDF/ }],
    lookups: { PDF: "PDF", pdf: "pdf" },
    more: (skills) => expect(skills.load("Pdf").status).toBe("unknown"),
  },
  {
    id: "broken-winner",
    about: "The stronger copy cannot be read at all: the weaker one stays, and both are named.",
    tree: {
      ...repository("repo"),
      "repo/.agents/skills/x/SKILL.md": "",
      "home/.agents/skills/x/SKILL.md": skill("x", "User."),
    },
    setup: { home: "home", cwd: "repo" },
    offered: ["x"],
    skills: { x: { description: "User." } },
    said: [
      { level: "error", code: "file/empty", file: "repo/.agents/skills/x/SKILL.md" },
      {
        level: "error",
        code: "precedence/broken-override",
        file: "repo/.agents/skills/x/SKILL.md",
        says: /home/,
      },
    ],
  },
  {
    id: "broken-loser",
    about: "A weaker copy that cannot be read is no override.",
    tree: {
      ...repository("repo"),
      "repo/.agents/skills/x/SKILL.md": skill("x", "Project."),
      "home/.agents/skills/x/SKILL.md": "",
    },
    setup: { home: "home", cwd: "repo" },
    offered: ["x"],
    said: [{ level: "error", code: "file/empty", file: "home/.agents/skills/x/SKILL.md" }],
  },
  {
    id: "declared-under-other-folders",
    about: "The declared name decides, not the folder's.",
    tree: {
      ...repository("repo"),
      "repo/.agents/skills/folder-one/SKILL.md": skill("x", "Project."),
      "home/.agents/skills/folder-two/SKILL.md": skill("x", "User."),
      "home/.agents/skills/folder-one/SKILL.md": skill("why"),
    },
    setup: { home: "home", cwd: "repo" },
    offered: ["why", "x"],
    skills: { x: { winner: "repo/.agents/skills/folder-one", shadowed: ["home/.agents/skills/folder-two"] } },
    more: (skills) => {
      const why = skills.explain("folder-two");
      expect(why.verdict).toBe("shadowed");
      expect(why.steps.some(({ path }) => path?.includes("folder-two") === true)).toBe(true);
    },
  },
  {
    id: "reserved-commands",
    about: "Names of commands that the host keeps: the skill stays loadable, but takes no slash command.",
    tree: {
      "skills/help/SKILL.md": skill("help"),
      "skills/mine/SKILL.md": skill("mine", "Mine.", "aliases: [clear]"),
    },
    config: { reservedCommands: ["help", "clear"] },
    offered: ["help", "mine"],
    more: (skills) => {
      expect(skills.commands().map(({ name, aliases }) => [name, aliases])).toEqual([["mine", []]]);
      expect(skills.load("help").status).toBe("loaded");
    },
  },
  {
    id: "alias-meets-name",
    about: "An alias never takes a name from the skill that has it.",
    tree: {
      "skills/a/SKILL.md": skill("a", "First.", "aliases: [b, shared]"),
      "skills/b/SKILL.md": skill("b", "Second."),
      "skills/c/SKILL.md": skill("c", "Third.", "aliases: [shared, sea]"),
    },
    offered: ["a", "b", "c"],
    lookups: { b: "b", sea: "c" },
    more: (skills) => expect(skills.load("shared").status).toBe("unknown"),
  },
  {
    id: "many-copies",
    about: "Eight copies in eight places: always the same winner, every loser with its reason.",
    tree: Object.fromEntries(
      ["skillet", "agents", "claude", "codex", "opencode", "gemini", "cursor", "minimax"].map((brand) => [
        `home/.${brand}/skills/x/SKILL.md`,
        skill("x", `Copy of ${brand}.`),
      ]),
    ),
    setup: { home: "home" },
    offered: ["x"],
    skills: { x: { description: "Copy of skillet." } },
    more: (skills, { options }) => {
      expect(skills.shadowed).toHaveLength(7);
      expect(new Set(skills.shadowed.map(({ reason }) => reason))).toEqual(new Set(["brand-order"]));
      for (let run = 0; run < 5; run += 1)
        expect(openSkills(options).snapshot.version).toBe(skills.snapshot.version);
    },
  },
  {
    id: "user-copies-of-one-brand",
    about: "A brand has two user folders; the first in its order wins, always.",
    tree: {
      "home/.config/opencode/skills/x/SKILL.md": skill("x", "Configuration folder."),
      "home/.opencode/skills/x/SKILL.md": skill("x", "Dot folder."),
    },
    setup: { home: "home" },
    offered: ["x"],
    skills: { x: { description: "Configuration folder." } },
    more: (skills) => expect(skills.shadowed.map(({ reason }) => reason)).toEqual(["root-order"]),
  },
];
