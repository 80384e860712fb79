import { describe, expect, test } from "vitest";
import { repository, skillFile, survey, type Tree } from "../../../../test/support/opencode-survey.ts";

const data = "/data";
const builtin = `${data}/builtin_skills/0.1.14/skills`;
const compose = `${data}/compose/0.1.14/skills`;
const pack: Tree = {
  [`${builtin}/pdf-official/SKILL.md`]: skillFile("pdf-official"),
  [`${builtin}/sales/SKILL.md`]: skillFile("sales"),
  [`${builtin}/sales/workflows/inner/SKILL.md`]: skillFile("inner"),
  [`${builtin}/codex/SKILL.md`]: skillFile("codex"),
  [`${compose}/plan/SKILL.md`]: skillFile("compose:plan"),
};

function names(tree: Tree, setting: Parameters<typeof survey>[2] = {}): string {
  return survey("mimo", { ...repository, ...tree }, setting)
    .entries.filter(({ hidden }) => hidden === null)
    .map(({ skill }) => skill.name)
    .join(" ");
}

function where(tree: Tree, setting: Parameters<typeof survey>[2] = {}): string | undefined {
  return survey("mimo", { ...repository, ...tree }, setting).snapshot.skills[0]?.location;
}

describe("discovery", () => {
  const places: readonly (readonly [source: string, path: string])[] = [
    ["home, .claude", "/home/u/.claude/skills/x/SKILL.md"],
    ["home, .agents", "/home/u/.agents/skills/x/SKILL.md"],
    ["home, .codex", "/home/u/.codex/skills/x/SKILL.md"],
    ["home, .opencode", "/home/u/.opencode/skills/x/SKILL.md"],
    ["package, .claude", "/repo/pkg/.claude/skills/x/SKILL.md"],
    ["package, .opencode", "/repo/pkg/.opencode/skills/x/SKILL.md"],
    ["repository, .claude", "/repo/.claude/skills/x/SKILL.md"],
    ["global folder", "/home/u/.config/mimocode/skill/x/SKILL.md"],
    ["package, .mimocode", "/repo/pkg/.mimocode/skills/x/SKILL.md"],
    ["repository, .mimocode", "/repo/.mimocode/skills/x/SKILL.md"],
    ["home, .mimocode", "/home/u/.mimocode/skills/x/SKILL.md"],
    ["MIMOCODE_CONFIG_DIR", "/named/skills/x/SKILL.md"],
    ["skills.paths", "/repo/pkg/own/x/SKILL.md"],
    ["pulled", "/data/cache/skills/x/SKILL.md"],
  ];
  const setting = { cwd: "/repo/pkg", data, variables: { MIMOCODE_CONFIG_DIR: "/named" } };
  const config = {
    "/repo/mimocode.json": JSON.stringify({ skills: { paths: ["own"], urls: ["https://x.test/s/"] } }),
  };

  test.each(places.map(([source, path], index) => [source, path, places.slice(0, index + 1)] as const))(
    "%s is found and replaces everything before it",
    (_, path, upTo) => {
      const tree = Object.fromEntries(upTo.map(([, one]) => [one, skillFile("x")]));
      expect(where({ ...config, ...tree }, setting)).toBe(path);
    },
  );

  test("hidden folders count in the folders of other agents only", () => {
    const tree = {
      "/home/u/.codex/skills/.system/a/SKILL.md": skillFile("a"),
      "/repo/.claude/skills/.b/SKILL.md": skillFile("b"),
      "/repo/.mimocode/skills/.c/SKILL.md": skillFile("c"),
    };
    expect(names(tree)).toBe("a b");
  });

  test("packs: one level, every level; newest version; a program that is missing; switches", () => {
    expect(names(pack, { data })).toBe("codex pdf-official sales compose:plan");
    expect(names(pack, { data, programs: [] })).toBe("pdf-official sales compose:plan");
    const newer = { [`${data}/builtin_skills/0.1.100/skills/one/SKILL.md`]: skillFile("one") };
    expect(names({ ...pack, ...newer }, { data })).toBe("one compose:plan");
    const off = (variable: string, value = "1") => names(pack, { data, variables: { [variable]: value } });
    expect(off("MIMOCODE_DISABLE_BUILTIN_SKILLS")).toBe("compose:plan");
    expect(off("MIMOCODE_DISABLE_COMPOSE_SKILLS", "TRUE")).toBe("codex pdf-official sales");
    expect(off("MIMOCODE_DISABLE_OFFICIAL_SKILLS", "true")).toBe("codex sales compose:plan");
    expect(off("MIMOCODE_DISABLE_OFFICIAL_SKILLS", "yes")).toBe("codex pdf-official sales compose:plan");
  });

  test.each([
    ["MIMOCODE_DISABLE_EXTERNAL_SKILLS", "m"],
    ["MIMOCODE_DISABLE_CLAUDE_CODE_SKILLS", "a x o m"],
    ["MIMOCODE_DISABLE_CLAUDE_CODE", "a x o m"],
    ["MIMOCODE_MIMO_ONLY", "a x o m"],
    ["MIMOCODE_DISABLE_AGENTS_SKILLS", "c x o m"],
    ["MIMOCODE_DISABLE_CODEX_SKILLS", "c a o m"],
    ["MIMOCODE_DISABLE_OPENCODE_SKILLS", "c a x m"],
    ["MIMOCODE_DISABLE_PROJECT_CONFIG", "c a x o"],
  ])("%s", (variable, expected) => {
    const tree = {
      "/repo/.claude/skills/c/SKILL.md": skillFile("c"),
      "/repo/.agents/skills/a/SKILL.md": skillFile("a"),
      "/repo/.codex/skills/x/SKILL.md": skillFile("x"),
      "/repo/.opencode/skills/o/SKILL.md": skillFile("o"),
      "/repo/.mimocode/skills/m/SKILL.md": skillFile("m"),
    };
    expect(names(tree, { variables: { [variable]: "1" } })).toBe(expected);
  });

  test("MIMOCODE_HOME moves settings, data and cache", () => {
    const tree = {
      "/moved/config/skills/a/SKILL.md": skillFile("a"),
      "/moved/config/mimocode.jsonc": '{"skills": {"urls": ["https://x.test/"]}}',
      "/moved/data/builtin_skills/0.1.14/skills/b/SKILL.md": skillFile("b"),
      "/moved/cache/skills/c/SKILL.md": skillFile("c"),
    };
    expect(names(tree, { variables: { MIMOCODE_HOME: "/moved" } })).toBe("b a c");
  });
});

describe("same name", () => {
  const user = "/home/u/.claude/skills/sales/SKILL.md";

  test("a bundled skill gives way, which is no warning", () => {
    const { snapshot } = survey("mimo", { ...pack, [user]: skillFile("sales") }, { data });
    expect(snapshot.skills.find(({ name }) => name === "sales")?.location).toBe(user);
    expect(snapshot.diagnostics.map(({ severity, profileCode }) => [severity, profileCode])).toEqual([
      ["info", "user skill overrides bundled"],
    ]);
  });

  test("two of one kind: the later one, with a warning", () => {
    const later = "/home/u/.agents/skills/sales/SKILL.md";
    const { snapshot } = survey("mimo", { [user]: skillFile("sales"), [later]: skillFile("sales") });
    expect(snapshot.skills[0]?.location).toBe(later);
    expect(snapshot.diagnostics.map(({ severity, profileCode }) => [severity, profileCode])).toEqual([
      ["warning", "duplicate skill name"],
    ]);
    const packs = { [`${compose}/sales/SKILL.md`]: skillFile("sales") };
    const both = survey("mimo", { ...pack, ...packs }, { data });
    expect(both.snapshot.skills.find(({ name }) => name === "sales")?.location).toBe(
      `${compose}/sales/SKILL.md`,
    );
    expect(both.snapshot.diagnostics[0]?.severity).toBe("warning");
  });
});

describe("frontmatter", () => {
  test.each([
    ["description: d", "x"],
    ["description: ''", "x"],
    ["title: no description", ""],
    ["description:", ""],
    ["description: 12", ""],
    ["description: d\naliases: [a, b]", "x"],
    ["description: d\naliases: a", ""],
    ["description: d\naliases: [a, 1]", ""],
    ["description: d\naliases:", ""],
    ["description: d\ndisable-model-invocation: true", "x"],
    ['description: d\ndisable-model-invocation: "true"', ""],
    ["description: d\ndisable-model-invocation: yes", ""],
    ["description: d\nunknown: [1, 2]", "x"],
    ["description: Use when: asked", "x"],
  ])("%j", (fields, expected) => {
    const { snapshot } = survey("mimo", {
      ...repository,
      "/repo/.mimocode/skills/x/SKILL.md": `---\nname: x\n${fields}\n---\nBody\n`,
    });
    expect(snapshot.skills.map(({ name }) => name).join(" ")).toBe(expected);
    expect(snapshot.skipped.length).toBe(expected === "" ? 1 : 0);
  });

  test("both call fields are in the record; an empty alias is kept and reported", () => {
    const { snapshot } = survey("mimo", {
      ...repository,
      "/repo/.mimocode/skills/x/SKILL.md":
        "---\nname: x\ndescription: d\naliases: ['', b]\ndisable-model-invocation: true\n---\n",
    });
    expect(snapshot.skills[0]).toMatchObject({ aliases: ["", "b"], disableModelInvocation: true, extra: {} });
    expect(snapshot.diagnostics.map(({ code }) => code)).toEqual(["name/alias"]);
  });

  test("a name that every object has is a name like any other", () => {
    const tree = {
      "/repo/.mimocode/skills/a/SKILL.md": skillFile("constructor"),
      "/repo/.mimocode/skills/b/SKILL.md": skillFile("__proto__"),
    };
    expect(names(tree)).toBe("constructor __proto__");
  });
});

describe("who may", () => {
  const offered = (tree: Tree, agent?: string) =>
    survey("mimo", { ...repository, ...pack, ...tree }, { data, ...(agent === undefined ? {} : { agent }) })
      .entries.filter(({ modelInvocable }) => modelInvocable)
      .map(({ skill }) => skill.name)
      .join(" ");

  test("the workflow pack is for its own agent", () => {
    expect(offered({})).toBe("codex pdf-official sales");
    expect(offered({}, "plan")).toBe("codex pdf-official sales");
    expect(offered({}, "compose")).toBe("codex pdf-official sales compose:plan");
  });

  test("settings come after the defaults, an agent's own last; only deny hides", () => {
    const config = {
      "/repo/mimocode.json": JSON.stringify({
        permission: { skill: { sales: "deny", codex: "ask", "compose:*": "allow" } },
        agent: { build: { permission: { skill: { "compose:*": "deny" } } } },
      }),
    };
    expect(offered(config)).toBe("codex pdf-official");
    expect(offered(config, "plan")).toBe("codex pdf-official compose:plan");
  });

  test("what only a user may call is no model's, and every skill is a command", () => {
    const { entries, profile, preparation, environment, catalog } = survey(
      "mimo",
      {
        ...repository,
        ...pack,
        "/repo/.mimocode/skills/x/SKILL.md":
          "---\nname: x\ndescription: d\ndisable-model-invocation: true\n---\n",
        "/repo/.mimocode/skills/r/SKILL.md": skillFile("review"),
      },
      { data, language: "zh-CN", variables: { MIMOCODE_DISABLE_SLASH_SKILLS: "1" } },
    );
    expect(catalog().text).not.toContain("<name>x</name>");
    const commands = profile.commands(entries, preparation.commands, () => "B", environment);
    expect(commands.map(({ name, aliases, completion }) => [name, ...aliases, completion])).toEqual([
      ["codex", "Codex编程", false],
      ["pdf-official", "PDF文档", false],
      ["sales", "销售助手", false],
      ["compose:plan", false],
      ["x", false],
    ]);
    expect(commands[2]?.description).toBe("客户调研、拜访准备、商机梳理与业绩预测。");
  });
});

describe("search tool", () => {
  const rank = (query: string, tree: Tree = {}) => {
    const { entries, profile } = survey("mimo", { ...pack, ...tree }, { data });
    const answer = profile.search?.rank(
      query,
      entries.filter(({ modelInvocable }) => modelInvocable),
    );
    return [answer?.results.map(({ name, score }) => `${name} ${score}`).join(", "), answer?.autoLoad];
  };

  test("Chinese names count for bundled skills, in any language of the interface", () => {
    expect(rank("请用PDF文件整理")).toEqual(["pdf-official 1", "pdf-official"]);
    expect(rank("銷售助手")).toEqual(["sales 1", "sales"]);
    const docs = { [`${builtin}/mimocode-docs/SKILL.md`]: skillFile("mimocode-docs", "Manual.") };
    expect(rank("MiMo文档", docs)[0]).not.toContain("mimocode-docs");
  });

  test("a user's skill of a bundled name has no Chinese name", () => {
    const own = { "/home/u/.claude/skills/sales/SKILL.md": skillFile("sales", "Mine.") };
    expect(rank("销售助手", own)).toEqual(["", null]);
  });

  test("the content follows the JSON after a blank line", () => {
    const { profile } = survey("mimo", pack, { data });
    const answer = { results: [{ name: "a", score: 1, reason: "r" }], autoLoad: "a" };
    expect(profile.search?.toolText(answer, "CONTENT")).toMatch(/"loaded_skill_id": "a"\n}\n\nCONTENT$/);
    expect(profile.search?.toolText({ results: [], autoLoad: null }, null)).toBe(
      '{\n  "status": "no_match",\n  "results": [],\n  "loaded_skill_id": null\n}',
    );
  });
});
