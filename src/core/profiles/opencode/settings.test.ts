import { describe, expect, test } from "vitest";
import { repository, skillFile, survey, type Tree } from "../../../../test/support/opencode-survey.ts";
import { evaluate } from "../../visibility/permission.ts";

const json = (value: unknown): string => JSON.stringify(value);
const extension = (name: string): Tree => ({ [`/${name}/s/SKILL.md`]: skillFile(name) });
const folders: Tree = Object.assign({}, ...["one", "two", "three"].map(extension));
const paths = (...names: string[]): string => json({ skills: { paths: names.map((name) => `/${name}`) } });

function found(tree: Tree, setting: Parameters<typeof survey>[2] = {}, id = "opencode"): string {
  return survey(id, { ...repository, ...folders, ...tree }, setting)
    .listed.map((item) => item.split("@")[0])
    .join(" ");
}

describe("which settings file is stronger", () => {
  const global = "/home/u/.config/opencode";
  test.each<[weaker: string, stronger: string]>([
    [`${global}/config.json`, `${global}/opencode.json`],
    [`${global}/opencode.json`, `${global}/opencode.jsonc`],
    [`${global}/opencode.jsonc`, "/named.json"],
    ["/named.json", "/repo/opencode.json"],
    ["/repo/opencode.json", "/repo/opencode.jsonc"],
    ["/repo/opencode.jsonc", "/repo/pkg/opencode.json"],
    ["/repo/pkg/opencode.json", "/repo/pkg/.opencode/opencode.json"],
    ["/repo/pkg/.opencode/opencode.json", "/repo/.opencode/opencode.json"],
    ["/repo/.opencode/opencode.json", "/home/u/.opencode/opencode.json"],
    ["/home/u/.opencode/opencode.json", "/dir/opencode.json"],
  ])("%s < %s", (weaker, stronger) => {
    const tree = { [weaker]: paths("one"), [stronger]: paths("two") };
    const variables = { OPENCODE_CONFIG: "/named.json", OPENCODE_CONFIG_DIR: "/dir" };
    expect(found(tree, { cwd: "/repo/pkg", variables })).toBe("two");
  });

  test("a text in OPENCODE_CONFIG_CONTENT is the strongest", () => {
    const tree = { "/repo/.opencode/opencode.json": paths("one") };
    expect(found(tree, { variables: { OPENCODE_CONFIG_CONTENT: paths("three") } })).toBe("three");
  });

  test("XDG_CONFIG_HOME moves the global folder", () => {
    const tree = { "/xdg/opencode/opencode.json": paths("one"), [`${global}/opencode.json`]: paths("two") };
    expect(found(tree, { variables: { XDG_CONFIG_HOME: "/xdg" } })).toBe("one");
  });

  test("files above the repository, dotted ones and config.json of a project do not count", () => {
    const tree = {
      "/opencode.json": paths("one"),
      "/repo/.opencode.json": paths("two"),
      "/repo/config.json": paths("three"),
    };
    expect(found(tree)).toBe("");
  });

  test("in the second generation lists add up, in the order of files", () => {
    const tree = {
      [`${global}/opencode.json`]: json({ skills: ["/two"] }),
      "/repo/opencode.json": json({ skills: ["/one"] }),
    };
    expect(found(tree, {}, "opencode-v2")).toBe("two one");
  });
});

test("in the second generation one entry that is no text costs the whole list", () => {
  const tree = { "/repo/opencode.json": json({ skills: ["/one", 1] }) };
  expect(found(tree, {}, "opencode-v2")).toBe("");
});

describe("paths", () => {
  test.each([
    ["~/own", "/home/u/own/a/SKILL.md"],
    ["tools", "/repo/tools/a/SKILL.md"],
    ["../out", "/out/a/SKILL.md"],
    ["/abs/./x/..", "/abs/a/SKILL.md"],
    ["{env:WHERE}/x", "/there/x/a/SKILL.md"],
    ["~", "/repo/~/a/SKILL.md"],
  ])("%s", (written, location) => {
    const tree = {
      "/repo/opencode.json": json({ skills: { paths: [written] } }),
      [location]: skillFile("a"),
    };
    expect(survey("opencode", { ...repository, ...tree }, { variables: { WHERE: "/there" } }).listed).toEqual(
      [`a@${location}`],
    );
  });

  test("a folder that is missing or a file is a warning", () => {
    const tree = { "/repo/opencode.json": paths("none", "file"), "/file": "x" };
    const { snapshot } = survey("opencode", { ...repository, ...tree });
    expect(snapshot.diagnostics.map(({ code, path }) => `${code} ${path}`)).toEqual([
      "discovery/missing-root /none",
      "discovery/not-a-folder /file",
    ]);
  });
});

describe("what the program would not start with is a diagnostic, and the rest works", () => {
  const rest = { "/repo/.claude/skills/b/SKILL.md": skillFile("b") };
  test.each([
    [{ skills: { paths: [1, "/one"] } }, "config/wrong-type", "one"],
    [{ skills: { paths: "/one" } }, "config/wrong-type", ""],
    [{ skills: "x" }, "config/wrong-type", ""],
    [{ permission: { skill: "maybe" } }, "permission/unknown-action", ""],
    [{ agent: [] }, "config/wrong-type", ""],
    [[], "config/wrong-type", ""],
  ])("%j", (settings, code, more) => {
    const { listed, snapshot } = survey("opencode", {
      ...repository,
      ...folders,
      ...rest,
      "/repo/opencode.json": json(settings),
    });
    expect(listed.map((item) => item.split("@")[0])).toEqual(["b", ...(more === "" ? [] : [more])]);
    expect(snapshot.diagnostics.map((found) => found.code)).toEqual([code]);
  });
});

describe("permission rules", () => {
  const action = (
    tree: Tree,
    name: string,
    setting: Parameters<typeof survey>[2] = {},
    id = "opencode",
  ): string =>
    evaluate(survey(id, { ...repository, ...tree }, setting).preparation.permission, "skill", name).action;
  const project = (settings: unknown): Tree => ({ "/repo/opencode.json": json(settings) });

  test.each([
    [{}, "a", "allow"],
    [{ permission: "ask" }, "a", "ask"],
    [{ permission: { skill: { "*": "deny", "a*": "allow" } } }, "ab", "allow"],
    [{ permission: { skill: { "a*": "allow", "*": "deny" } } }, "ab", "deny"],
    [{ tools: { skill: false } }, "a", "deny"],
    [{ tools: { skill: false }, permission: { skill: "ask" } }, "a", "ask"],
    [{ tools: { skill: false }, permission: "allow" }, "a", "allow"],
    [
      { permission: { skill: "deny" }, agent: { build: { permission: { skill: { a: "allow" } } } } },
      "a",
      "allow",
    ],
    [{ agent: { build: { tools: { skill: false } } } }, "a", "deny"],
    [{ agent: { other: { permission: { skill: "deny" } } } }, "a", "allow"],
  ])("%j: %s is %s", (settings, name, expected) => {
    expect(action(project(settings), name)).toBe(expected);
    expect(action(project(settings), name, {}, "opencode-v2")).toBe(expected);
  });

  test("settings of several files merge key by key", () => {
    const tree = {
      "/home/u/.config/opencode/opencode.json": json({ permission: { skill: { "x-*": "deny" } } }),
      ...project({ permission: { skill: { "*": "allow" } } }),
    };
    // `x-*` keeps its place in front, so the later `*` decides.
    expect(action(tree, "x-1")).toBe("allow");
  });

  test("OPENCODE_PERMISSION is merged last", () => {
    const variables = { OPENCODE_PERMISSION: json({ skill: "deny" }) };
    expect(action(project({ permission: { skill: "allow" } }), "a", { variables })).toBe("deny");
  });

  test("agents kept as Markdown files", () => {
    const tree = {
      "/repo/.opencode/agent/team/my.md": "---\npermission:\n  skill:\n    a: deny\n---\nPrompt",
      "/repo/.opencode/agents/named.md": "---\nname: other\ntools: {skill: false}\n---\n",
      "/repo/.opencode/mode/slow.md": "---\npermission: {skill: ask}\n---\n",
    };
    expect(action(tree, "a", { agent: "team/my" })).toBe("deny");
    expect(action(tree, "b", { agent: "team/my" })).toBe("allow");
    expect(action(tree, "a", { agent: "other" })).toBe("deny");
    expect(action(tree, "a", { agent: "slow" })).toBe("ask");
    expect(action(tree, "a")).toBe("allow");
  });

  test("the agent explore may not use skills; one that is unknown or off falls back to build", () => {
    expect(action({}, "a", { agent: "explore" })).toBe("deny");
    const tree = project({
      permission: { skill: "deny" },
      agent: { my: { disable: true, permission: "allow" } },
    });
    expect(action(tree, "a", { agent: "my" })).toBe("deny");
    const { preparation } = survey("opencode", { ...repository, ...tree }, { agent: "nobody" });
    expect(preparation.diagnostics.map(({ code }) => code)).toEqual(["config/unknown-value"]);
  });

  test("a default agent from the settings", () => {
    expect(
      action(project({ default_agent: "my", agent: { my: { permission: { skill: "deny" } } } }), "a"),
    ).toBe("deny");
  });

  test("the list form of the second generation", () => {
    const permissions = [
      { action: "skill", resource: "*", effect: "deny" },
      { action: "skill", resource: "a", effect: "allow" },
      { action: "skill", resource: "b", effect: "?" },
    ];
    const names = ["a", "b", "c"].map((name) => action(project({ permissions }), name, {}, "opencode-v2"));
    expect(names).toEqual(["allow", "deny", "deny"]);
  });

  test("denied skills stay in the list and among the commands, but no model is told", () => {
    const tree = {
      ...repository,
      ...folders,
      "/repo/opencode.json": json({ skills: ["/one"], permission: { skill: "deny" } }),
    };
    const { entries, profile, preparation, listed, environment } = survey("opencode", tree);
    expect(listed).toEqual(["one@/one/s/SKILL.md"]);
    expect(entries.map(({ modelInvocable, hidden }) => [modelInvocable, hidden])).toEqual([
      [false, null],
      [false, null],
    ]);
    const commands = profile.commands(entries, preparation.commands, () => "Body", environment);
    expect(commands.map(({ name }) => name)).toEqual(["customize-opencode", "one"]);
  });
});

describe("commands", () => {
  const tree: Tree = {
    ...repository,
    "/repo/opencode.json": json({
      command: { set: { template: "Set $1", description: "From the settings" } },
    }),
    "/repo/.opencode/command/team/file.md": "---\ndescription: From a file\n---\nFile $ARGUMENTS\n",
    ...Object.fromEntries(
      ["init", "set", "team/file", "free"].map((name, index) => [
        `/repo/.claude/skills/${index}/SKILL.md`,
        skillFile(name),
      ]),
    ),
  };

  test("the program's and the configured ones win over skills", () => {
    const { entries, profile, preparation, environment } = survey("opencode", tree);
    const commands = profile.commands(entries, preparation.commands, () => "B\n", environment);
    expect(commands.map(({ name }) => name)).toEqual(["customize-opencode", "free"]);
    expect(commands.at(-1)?.template).toBe(
      "B\n\n\nBase directory for this skill: /repo/.claude/skills/3\nRelative paths in this skill (e.g., scripts/, references/) are relative to this base directory.",
    );
    expect(preparation.commands.map(({ name, source }) => `${name} ${source}`)).toEqual([
      "init builtin",
      "review builtin",
      "set config",
      "team/file config",
    ]);
    const template = preparation.commands.find(({ name }) => name === "team/file")?.template ?? "";
    expect(profile.fillTemplate?.(template, "x  y")).toBe("File x  y");
  });

  test("in the second generation a skill asks for it", () => {
    const { entries, profile, preparation, environment } = survey("opencode-v2", {
      ...repository,
      "/repo/.opencode/skills/a/SKILL.md": "---\nname: a\nslash: true\n---\n",
      "/repo/.opencode/skills/b/SKILL.md": "---\nname: b\n---\n",
    });
    expect(
      profile.commands(entries, preparation.commands, () => "", environment).map(({ name }) => name),
    ).toEqual(["a"]);
  });
});
