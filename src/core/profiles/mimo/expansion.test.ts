import { describe, expect, test } from "vitest";
import { skillFile, survey, type Tree } from "../../../../test/support/opencode-survey.ts";
import type { ExpandRequest } from "../../activation/expand.ts";

const builtin = "/data/builtin_skills/0.1.14/skills";
const skills: Tree = {
  ...Object.fromEntries(
    ["a", "b", "c", "d"].map((name) => [`/home/u/.claude/skills/${name}/SKILL.md`, skillFile(name)]),
  ),
  [`${builtin}/pdf-official/SKILL.md`]: skillFile("pdf-official"),
  [`${builtin}/deep-research/SKILL.md`]: skillFile("deep-research"),
  "/data/compose/0.1.14/skills/plan/SKILL.md": skillFile("compose:plan"),
  "/repo/mimocode.json": JSON.stringify({
    command: { ship: { template: "Ship $1 with /a" } },
    permission: { skill: { d: "deny" } },
  }),
};

function expand(
  message: string,
  request: Partial<ExpandRequest> = {},
  setting: Parameters<typeof survey>[2] = {},
) {
  const { profile, entries, preparation, environment, fileSystem } = survey("mimo", skills, {
    data: "/data",
    ...setting,
  });
  const expansion = profile.expand?.({
    message,
    attachments: [],
    touched: [],
    given: [],
    entries,
    reserved: preparation.commands,
    roots: preparation.roots,
    environment,
    fileSystem,
    fileLimit: 10,
    body: ({ name }) => `\nBody of ${name} \n`,
    literals: () => [],
    ...request,
  });
  if (expansion === undefined) throw new RangeError("no expansion");
  return expansion;
}

const bodyOf = (name: string) =>
  `<system-reminder>\n<skill_content name="${name}">\n\nBody of ${name} \n\n</skill_content>\n</system-reminder>`;

describe("mentions", () => {
  test("one skill: its raw body behind the text", () => {
    expect(expand("use /a please")).toEqual({
      visibleText: "use /a please",
      parts: [
        { type: "text", text: "use /a please", synthetic: false, origin: "user" },
        { type: "text", text: bodyOf("a"), synthetic: true, origin: "mention" },
      ],
      mentioned: ["a"],
      injected: ["a"],
      diagnostics: [],
    });
  });

  test("several: three bodies, and word on how to combine all", () => {
    const { parts, mentioned, injected } = expand("/c /b /a /pdf-official");
    expect(parts.map(({ origin }) => origin)).toEqual([
      "user",
      "mention",
      "mention",
      "mention",
      "orchestration",
    ]);
    expect([mentioned, injected]).toEqual([
      ["c", "b", "a", "pdf-official"],
      ["c", "b", "a"],
    ]);
    const text = parts.at(-1)?.text ?? "";
    expect(text).toContain("The user has explicitly referenced multiple skills in this message:");
    expect(text).toMatch(/Not loaded yet.*skill tool.*pdf-official/);
    for (const word of [
      "SKILL.md",
      "pipeline",
      "parallel",
      "constraint overlay",
      "wins",
      "phase → skill → artefact",
    ])
      expect(text).toContain(word);
  });

  test("what is denied gives nothing, to anyone", () => {
    expect(expand("/d and /compose:plan").parts).toHaveLength(1);
    expect(expand("/compose:plan", {}, { agent: "compose" }).injected).toEqual(["compose:plan"]);
  });

  test("a body that the conversation has is not given again", () => {
    expect(expand("/a", { given: [{ name: "a", digest: "" }] }).parts).toHaveLength(1);
  });
});

describe("slash commands", () => {
  test("a Chinese name becomes the skill's own where the interface is Chinese", () => {
    expect(expand("/深度研究 鱼类", {}, { language: "zh-CN" })).toMatchObject({
      visibleText: "/deep-research 鱼类",
      injected: ["deep-research"],
    });
    expect(expand("/深度研究 鱼类")).toMatchObject({ visibleText: "/深度研究 鱼类", injected: [] });
  });

  test("a skill's text takes no arguments; a configured command's does, and its mentions count", () => {
    expect(expand("/a $1 x").visibleText).toBe("/a $1 x");
    expect(expand("/ship today")).toMatchObject({ visibleText: "Ship today with /a", injected: ["a"] });
  });
});

describe("attachments", () => {
  const file = (path: string, mime: string | null = null) => ({ attachments: [{ path, mime }] });
  const reminder = (...given: Parameters<typeof expand>) =>
    expand(...given).parts.find(({ origin }) => origin === "attachment")?.text ?? null;

  test("the program's own copy, whoever may load it", () => {
    const text = reminder("read", file("docs/Report.PDF"));
    expect(text).toMatch(/^<system-reminder>\n[\s\S]*\n<\/system-reminder>$/);
    expect(text).toContain(`\n- pdf-official: ${builtin}/pdf-official/SKILL.md\n`);
    expect(reminder("read", file("x", "application/pdf"), { agent: "explore" })).toContain("pdf-official");
  });

  test("nothing for other files, and nothing when the pack is off", () => {
    expect(reminder("read", file("a.txt"))).toBeNull();
    const variables = { MIMOCODE_DISABLE_BUILTIN_SKILLS: "true" };
    expect(reminder("read", file("a.pdf"), { variables })).toBeNull();
  });
});
