import { describe, expect, test } from "vitest";
import { repository, skillFile, survey, type Tree } from "../../../../test/support/opencode-survey.ts";

const oneSkill: Tree = {
  ...repository,
  "/repo/.opencode/skills/a b/SKILL.md": skillFile("alpha", "First & <best>", "\n# Alpha\n\n"),
  "/repo/.opencode/skills/a b/x.txt": "x",
};

describe("D1: locations in the catalog", () => {
  const block = (location: string | null): string =>
    [
      "  <skill>",
      "    <name>alpha</name>",
      "    <description>First & <best></description>",
      ...(location === null ? [] : [`    <location>${location}</location>`]),
      "  </skill>",
    ].join("\n");

  test.each([
    ["opencode", "/repo/.opencode/skills/a b/SKILL.md", "&lt;built-in&gt;"],
    ["opencode@seed", "file:///repo/.opencode/skills/a%20b/SKILL.md", "file:///<built-in>"],
    ["opencode-v2", null, null],
    ["opencode-v2@seed", null, null],
  ])("%s", (id, location, builtIn) => {
    const text = survey(id, oneSkill).catalog().text ?? "";
    expect(text).toContain(
      `Skills provide specialized instructions and workflows for specific tasks.\nUse the skill tool to load a skill when a task matches its description.\n<available_skills>\n${block(location)}\n`,
    );
    expect(text).toMatch(/<name>customize-opencode<\/name>[\s\S]*<\/available_skills>$/);
    if (builtIn === null) expect(text).not.toContain("<location>");
    else expect(text).toContain(`<location>${builtIn}</location>`);
  });
});

describe("D2: base directory of a loaded skill", () => {
  test.each([
    ["opencode", "/repo/.opencode/skills/a b"],
    ["opencode@seed", "file:///repo/.opencode/skills/a%20b"],
    ["opencode-v2", "/repo/.opencode/skills/a b"],
    ["opencode-v2@seed", "file:///repo/.opencode/skills/a%20b"],
  ])("%s", (id, base) => {
    const { output, files } = survey(id, oneSkill).load("alpha");
    expect(output).toBe(
      [
        '<skill_content name="alpha">',
        "# Skill: alpha",
        "",
        "# Alpha",
        "",
        `Base directory for this skill: ${base}`,
        "Relative paths in this skill (e.g., scripts/, reference/) are relative to this base directory.",
        "Note: file list is sampled.",
        "",
        "<skill_files>",
        "<file>/repo/.opencode/skills/a b/x.txt</file>",
        "</skill_files>",
        "</skill_content>",
      ].join("\n"),
    );
    expect(files).toEqual(["/repo/.opencode/skills/a b/x.txt"]);
  });

  test("the built-in skill has no folder", () => {
    const { output } = survey("opencode", oneSkill).load("customize-opencode");
    expect(output).toMatch(/^<skill_content name="customize-opencode">[\s\S]*<\/skill_content>$/);
    expect(output).not.toContain("Base directory");
  });
});

describe("D3: the copy that is scanned last wins, with a warning for each that it replaced", () => {
  const tree: Tree = {
    ...repository,
    "/home/u/.claude/skills/d/SKILL.md": skillFile("dup", "home"),
    "/repo/pkg/.agents/skills/d/SKILL.md": skillFile("dup", "nested"),
    "/repo/.agents/skills/d/SKILL.md": skillFile("dup", "root"),
  };
  test.each(["opencode", "opencode@seed"])("%s", (id) => {
    const { snapshot, listed, profile } = survey(id, tree, { cwd: "/repo/pkg" });
    expect(listed).toEqual(["dup@/repo/.agents/skills/d/SKILL.md"]);
    expect(snapshot.shadowed.map(({ skill, reason }) => [skill.location, reason])).toEqual([
      ["/home/u/.claude/skills/d/SKILL.md", "later-wins"],
      ["/repo/pkg/.agents/skills/d/SKILL.md", "later-wins"],
    ]);
    expect(snapshot.diagnostics.map(({ code, path }) => [code, path])).toEqual([
      ["precedence/duplicate-name", "/repo/pkg/.agents/skills/d/SKILL.md"],
      ["precedence/duplicate-name", "/repo/.agents/skills/d/SKILL.md"],
    ]);
    expect(JSON.stringify(profile.notes)).toContain("the last to finish wins");
  });

  test.each(["opencode", "opencode-v2"])("%s reads a text with an unquoted colon once", (id) => {
    const text = skillFile("a", "Use when: asked");
    const tree = {
      ...repository,
      "/repo/.opencode/skills/1/SKILL.md": text,
      "/repo/.opencode/skills/2/SKILL.md": text,
    };
    const { listed, snapshot } = survey(id, tree);
    expect(listed).toEqual(["a@/repo/.opencode/skills/1/SKILL.md"]);
    expect(snapshot.shadowed.map(({ reason }) => reason)).toEqual(["same-text"]);
    expect(snapshot.diagnostics.map(({ code }) => code)).not.toContain("precedence/duplicate-name");
  });

  test("a skill on disk replaces the built-in one", () => {
    const tree = {
      ...repository,
      "/repo/.claude/skills/c/SKILL.md": skillFile("customize-opencode", "mine"),
    };
    const { snapshot } = survey("opencode", tree);
    expect(snapshot.skills.map(({ description }) => description)).toEqual(["mine"]);
    expect(snapshot.shadowed[0]?.reason).toBe("builtin-replaced");
  });
});

describe("D4: switches come from the environment", () => {
  const tree: Tree = {
    ...repository,
    "/repo/.claude/skills/c/SKILL.md": skillFile("c"),
    "/repo/.agents/skills/a/SKILL.md": skillFile("a"),
    "/repo/.opencode/skills/o/SKILL.md": skillFile("o"),
  };
  const names = (variables: Readonly<Record<string, string>>): string =>
    survey("opencode", tree, { variables })
      .snapshot.skills.map(({ name }) => name)
      .join(" ");

  test.each([
    [{}, "customize-opencode c a o"],
    [{ OPENCODE_DISABLE_EXTERNAL_SKILLS: "yes" }, "customize-opencode o"],
    [{ OPENCODE_DISABLE_CLAUDE_CODE_SKILLS: "1" }, "customize-opencode a o"],
    [{ OPENCODE_DISABLE_CLAUDE_CODE: "on" }, "customize-opencode a o"],
    [{ OPENCODE_DISABLE_EXTERNAL_SKILLS: "n" }, "customize-opencode c a o"],
    [{ OPENCODE_DISABLE_PROJECT_CONFIG: "true" }, "customize-opencode c a"],
  ])("%j", (variables, expected) => {
    expect(names(variables)).toBe(expected);
  });

  test.each(["TRUE", "", "2"])("the value %j is a diagnostic and counts as not set", (value) => {
    const { snapshot } = survey("opencode", tree, { variables: { OPENCODE_DISABLE_EXTERNAL_SKILLS: value } });
    expect(snapshot.skills).toHaveLength(4);
    expect(snapshot.diagnostics.map(({ code }) => code)).toEqual(["config/unknown-value"]);
  });

  test("what is switched off is said", () => {
    const { decisions } = survey("opencode", tree, {
      variables: { OPENCODE_DISABLE_CLAUDE_CODE_SKILLS: "1" },
    }).preparation;
    expect(decisions.map(({ path, reason }) => [path, reason])).toContainEqual([
      "/repo/.claude/skills",
      "switched-off",
    ]);
  });
});

describe("D5: forms of the skills setting", () => {
  const tree = (skills: unknown): Tree => ({
    ...repository,
    "/repo/opencode.json": JSON.stringify({ skills }),
    "/ext/a/SKILL.md": skillFile("a"),
  });
  const object = { paths: ["/ext"], urls: ["https://example.org/skills/"] };
  const list = ["/ext", "https://example.org/skills/"];

  test.each([
    ["opencode", object, true],
    ["opencode", list, true],
    ["opencode@seed", object, true],
    ["opencode@seed", list, true],
    ["opencode-v2", object, false],
    ["opencode-v2", list, true],
    ["opencode-v2@seed", object, true],
    ["opencode-v2@seed", list, true],
  ])("%s, %j", (id, skills, read) => {
    const { listed, preparation, snapshot } = survey(id, tree(skills));
    expect(listed).toEqual(read ? ["a@/ext/a/SKILL.md"] : []);
    const pulled = preparation.decisions
      .filter(({ reason }) => reason === "not-pulled")
      .map(({ path }) => path);
    expect(pulled).toEqual(read ? ["https://example.org/skills/"] : []);
    expect(snapshot.diagnostics.map(({ code }) => code)).toEqual(read ? [] : ["config/wrong-type"]);
  });
});

describe("the catalog's edges", () => {
  const denied = (permission: unknown): Tree => ({
    ...oneSkill,
    "/repo/opencode.json": JSON.stringify({ permission }),
  });
  const none = "No skills are currently available.";

  test.each([
    ["opencode", { skill: "deny" }, null],
    ["opencode", { skill: { "*": "deny" } }, null],
    ["opencode", { skill: { "*": "deny", other: "allow" } }, none],
    ["opencode-v2", { skill: { "*": "deny" } }, null],
    ["opencode-v2", { skill: { alpha: "deny", "customize-opencode": "deny" } }, none],
    ["opencode-v2", { skill: { "*": "deny", alpha: "ask" } }, "<name>alpha</name>"],
  ])("%s with %j", (id, permission, expected) => {
    const { text } = survey(id, denied(permission)).catalog();
    if (expected === null) expect(text).toBeNull();
    else expect(text).toContain(expected);
  });

  test("what has no description is left out and said", () => {
    const tree = { ...repository, "/repo/.opencode/skills/n/SKILL.md": "---\nname: n\n---\nB" };
    const { text, skills } = survey("opencode", tree).catalog();
    expect(text).not.toContain("<name>n</name>");
    expect(skills.find(({ name }) => name === "n")).toMatchObject({ state: "omitted", tokens: 0 });
  });
});

describe("the second generation outside of any repository", () => {
  const tree: Tree = {
    "/home/u/.config/opencode/skills/g/SKILL.md": skillFile("g"),
    "/home/u/work/.opencode/skills/w/SKILL.md": skillFile("w"),
    "/srv/.opencode/skills/s/SKILL.md": skillFile("s"),
  };

  test("lists below home what it lists everywhere", () => {
    const { listed } = survey("opencode-v2", tree, { cwd: "/home/u/work" });
    expect(listed.map((item) => item.split("@")[0])).toEqual(["g", "w"]);
  });

  test("elsewhere the program, as recorded, lists nothing, and `why` can say so; the seed knows no such rule", () => {
    const { listed, preparation } = survey("opencode-v2", tree, { cwd: "/srv" });
    expect(listed).toEqual([]);
    expect(preparation.decisions.map(({ reason, path }) => `${reason} ${path}`)).toContain(
      "no-project /srv/.opencode/skills",
    );
    expect(survey("opencode-v2@seed", tree, { cwd: "/srv" }).listed).toHaveLength(2);
  });
});
