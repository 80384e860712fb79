import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { fastest } from "../support/processor-time.ts";
import { buildCommand, child } from "./fixtures/child.ts";
import {
  aliasBomb,
  cyclicAlias,
  deeplyNested,
  manyKeys,
  mergeKeys,
} from "./fixtures/frontmatter-payloads.ts";
import {
  createGround,
  flagsFor,
  type Ground,
  link,
  neighbour,
  put,
  putSkill,
  secret,
} from "./fixtures/ground.ts";
import { managed, project, user } from "./fixtures/settings.ts";
import { agents, listed, open, useCommands, useLibrary } from "./fixtures/surface.ts";

beforeAll(buildCommand);

const greedyPaths = (ground: Ground): readonly string[] => [
  "/",
  "/etc",
  "~",
  "~/.ssh",
  "../../outside",
  "../outside",
  ground.outside,
  ["$", "{HOME}"].join(""),
  "$HOME/.ssh",
  "{env:HOME}",
  ".agents/../../outside",
  "%2e%2e/outside",
  "linked-out",
  "",
];

test.each([false, true])(
  "H01 a project's paths outside of it are never searched (trusted: %s)",
  async (trust) => {
    const ground = createGround();
    putSkill(join(ground.home, ".ssh"), "key", { description: secret });
    link("../outside", ground.cwd, "linked-out");
    project(ground, { skills: { paths: greedyPaths(ground) } });
    const skills = open(ground, { trust });
    expect(useLibrary(skills)).not.toContain(secret);
    expect(
      skills.snapshot.roots
        .map(({ root }) => root.path)
        .filter((path) => !path.startsWith(ground.cwd) && !path.startsWith(ground.home)),
    ).toEqual([]);
    for (const { root, decision } of skills.snapshot.roots)
      if (root.scope === "config") expect(decision.outcome, root.path).not.toBe("searched");
    expect(skills.diagnostics.map(({ code }) => code)).toContain("config/path-outside");
    expect(listed(skills)).toContain(neighbour);
    await useCommands(ground, { trust });
  },
);

test("H01 the user's grant is what opens a folder outside", () => {
  const ground = createGround();
  user(ground, { skills: { paths: [ground.outside] } });
  expect(listed(open(ground))).toContain("private");
});

test.each([false, true])(
  "H02 addresses in a project's file cause no request (trusted: %s)",
  async (trust) => {
    const ground = createGround();
    project(ground, {
      skills: {
        urls: [
          "http://127.0.0.1:9/",
          "http://169.254.169.254/latest/",
          "https://user:word@example.invalid/",
          "file:///etc/passwd",
          "data:text/plain,x",
        ],
      },
    });
    const skills = open(ground, { trust });
    expect(skills.configuration.skills.urls.filter((url) => !url.startsWith("https://example"))).toEqual([]);
    await useCommands(ground, { trust });
  },
);

test("H03 a project cannot grant itself anything", () => {
  const ground = createGround();
  putSkill(ground.root, "dangerous");
  user(ground, { permission: { skill: { "*": "allow", dangerous: "deny" } } });
  project(ground, {
    permission: { skill: { "*": "allow", dangerous: "allow" } },
    agent: { build: { permission: { skill: { dangerous: "allow" } } } },
    trust: { workspace: "always", folders: [ground.cwd, "/"] },
    managed: true,
    precedence: ["workspace", "managed"],
  });
  const skills = open(ground, { trust: false, agent: "build" });
  expect(skills.load("dangerous").status).toBe("unknown");
  expect(skills.load("dangerous", { by: "user" }).status).toBe("denied");
  expect(skills.workspace).toMatchObject({ trusted: false });
  for (const { skill, trusted } of skills.entries)
    if (skill.root.scope === "workspace") expect(trusted).toBe(false);
  expect(skills.diagnostics.map(({ code }) => code)).toContain("config/not-for-project");
});

test("H03 a project may still restrict", () => {
  const ground = createGround();
  project(ground, { permission: { skill: { [neighbour]: "deny" } } });
  expect(open(ground).load(neighbour).status).toBe("unknown");
});

test("H04 a project's .env sets nothing", async () => {
  const ground = createGround();
  put(ground.cwd, "hook.cjs", `require("fs").writeFileSync(${JSON.stringify(ground.triggered)}, "")`);
  put(
    ground.cwd,
    ".env",
    `NODE_OPTIONS=--require ${ground.cwd}/hook.cjs\nHTTPS_PROXY=http://127.0.0.1:9\nSKILLET_CONFIG_DIR=${ground.outside}\nSKILLET_MANAGED_DIR=${ground.outside}\nXDG_CONFIG_HOME=${ground.outside}\nCODEX_HOME=${ground.outside}\n`,
  );
  for (const profile of ["skillet", "opencode"]) {
    const ended = await child(["list", "--json", "--trust", ...flagsFor(ground, profile)], {
      cwd: ground.cwd,
    });
    expect(ended.code).toBe(0);
    expect(ended.out).not.toContain(ground.outside);
  }
  expect(ground.harm()).toEqual([]);
});

test("H05 configuration that is code is not run", async () => {
  const ground = createGround();
  const code = `require("fs").writeFileSync(${JSON.stringify(ground.triggered)}, "")`;
  const module = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(ground.triggered)}, ""); export default {};`;
  for (const name of [
    "skillet.config.js",
    "skillet.config.cjs",
    "skills.config.js",
    ".skilletrc.js",
    ".skillet/config.js",
  ])
    put(ground.cwd, name, code);
  for (const name of [
    "skillet.config.mjs",
    "skills.config.mjs",
    ".opencode/plugin/x.ts",
    ".opencode/plugins/x.js",
  ])
    put(ground.cwd, name, module);
  put(
    ground.cwd,
    "package.json",
    JSON.stringify({
      scripts: { preinstall: `touch ${ground.triggered}`, skillet: `touch ${ground.triggered}` },
      skillet: { plugins: ["./skillet.config.cjs"] },
    }),
  );
  project(ground, {
    plugins: ["./skillet.config.cjs"],
    commands: { list: `touch ${ground.triggered}` },
    hooks: { start: `touch ${ground.triggered}` },
    mcp: { x: { command: ["touch", ground.triggered] } },
  });
  put(
    ground.cwd,
    "opencode.json",
    JSON.stringify({
      plugin: ["./skillet.config.cjs"],
      mcp: { x: { type: "local", command: ["touch", ground.triggered] } },
    }),
  );
  for (const profile of agents)
    await useCommands(ground, {
      profile,
      scope: "given",
      lines: [["list", "--all"], ["doctor"]],
      names: [neighbour],
    });
  expect(ground.harm()).toEqual([]);
});

const brokenFiles: Readonly<Record<string, string | Uint8Array>> = {
  cut: '{"permission":{"skill":{"*":"allow"',
  text: "not json",
  binary: Uint8Array.from({ length: 512 }, (_, index) => index & 255),
  utf16: Buffer.from('\ufeff{"skills":{}}', "utf16le"),
  empty: "",
  null: "null",
  list: "[]",
  number: "12",
  conflict: "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> x\n",
  deep: '{"a":'.repeat(100_000),
  "deep-list": "[".repeat(200_000),
  large: `{"skills":{}${" ".repeat(20 << 20)}}`,
  "many-errors": '{"a" 1 "b" '.repeat(50_000),
  proto:
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"agent":{"__proto__":{"permission":{"skill":"allow"}}}}',
  types: JSON.stringify({
    permission: 7,
    agent: [],
    precedence: "x",
    brands: { a: 1 },
    skills: "all",
    trust: [],
    catalog: null,
    search: true,
    limits: [],
    reservedCommands: 9,
  }),
  "inner-types": JSON.stringify({
    permission: { skill: [1] },
    agent: { x: 1, y: { permission: 3 }, z: { permission: { skill: { a: {} } } } },
    precedence: [1, null, "nowhere", "user", "user"],
    brands: [{}, "nope", "agents"],
    skills: { paths: [1, null, {}], urls: {}, pins: [[]], disabled: 5, flatFiles: "yes", mainCheckout: 1 },
    trust: { workspace: "sure", folders: "all" },
    catalog: { share: "2", budget: -1, entryLimit: 1e99, window: "x" },
    search: { limit: 0 },
    limits: { skillBytes: "big", scanDepth: null },
  }),
  "control-keys": JSON.stringify({ "\u001b[2J": 1, "a\nb": 2, "\u202e": 3, [`${"k".repeat(5000)}`]: 4 }),
  numbers: '{"limits":{"scanDepth":1e400,"skillBytes":-0,"yamlKeys":0.5},"catalog":{"budget":NaN}}',
};

test.each(Object.entries(brokenFiles))(
  "H06 a settings file that is %s costs neither the skills nor other layers",
  async (_name, contents) => {
    const ground = createGround();
    putSkill(ground.root, "denied");
    const admin = managed(ground, { permission: { skill: { denied: "deny" } } });
    put(ground.cwd, "skillet.jsonc", contents);
    put(ground.home, ".config/skillet/skillet.jsonc", contents);
    for (const path of ["opencode.json", ".opencode/opencode.json"]) put(ground.cwd, path, contents);
    put(ground.home, ".config/opencode/opencode.json", contents);
    expect(fastest(() => open(ground, admin), 2)).toBeLessThan(1000);
    const skills = open(ground, admin);
    expect(skills.load("denied", { by: "user" }).status).toBe("denied");
    expect("polluted" in {}).toBe(false);
    for (const profile of agents) {
      expect(
        open(ground, { profile, ...admin }).entries.map(({ skill }) => skill.name),
        profile,
      ).toContain(neighbour);
    }
    await useCommands(ground, {
      scope: "given",
      lines: [["list"], ["doctor"], ["config", "list", "--json"], ["config", "list", "--origin"]],
    });
    for (const { code, path, message } of skills.diagnostics.filter((one) =>
      one.code.startsWith("config/"),
    )) {
      expect(path, code).toMatch(/skillet\.jsonc$/);
      expect(message.length, code).toBeLessThan(600);
    }
  },
);

/** Files that mirrored agents read besides skills, by place. */
function agentFiles(ground: Ground): readonly string[] {
  const inProject = [
    "opencode.jsonc",
    ".opencode/opencode.json",
    ".opencode/agent/x.md",
    ".opencode/command/x.md",
    "mimocode.json",
    ".mimocode/mimocode.json",
    ".mimocode/agent/x.md",
    ".minimax/config.yaml",
    ".gitignore",
    ".ignore",
    ".git/info/exclude",
    ".git/config",
  ];
  const ofUser = [
    ".config/opencode/opencode.json",
    ".config/mimocode/mimocode.json",
    ".minimax-code/config.yaml",
  ];
  const ofData = [
    "config.yaml",
    "plugins/enabled.json",
    "plugins/p/plugin.json",
    "plugins/p/.claude-plugin/plugin.json",
    "state.json",
  ];
  return [
    ...inProject.map((path) => join(ground.cwd, path)),
    ...ofUser.map((path) => join(ground.home, path)),
    ...ofData.map((path) => join(ground.data, path)),
  ];
}

const agentContents: Readonly<Record<string, string | Uint8Array>> = {
  binary: brokenFiles.binary ?? "",
  conflict: brokenFiles.conflict ?? "",
  deep: brokenFiles.deep ?? "",
  large: " ".repeat(2 << 20),
  types: brokenFiles.types ?? "",
  proto: brokenFiles.proto ?? "",
  "alias bomb": aliasBomb(),
  "cyclic alias": cyclicAlias,
  "deep yaml": deeplyNested((depth) => "[".repeat(depth), 5_000),
  "many keys": manyKeys(50_000),
  "merge keys": mergeKeys(2_000),
  script: "---js\n{ name: process.exit(7) }\n---\nx",
  blanks: `${" ".repeat(200_000)}x\n`,
  "open variables": JSON.stringify({
    skills: { paths: ["{env:".repeat(100_000)] },
    instructions: ["{file:".repeat(50_000)],
  }),
  colons: `---\nfoo:${" ".repeat(200_000)}x\u2028y\ndescription: a: b\n---\n`,
  stars: "*".repeat(100_000),
};

test.each(Object.entries(agentContents))(
  "H06 the files of mirrored agents that are made of %s are survived in time",
  (_name, contents) => {
    const ground = createGround();
    for (const path of agentFiles(ground)) put("/", path, contents);
    for (const profile of agents) {
      expect(
        fastest(() => void open(ground, { profile }), 1),
        profile,
      ).toBeLessThan(1_500);
      const skills = open(ground, { profile });
      expect(
        skills.entries.map(({ skill }) => skill.name),
        profile,
      ).toContain(neighbour);
      expect(useLibrary(skills), profile).not.toContain(secret);
    }
    expect("polluted" in {}).toBe(false);
    expect(ground.harm()).toEqual([]);
  },
);

test("H01 a plugin's manifest cannot name skills outside of the plugin", () => {
  const paths = [
    "../../../outside/private",
    "../../../outside",
    "/",
    "linked",
    "linked/private",
    "..",
    "skills/../../../../outside/private",
    "C:\\x",
    "\\\\server\\x",
    "a\0b",
    "file:///etc",
    "x".repeat(5_000),
  ];
  for (const manifest of [
    "plugin.json",
    ".minimax-plugin/plugin.json",
    ".claude-plugin/plugin.json",
    ".codex-plugin/plugin.json",
  ]) {
    const ground = createGround();
    for (const [index, path] of [...paths, paths].entries()) {
      const folder = join(ground.data, "plugins", `p${index}`);
      put(
        folder,
        manifest,
        JSON.stringify({
          name: `p${index}`,
          version: "1.0.0",
          description: "x",
          skills: Array.isArray(path) ? path : [path, `${path}/SKILL.md`],
        }),
      );
      link(ground.outside, folder, "linked");
      link(join(ground.outside, "private"), folder, "skills/private");
      link(join(ground.outside, "private/SKILL.md"), folder, "skills/file/SKILL.md");
      putSkill(join(folder, "skills"), "fine");
    }
    put(
      ground.data,
      "plugins/enabled.json",
      JSON.stringify([...paths, paths].map((_, index) => `p${index}`)),
    );
    for (const profile of agents) {
      const skills = open(ground, { profile });
      expect(useLibrary(skills), `${profile} ${manifest}`).not.toContain(secret);
      expect(listed(skills)).toContain(neighbour);
    }
    expect(ground.harm()).toEqual([]);
  }
});

test("H06 a broken file of the user is said and its neighbours still work", () => {
  for (const name of ["cut", "text", "binary", "conflict", "deep", "large", "types"]) {
    const ground = createGround();
    put(ground.home, ".config/skillet/skillet.jsonc", brokenFiles[name] ?? "");
    const skills = open(ground);
    expect(
      skills.diagnostics.map(({ code }) => code),
      name,
    ).toEqual(expect.arrayContaining([expect.stringMatching(/^config\//)]));
    expect(skills.entries.length, name).toBeGreaterThan(1);
  }
});

test.each([1e15, 0, -1, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER])(
  "H07 a project cannot raise limits: %s",
  (value) => {
    const ground = createGround();
    const keys = [
      "skillBytes",
      "frontmatterBytes",
      "yamlDepth",
      "yamlKeys",
      "scanDepth",
      "scanFolders",
      "scanEntries",
      "listedFiles",
    ];
    const limits = Object.fromEntries(keys.map((key) => [key, value]));
    user(ground, { limits: { scanDepth: 4 } });
    project(ground, {
      limits,
      catalog: { budget: 1e12, entryLimit: 1e12, share: 1 },
      search: { limit: 1e9 },
    });
    const { limits: result } = open(ground).configuration;
    expect(result.scanDepth).toBeLessThanOrEqual(4);
    expect(result.skillBytes).toBeLessThanOrEqual(1_048_576);
    expect(result.yamlDepth).toBeLessThanOrEqual(32);
    expect(result.yamlKeys).toBeLessThanOrEqual(512);
    for (const number of Object.values(result)) expect(number).toBeGreaterThanOrEqual(0);
  },
);
