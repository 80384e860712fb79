import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { openSkills } from "../../../host/open-skills.ts";
import type { OpenOptions, Skills } from "../../../host/skills.ts";

const made: string[] = [];

afterEach(() => {
  for (const folder of made.splice(0))
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});

type Tree = Readonly<Record<string, string | { readonly link: string }>>;

/** A disk with `ws`, `home` and `data`, and what the profile makes of it; `<>` stands for the disk's folder. */
function open(tree: Tree, options: OpenOptions = {}): Skills & { readonly root: string } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "minimax-")));
  made.push(root);
  for (const folder of ["ws/.git", "home", "data"]) mkdirSync(join(root, folder), { recursive: true });
  for (const [path, content] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    if (typeof content === "string") writeFileSync(join(root, path), content);
    else symlinkSync(content.link.replace("<>", root), join(root, path));
  }
  const skills = openSkills({
    profile: "minimax",
    cwd: join(root, "ws"),
    home: join(root, "home"),
    data: join(root, "data"),
    ...options,
  });
  return Object.assign(Object.create(skills) as Skills, { root });
}

function file(name: string, extra = ""): string {
  return `---\nname: ${name}\ndescription: About ${name}.\n${extra}---\n# T\n`;
}

function offered(skills: Skills): readonly string[] {
  return skills.entries.filter(({ hidden }) => hidden === null).map(({ skill }) => skill.name);
}

function whyHidden(skills: Skills): Readonly<Record<string, string>> {
  return Object.fromEntries(
    skills.entries.flatMap(({ skill, hidden }) => (hidden === null ? [] : [[skill.name, hidden.reason]])),
  );
}

describe("filters (X11)", () => {
  const global = (name: string, extra = ""): Tree => ({
    [`data/skills/${name}/SKILL.md`]: file(name, extra),
  });

  test.each<[title: string, tree: Tree, options: OpenOptions, hidden: Readonly<Record<string, string>>]>([
    ["listed: false", global("a", "listed: false\n"), {}, { a: "unlisted" }],
    ["listed as text", global("a", 'listed: "false"\n'), {}, {}],
    ["beta off", global("a", "requires_beta: x\n"), {}, { a: "beta" }],
    ["beta on", { ...global("a", "requires_beta: x\n"), "data/config.yaml": "beta:\n  x: true\n" }, {}, {}],
    [
      "beta given as text",
      { ...global("a", "requires_beta: x\n"), "data/config.yaml": 'beta: {x: "true"}\n' },
      {},
      { a: "beta" },
    ],
    [
      "the camel-case key first",
      { ...global("a", "requires_beta: x\nrequiresBeta: y\n"), "data/config.yaml": "beta: {y: true}\n" },
      {},
      {},
    ],
    ["its MCP server is there", global("mcp-git"), { mcpServers: ["git"] }, { "mcp-git": "mcp" }],
    ["another MCP server is there", global("mcp-git"), { mcpServers: ["gi"] }, {}],
    ["not chosen", { ...global("a"), ...global("b") }, { skills: [" B "] }, { a: "not-selected" }],
    ["none chosen", global("a"), { skills: [] }, { a: "not-selected" }],
    ["a gated name of the user's own", global("pdf"), { tools: [] }, {}],
    [
      "a gated name that is built in",
      { "data/.builtin-skills/pdf/SKILL.md": file("pdf") },
      { tools: [] },
      { pdf: "gate" },
    ],
    [
      "a gated name in the agent's folder",
      { "data/agents/mavis/skills/pdf/SKILL.md": file("pdf") },
      { tools: ["read"] },
      { pdf: "gate" },
    ],
    [
      "region",
      { "data/.builtin-skills/x-link-reader/SKILL.md": file("x-link-reader") },
      { region: "cn" },
      { "x-link-reader": "region" },
    ],
    [
      "two earlier names of the agent",
      { "data/agents/a/skills/s/SKILL.md": file("s"), "data/agents/b/skills/s/SKILL.md": file("s") },
      { agent: "now", compatibleAgents: ["a", "b"] },
      { s: "ambiguous" },
    ],
    [
      "two earlier names and the own one",
      {
        "data/agents/a/skills/s/SKILL.md": file("s"),
        "data/agents/b/skills/s/SKILL.md": file("s"),
        "data/agents/now/skills/s/SKILL.md": file("s"),
      },
      { agent: "now", compatibleAgents: ["a", "b"] },
      {},
    ],
  ])("%s", (_, tree, options, hidden) => expect(whyHidden(open(tree, options))).toEqual(hidden));

  test("what is filtered cannot be loaded, and a filtered winner does not reveal the loser", () => {
    const skills = open({
      "ws/.claude/skills/a/SKILL.md": file("a", "listed: false\n"),
      "data/skills/a/SKILL.md": file("a"),
    });
    expect(skills.load("a")).toMatchObject({ status: "unknown", output: "Local skill not found: a" });
    expect(skills.catalog().text).toBe(null);
  });
});

describe("the skill tool (X13)", () => {
  test("two lines and the whole file, with the data folder put in", () => {
    const skills = open({ "data/skills/ä b/SKILL.md": "---\nname: doc\n---\nIn {{DATA_DIR}}/x.\n" });
    expect(skills.load(" doc ").output).toBe(
      `# Skill: doc\nLocation: files://${skills.root}/data/skills/%C3%A4%20b/SKILL.md\n\n---\nname: doc\n---\nIn ${skills.root}/data/x.\n`,
    );
  });

  test.each([
    ["Doc", "Local skill not found: Doc"],
    ["  ", "Local skill not found: unknown-skill"],
  ])("%j is not there", (name, output) =>
    expect(open({ "data/skills/doc/SKILL.md": file("doc") }).load(name).output).toBe(output),
  );
});

describe("links and reading (X3, X4)", () => {
  test("a refused link overrides nothing where it leads to the copy in use", () => {
    const tree: Tree = { "ws/.agents/skills/a/SKILL.md": file("a") };
    const codesOf = ({ diagnostics }: Skills): readonly string[] => diagnostics.map(({ code }) => code);
    const same = open({ ...tree, "ws/.claude/skills/a": { link: "<>/ws/.agents/skills/a" } });
    expect(codesOf(same)).toContain("discovery/link-outside");
    expect(codesOf(same)).not.toContain("precedence/broken-override");
    const other = open({
      ...tree,
      "out/a/SKILL.md": file("a"),
      "ws/.claude/skills/a": { link: "<>/out/a" },
    });
    expect(codesOf(other)).toContain("precedence/broken-override");
  });

  test.each<[title: string, tree: Tree, code: string]>([
    [
      "a folder link out of a workspace root",
      { "out/a/SKILL.md": file("a"), "ws/.claude/skills/a": { link: "<>/out/a" } },
      "skill_outside_root",
    ],
    [
      "a workspace root that is a link",
      { "out/a/SKILL.md": file("a"), "ws/.claude/skills": { link: "<>/out" } },
      "skill_outside_root",
    ],
    ["a broken link", { "home/.claude/skills/a": { link: "<>/gone" } }, "skill_directory_link_unreadable"],
    [
      "a link to a file",
      { "out/f": "x", "home/.claude/skills/a": { link: "<>/out/f" } },
      "skill_directory_link_not_directory",
    ],
    [
      "a linked SKILL.md",
      { "out/f": file("a"), "home/.claude/skills/a/SKILL.md": { link: "<>/out/f" } },
      "skill_symlink_rejected",
    ],
  ])("%s", (_, tree, code) => {
    const skills = open(tree);
    expect(skills.entries).toEqual([]);
    expect(skills.diagnostics.map(({ profileCode }) => profileCode)).toContain(code);
  });

  test("a folder link of a user root is followed, and the target's folder gives the name", () => {
    const skills = open({
      "out/target/SKILL.md": "# T\n\nText.\n",
      "home/.codex/skills/l": { link: "<>/out/target" },
    });
    expect(offered(skills)).toEqual(["target"]);
  });

  test("a missing root is told, as a note", () => {
    const told = open({}).diagnostics.filter(({ profileCode }) => profileCode === "root_unreadable");
    expect(told.length).toBeGreaterThan(5);
    expect(new Set(told.map(({ severity }) => severity))).toEqual(new Set(["info"]));
  });
});

describe("plugins (X15, X16)", () => {
  const strict = { "data/plugins/p/plugin.json": '{"name": "Notes"}' };
  const enabled = { "data/plugins/enabled.json": '["notes", "cc", "native"]' };
  const native = (skills: unknown): Tree => ({
    "data/plugins/n/.minimax-plugin/plugin.json": JSON.stringify({ name: "native", skills }),
    "data/plugins/n/skills/a/SKILL.md": file("a"),
    "data/plugins/n/skills/b/SKILL.md": file("b"),
  });
  const compatible = (skills: unknown): Tree => ({
    "data/plugins/c/.claude-plugin/plugin.json": JSON.stringify({ name: "cc", skills }),
    "data/plugins/c/extra/one/SKILL.md": "---\ndescription: One.\n---\n",
    "data/plugins/c/skills/two/SKILL.md": "---\ndescription: Two.\n---\n",
  });

  test.each<[title: string, tree: Tree, names: readonly string[]]>([
    ["not enabled", { ...strict, "data/plugins/p/skills/a/SKILL.md": file("a") }, []],
    [
      "each skill stands alone in the standard's format",
      {
        ...strict,
        ...enabled,
        "data/plugins/p/skills/a/SKILL.md": file("a"),
        "data/plugins/p/skills/b/SKILL.md": file("other"),
      },
      ["Notes:a"],
    ],
    [
      "names of the standard's format are bounded",
      { ...strict, ...enabled, "data/plugins/p/skills/A_b/SKILL.md": file("A_b") },
      [],
    ],
    ["a native manifest lists its skills", { ...enabled, ...native(["skills/b/SKILL.md"]) }, ["native:b"]],
    ["a native list that leads out", { ...enabled, ...native(["skills/../SKILL.md"]) }, []],
    ["a native list with a path twice", { ...enabled, ...native(Array(2).fill("skills/a/SKILL.md")) }, []],
    ["skills/ and the manifest's folders", { ...enabled, ...compatible(["./extra"]) }, ["cc:one", "cc:two"]],
    ["one skill folder of a manifest", { ...enabled, ...compatible("extra/one") }, ["cc:one", "cc:two"]],
    ["the same file only once", { ...enabled, ...compatible(["skills", "skills/two"]) }, ["cc:two"]],
    ["a folder outside rejects the plugin", { ...enabled, ...compatible("../../skills") }, []],
    [
      "one bad skill rejects a compatible plugin",
      { ...enabled, ...compatible([]), "data/plugins/c/skills/bad/SKILL.md": "no frontmatter" },
      [],
    ],
  ])("%s", (_, tree, names) => expect(offered(open(tree))).toEqual(names));

  test("a standalone skill of the same name, whatever the case, comes first", () => {
    const skills = open({
      ...strict,
      ...enabled,
      "data/plugins/p/skills/a/SKILL.md": file("a"),
      "data/skills/x/SKILL.md": file("notes:A"),
    });
    expect(offered(skills)).toEqual(["notes:A"]);
    expect(whyHidden(skills)).toEqual({ "Notes:a": "name-taken" });
  });

  test("loaded by a name without case and blanks; the file's text stays as it is", () => {
    const tree = { ...strict, ...enabled, "data/plugins/p/skills/a/SKILL.md": `${file("a")}{{DATA_DIR}}\n` };
    const skills = open(tree);
    const path = join(skills.root, "data/plugins/p/skills/a/SKILL.md");
    expect(skills.load(" NOTES:A ").output).toBe(
      `# Skill: NOTES:A\nLocation: ${path}\n\n${file("a")}{{DATA_DIR}}\n`,
    );
  });
});

describe("state (X15)", () => {
  const linked: Tree = { "out/real/SKILL.md": file("s"), "home/.claude/skills/l": { link: "<>/out/real" } };

  test("holds on to the real file", () => {
    const { root } = open(linked);
    const skills = openSkills({
      profile: "minimax",
      cwd: join(root, "ws"),
      home: join(root, "home"),
      data: join(root, "data"),
      disabled: [join(root, "out/real/SKILL.md")],
    });
    expect(whyHidden(skills)).toEqual({ s: "disabled" });
    expect(skills.commands()).toEqual([]);
  });
});

test("a slash at the start puts the reminder in front (X14)", async () => {
  const skills = open({ "data/skills/doc/SKILL.md": file("Doc") });
  const { parts, mentioned } = await skills.expand(" /doc now");
  expect(mentioned).toEqual(["Doc"]);
  expect(parts.map(({ origin, synthetic }) => [origin, synthetic])).toEqual([
    ["reminder", true],
    ["user", false],
  ]);
});

test("settings that are no YAML leave the defaults and are told", () => {
  const skills = open({ "home/.claude/skills/a/SKILL.md": file("a"), "data/config.yaml": "a: [\n" });
  expect(offered(skills)).toEqual(["a"]);
  expect(skills.diagnostics.map(({ code }) => code)).toContain("config/invalid-yaml");
});
