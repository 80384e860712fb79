import { describe, expect, test } from "vitest";
import { type MemoryNode, memoryCodec, memoryFileSystem } from "../../../test/support/memory-file-system.ts";
import { type Configuration, defaultConfiguration } from "../configuration.ts";
import type { Environment } from "../environment.ts";
import { skilletProfile } from "../profiles/skillet/profile.ts";
import type { Snapshot } from "../snapshot.ts";
import { discover } from "./discover.ts";
import { createDocumentCache } from "./document-cache.ts";

const home = "/home/u";
const repository = { "/repo/.git/HEAD": "ref: refs/heads/main\n" };

function skill(name: string, description = `About ${name}.`): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n`;
}

interface Setting {
  readonly cwd?: string;
  readonly configuration?: Partial<Configuration>;
  readonly variables?: Readonly<Record<string, string>>;
  readonly trusted?: readonly string[];
  readonly entries?: number;
  readonly aside?: (skill: Snapshot["skills"][number]) => boolean;
}

function snapshotOf(tree: Readonly<Record<string, MemoryNode>>, setting: Setting = {}): Snapshot {
  const fileSystem = memoryFileSystem({ [home]: { folder: true }, ...tree });
  const environment: Environment = {
    cwd: setting.cwd ?? "/repo",
    home,
    data: null,
    platform: "linux",
    variables: setting.variables ?? {},
    language: "en",
    isolated: true,
  };
  const preparation = skilletProfile.prepare({
    environment,
    fileSystem,
    codec: memoryCodec,
    configuration: { ...defaultConfiguration, ...setting.configuration },
    agent: { name: null, tools: null, features: [], host: "cli", region: null, mcpServers: [] },
    trust: false,
  });
  return discover({
    profile: skilletProfile,
    preparation,
    fileSystem,
    codec: memoryCodec,
    limits: { folders: 1000, entries: setting.entries ?? 10_000 },
    trustedFolders: setting.trusted ?? [],
    cache: createDocumentCache(),
    ...(setting.aside === undefined ? {} : { aside: setting.aside }),
  });
}

const locations = (snapshot: Snapshot): readonly string[] => snapshot.skills.map(({ location }) => location);
const codes = (snapshot: Snapshot): readonly string[] => snapshot.diagnostics.map(({ code }) => code);

describe("where skills are found", () => {
  const cases: readonly {
    readonly name: string;
    readonly tree: Readonly<Record<string, MemoryNode>>;
    readonly setting?: Setting;
    readonly found: readonly string[];
  }[] = [
    {
      name: "nearest level first, up to the repository root",
      tree: {
        ...repository,
        "/repo/.agents/skills/a/SKILL.md": skill("a"),
        "/repo/pkg/.agents/skills/a/SKILL.md": skill("a", "Nearer."),
        "/.agents/skills/b/SKILL.md": skill("b"),
      },
      setting: { cwd: "/repo/pkg" },
      found: ["/repo/pkg/.agents/skills/a/SKILL.md"],
    },
    {
      name: "no repository: up, but never to the home folder or above",
      tree: {
        [`${home}/plain/.claude/skills/p/SKILL.md`]: skill("p"),
        [`${home}/plain/sub/file`]: "x",
        "/home/.claude/skills/above/SKILL.md": skill("above"),
      },
      setting: { cwd: `${home}/plain/sub` },
      found: [`${home}/plain/.claude/skills/p/SKILL.md`],
    },
    {
      name: "the home folder as working folder: user skills only once",
      tree: { [`${home}/.agents/skills/u/SKILL.md`]: skill("u") },
      setting: { cwd: home },
      found: [`${home}/.agents/skills/u/SKILL.md`],
    },
    {
      name: "a home folder that is itself a repository does not make user skills project skills",
      tree: {
        [`${home}/.git/HEAD`]: "ref: x\n",
        [`${home}/.agents/skills/u/SKILL.md`]: skill("u"),
        [`${home}/w/f`]: "x",
      },
      setting: { cwd: `${home}/w` },
      found: [`${home}/.agents/skills/u/SKILL.md`],
    },
    {
      name: "brands in their order inside a level",
      tree: {
        ...repository,
        "/repo/.claude/skills/x/SKILL.md": skill("x", "Claude."),
        "/repo/.skillet/skills/x/SKILL.md": skill("x", "Ours."),
      },
      found: ["/repo/.skillet/skills/x/SKILL.md"],
    },
    {
      name: "a variable that moves a folder replaces the default; empty counts as not set",
      tree: {
        ...repository,
        "/alt/skills/moved/SKILL.md": skill("moved"),
        [`${home}/.claude/skills/stale/SKILL.md`]: skill("stale"),
        [`${home}/.codex/skills/kept/SKILL.md`]: skill("kept"),
      },
      setting: { variables: { CLAUDE_CONFIG_DIR: "/alt", CODEX_HOME: "" } },
      found: [`${home}/.codex/skills/kept/SKILL.md`, "/alt/skills/moved/SKILL.md"],
    },
    {
      name: "dependency folders and hidden folders stay closed",
      tree: {
        ...repository,
        "/repo/.agents/skills/node_modules/n/SKILL.md": skill("n"),
        "/repo/.agents/skills/.trash/t/SKILL.md": skill("t"),
        "/repo/.agents/skills/group/.git/g/SKILL.md": skill("g"),
        "/repo/.agents/skills/ok/SKILL.md": skill("ok"),
      },
      found: ["/repo/.agents/skills/ok/SKILL.md"],
    },
    {
      name: "skill.md counts where there is no SKILL.md",
      tree: {
        ...repository,
        "/repo/.agents/skills/low/skill.md": skill("low"),
        "/repo/.agents/skills/both/SKILL.md": skill("both"),
        "/repo/.agents/skills/both/skill.md": skill("other"),
      },
      found: ["/repo/.agents/skills/both/SKILL.md", "/repo/.agents/skills/low/skill.md"],
    },
  ];
  test.each(cases)("$name", ({ tree, setting, found }) => {
    expect(locations(snapshotOf(tree, setting))).toEqual(found);
  });
});

describe("links", () => {
  test("a link to a skill elsewhere is followed from a user root and refused from a project", () => {
    const snapshot = snapshotOf({
      ...repository,
      "/store/s/SKILL.md": skill("s"),
      "/store/t/SKILL.md": skill("t"),
      [`${home}/.agents/skills/s`]: { link: "/store/s" },
      "/repo/.agents/skills/t": { link: "/store/t" },
    });
    expect(locations(snapshot)).toEqual([`${home}/.agents/skills/s/SKILL.md`]);
    expect(codes(snapshot)).toContain("discovery/link-outside");
  });

  test("a project link into a trusted folder is followed", () => {
    const tree = {
      ...repository,
      "/store/t/SKILL.md": skill("t"),
      "/repo/.agents/skills/t": { link: "/store/t" },
    };
    expect(locations(snapshotOf(tree, { trusted: ["/store"] }))).toEqual(["/repo/.agents/skills/t/SKILL.md"]);
  });

  test("a project can't claim the user's own skills by a link", () => {
    const snapshot = snapshotOf({
      ...repository,
      [`${home}/.agents/skills/mine/SKILL.md`]: skill("mine"),
      "/repo/.agents/skills/mine": { link: `${home}/.agents/skills/mine` },
    });
    expect(snapshot.skills.map(({ location, root }) => [location, root.scope])).toEqual([
      [`${home}/.agents/skills/mine/SKILL.md`, "user"],
    ]);
    expect(snapshot.skipped.map(({ reason }) => reason)).toEqual(["same-file"]);
  });

  test("loops end and each real folder counts once", () => {
    const snapshot = snapshotOf({
      ...repository,
      [`${home}/.agents/skills/g/a`]: { link: "." },
      [`${home}/.agents/skills/g/b`]: { link: "." },
      [`${home}/.agents/skills/g/back`]: { link: ".." },
      [`${home}/.agents/skills/g/s/SKILL.md`]: skill("s"),
    });
    expect(locations(snapshot)).toEqual([`${home}/.agents/skills/g/s/SKILL.md`]);
    expect(codes(snapshot)).toContain("discovery/link-back");
  });

  test("a dangling link and a link to itself are named", () => {
    const snapshot = snapshotOf({
      ...repository,
      [`${home}/.agents/skills/gone`]: { link: "/nowhere" },
      [`${home}/.agents/skills/me`]: { link: "me" },
    });
    expect(codes(snapshot)).toEqual(expect.arrayContaining(["discovery/link-broken", "discovery/link-loop"]));
  });
});

describe("what can't be read", () => {
  test("pipes, folders and locked files are named, neighbours live", () => {
    const snapshot = snapshotOf({
      ...repository,
      "/repo/.agents/skills/pipe/SKILL.md": { special: "fifo" },
      "/repo/.agents/skills/dir/SKILL.md/SKILL.md": skill("inner"),
      "/repo/.agents/skills/locked/SKILL.md": { failure: "EACCES" },
      "/repo/.agents/skills/good/SKILL.md": skill("good"),
    });
    expect(snapshot.skills.map(({ name }) => name)).toEqual(["good"]);
    expect(snapshot.skipped.map(({ reason }) => reason).sort()).toEqual([
      "not-a-file",
      "not-a-file",
      "unreadable",
    ]);
  });

  test("a root that is too large is bounded and said once", () => {
    const many = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`/repo/.agents/skills/s${at}/SKILL.md`, skill(`s${at}`)]),
    );
    const snapshot = snapshotOf({ ...repository, ...many }, { entries: 10 });
    expect(snapshot.skills.length).toBeLessThanOrEqual(10);
    expect(codes(snapshot).filter((code) => code === "discovery/too-many-entries")).toHaveLength(1);
  });

  test("a broken override says which copy stays", () => {
    const snapshot = snapshotOf({
      ...repository,
      "/repo/.agents/skills/w/SKILL.md": "---\nname: w\ndescription: never closed\n",
      [`${home}/.agents/skills/w/SKILL.md`]: skill("w"),
    });
    expect(locations(snapshot)).toEqual([`${home}/.agents/skills/w/SKILL.md`]);
    expect(codes(snapshot)).toContain("precedence/broken-override");
  });
});

describe("the record", () => {
  test("every candidate is in the trails with a reason", () => {
    const snapshot = snapshotOf({
      ...repository,
      "/repo/.agents/skills/a/SKILL.md": skill("a"),
      [`${home}/.agents/skills/a/SKILL.md`]: skill("a", "Other."),
      [`${home}/.claude/skills/a/SKILL.md`]: skill("a", "Third."),
      "/repo/.agents/skills/void/SKILL.md": "",
    });
    expect(
      snapshot.trails.map(({ location, decisions }) => [
        location,
        decisions.at(-1)?.outcome,
        decisions.at(-1)?.reason,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ["/repo/.agents/skills/a/SKILL.md", "won", "strongest"],
        [`${home}/.agents/skills/a/SKILL.md`, "shadowed", "lower-scope"],
        [`${home}/.claude/skills/a/SKILL.md`, "shadowed", "lower-scope"],
        ["/repo/.agents/skills/void/SKILL.md", "skipped", "file/empty"],
      ]),
    );
  });

  test("the version changes exactly with the content", () => {
    const tree = { ...repository, "/repo/.agents/skills/a/SKILL.md": skill("a") };
    expect(snapshotOf(tree).version).toBe(snapshotOf(tree).version);
    expect(snapshotOf({ ...tree, "/repo/.agents/skills/a/SKILL.md": skill("a", "New.") }).version).not.toBe(
      snapshotOf(tree).version,
    );
  });
});

describe("a copy that steps aside", () => {
  const tree = {
    ...repository,
    "/repo/.agents/skills/a/SKILL.md": skill("a", "Ours."),
    [`${home}/.agents/skills/a/SKILL.md`]: skill("a", "Mine."),
    "/repo/.agents/skills/b/SKILL.md": skill("b"),
  };
  const aside = ({ root }: Snapshot["skills"][number]): boolean => root.scope === "workspace";

  test("lets the next copy of its name win, and stays where there is none", () => {
    const snapshot = snapshotOf(tree, { aside });
    expect(locations(snapshot)).toEqual([
      `${home}/.agents/skills/a/SKILL.md`,
      "/repo/.agents/skills/b/SKILL.md",
    ]);
    expect(snapshot.shadowed.map(({ skill: { location }, reason }) => [location, reason])).toEqual([
      ["/repo/.agents/skills/a/SKILL.md", "disabled"],
    ]);
  });

  test("does not step aside by default", () => {
    expect(locations(snapshotOf(tree))).toEqual([
      "/repo/.agents/skills/a/SKILL.md",
      "/repo/.agents/skills/b/SKILL.md",
    ]);
  });
});
