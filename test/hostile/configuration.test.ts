import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { evaluate, evaluateSpellings } from "../../src/core/visibility/permission.ts";
import { rulesFromConfig } from "../../src/core/visibility/permission-config.ts";
import { child } from "./fixtures/child.ts";
import { fastest } from "./fixtures/clock.ts";
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
import { agents, listed, open, useCommands, useLibrary } from "./fixtures/surface.ts";
import { run } from "./fixtures/terminal.ts";

function project(ground: Ground, value: unknown): void {
  put(ground.cwd, "skillet.jsonc", typeof value === "string" ? value : JSON.stringify(value));
}

function user(ground: Ground, value: unknown): void {
  put(
    ground.home,
    ".config/skillet/skillet.jsonc",
    typeof value === "string" ? value : JSON.stringify(value),
  );
}

function managed(ground: Ground, value: unknown): { readonly env: Readonly<Record<string, string>> } {
  put(ground.top, "managed/skillet.jsonc", typeof value === "string" ? value : JSON.stringify(value));
  return { env: { SKILLET_MANAGED_DIR: join(ground.top, "managed") } };
}

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
    expect(ended.out).not.toContain("outside");
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

const internal = [
  ["*", "allow"],
  ["internal-*", "deny"],
] as const;

const permissionCases: readonly (readonly [
  rules: readonly (readonly [string, string])[],
  name: string,
  wanted: string,
])[] = [
  [internal, "internal-x", "deny"],
  [internal, "internal-", "deny"],
  [internal, "Internal-x", "allow"],
  [internal, "internal", "allow"],
  [[], "anything", "ask"],
  [[["", "allow"]], "x", "ask"],
  [[[`${"*a".repeat(9)}*b`, "allow"]], "a".repeat(64), "ask"],
  [[["{", "allow"]], "x", "deny"],
  [[["(a+)+$", "allow"]], `${"a".repeat(60)}!`, "ask"],
  [[[".*", "allow"]], "abc", "ask"],
  [
    [
      ["*", "deny"],
      ["ok", "allow"],
    ],
    "ok",
    "allow",
  ],
  [
    [
      ["ok", "allow"],
      ["*", "deny"],
    ],
    "ok",
    "deny",
  ],
  [[["*", "maybe"]], "x", "deny"],
  [[["*", "ALLOW"]], "x", "deny"],
  [[["[!a]", "deny"]], "b", "ask"],
  [
    [
      ["*", "allow"],
      ["a\nb", "deny"],
    ],
    "a",
    "deny",
  ],
  [
    [
      ["*", "allow"],
      ["__proto__", "deny"],
    ],
    "__proto__",
    "deny",
  ],
];

test.each(permissionCases)("H08 rules %j for %j give %s", (rules, name, wanted) => {
  const text = `{${rules.map(([pattern, action]) => `${JSON.stringify(pattern)}:${JSON.stringify(action)}`).join(",")}}`;
  const skill = Object.fromEntries(rules);
  const { value, diagnostics } = rulesFromConfig({ skill }, { home: null, path: null });
  expect(evaluate(value, "skill", name).action, text).toBe(wanted);
  if (wanted === "deny" && rules.some(([, action]) => !["allow", "ask", "deny"].includes(action)))
    expect(diagnostics).not.toEqual([]);
  expect(fastest(() => void evaluate(value, "skill", name))).toBeLessThan(5);
});

test.each([
  "Internal-x",
  "internal-x\\n",
  " internal-x",
  "internal\\u2010x",
  "\\u0456nternal-x",
  "a/internal-x",
  "internal_x",
  "INTERNAL-X",
  "internal-x\\u200b",
])("H08 a name made to slip past a rule is refused or says what it is: %s", (name) => {
  const ground = createGround();
  user(ground, { permission: { skill: { "*": "allow", "internal-*": "deny" } } });
  put(ground.root, "disguise/SKILL.md", `---\nname: "${name}"\ndescription: disguised\n---\nbody\n`);
  const skills = open(ground);
  const entry = skills.entries.find(({ skill }) => skill.directory?.endsWith("/disguise"));
  // Either the name is not taken as it is, or it is denied, or people are told that it is unusual.
  const told = skills.diagnostics.some(
    ({ path, code }) => path?.endsWith("/disguise/SKILL.md") && code.startsWith("name/"),
  );
  expect(entry === undefined || entry.permission === "deny" || told).toBe(true);
  expect(skills.load("internal-x").output).not.toContain("body");
});

test.each([
  [{ "*": "allow", "internal-*": "deny" }, "Internal_x", "deny"],
  [{ "internal-*": "deny", "*": "allow" }, "Internal_x", "allow"],
  [{ "*": "deny", "Seed-Order": "allow" }, "Seed-Order", "allow"],
  [{ "*": "ask", "seed-order": "allow" }, "Seed-Order", "ask"],
  [{ "*": "allow", ｉnternal: "deny" }, "ｉnternal", "deny"],
  [{ "*": "allow", internal: "deny" }, "ｉnternal", "deny"],
] as const)("H08 rules %j for another spelling, %s, give %s", (patterns, name, wanted) => {
  const { value } = rulesFromConfig({ skill: patterns }, { home: null, path: null });
  expect(evaluateSpellings(value, "skill", name).action).toBe(wanted);
});

test("H09 to a model a denied skill does not exist, on every way", async () => {
  const ground = createGround();
  const hiddenName = "sealed-drawer";
  putSkill(ground.root, hiddenName, {
    description: "opens the sealed drawer",
    body: "the drawer's text\n",
    extra: "aliases: [drawer-alias]\n",
  });
  put(ground.root, `${hiddenName}/notes.md`, "notes of the drawer");
  user(ground, { permission: { skill: { "*": "allow", [hiddenName]: "deny" } } });
  const skills = open(ground);
  const seen = [
    skills.catalog().text,
    JSON.stringify(skills.search("sealed drawer")),
    JSON.stringify(skills.commands()),
    skills.load("sealed-drawe").output,
    skills.load("drawer-alias").output,
    skills.load("nothing-at-all").output,
  ].join("\n");
  expect(seen).not.toContain(hiddenName);
  const same = (name: string) => skills.load(name).output.replaceAll(name, "NAME");
  expect(same(hiddenName)).toBe(same("no-such-skill"));
  expect(same("drawer-alias")).toBe(same("no-such-skill"));
  expect(skills.load(hiddenName)).toMatchObject({ status: "unknown", files: [] });
  expect(skills.load(hiddenName, { approved: true }).status).toBe("unknown");
  const byUser = skills.load(hiddenName, { by: "user" });
  expect(byUser.status).toBe("denied");
  expect(byUser.output).not.toContain("the drawer's text");
  const model = await run(["load", hiddenName, "--by", "model", "--trust", ...ground.flags], {
    cwd: ground.cwd,
  });
  const absent = await run(["load", "no-such-skill", "--by", "model", "--trust", ...ground.flags], {
    cwd: ground.cwd,
  });
  expect(model.code).toBe(absent.code);
  expect(model.out.replaceAll(hiddenName, "NAME")).toBe(absent.out.replaceAll("no-such-skill", "NAME"));
  const user_ = await run(["load", hiddenName, "--trust", ...ground.flags], { cwd: ground.cwd });
  expect(user_.code).toBe(1);
  expect(user_.out).not.toContain("the drawer's text");
  const completed = await run(["__complete", "--", "load", ...ground.flags, "sea"], { cwd: ground.cwd });
  expect(completed.out).not.toContain(hiddenName);
});

test("a name never becomes a command of the shell by completion", async () => {
  const ground = createGround();
  const names = [
    "x;id",
    "x|sh",
    "x&",
    "x>y",
    "x<y",
    "x(y)",
    "x{a,b}",
    "x*",
    "x!y",
    "x#y",
    "~x",
    "-x",
    "x$y",
    "x`y`",
    "x y",
    'x"',
    "x'",
    "x\\y",
  ];
  for (const [index, name] of names.entries())
    put(ground.root, `n${index}/SKILL.md`, `---\nname: ${JSON.stringify(name)}\ndescription: x\n---\n`);
  putSkill(ground.root, "x-plain");
  putSkill(ground.root, "x名", {});
  for (const profile of agents) {
    const { code, out } = await run(["__complete", "--", "load", ...flagsFor(ground, profile), "x"], {
      cwd: ground.cwd,
    });
    expect(code).toBe(0);
    const words = out
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => line.split("\t")[0]);
    expect(words.sort(), profile).toEqual(["x-plain", "x名"]);
  }
});

test("H10 what the administrator denies stays denied", () => {
  const ground = createGround();
  putSkill(ground.root, "forbidden");
  user(ground, { permission: { skill: { "*": "allow", forbidden: "allow" } } });
  project(ground, { permission: { skill: { forbidden: "allow" } } });
  const admin = managed(ground, { permission: { skill: { forbidden: "deny" } } });
  for (const agent of [undefined, "build"]) {
    const skills = open(ground, { ...admin, ...(agent === undefined ? {} : { agent }) });
    expect(skills.load("forbidden", { by: "user" }).status).toBe("denied");
  }
});

test.each([
  ["broken", "{ broken"],
  ["wrong", '{"permission":7}'],
  ["a list", "[]"],
  ["deep", '{"a":'.repeat(500)],
])("H10 settings of the administrator that cannot be used deny everything: %s", async (_name, text) => {
  const ground = createGround();
  user(ground, { permission: { skill: { "*": "allow" } } });
  const admin = managed(ground, text);
  const skills = open(ground, admin);
  expect(skills.catalog().text ?? "").not.toContain(neighbour);
  expect(skills.load(neighbour).status).toBe("unknown");
  expect(skills.diagnostics.filter(({ severity }) => severity === "error").map(({ path }) => path)).toContain(
    join(ground.top, "managed/skillet.jsonc"),
  );
  const said = await run(
    ["list", ...ground.flags, "--env", `SKILLET_MANAGED_DIR=${join(ground.top, "managed")}`],
    { cwd: ground.cwd },
  );
  expect(said.err).toMatch(/managed|administrator/);
});

test("H10 a folder in place of the administrator's settings denies everything", () => {
  const ground = createGround();
  mkdirSync(join(ground.top, "managed/skillet.jsonc"), { recursive: true });
  const skills = open(ground, { env: { SKILLET_MANAGED_DIR: join(ground.top, "managed") } });
  expect(skills.load(neighbour).status).toBe("unknown");
});

test("H12 H13 without anybody to ask an ask is a refusal, and nothing is trusted by itself", async () => {
  const ground = createGround();
  putSkill(ground.userRoot, "careful", { body: "careful text\n" });
  user(ground, { permission: { skill: { "*": "allow", careful: "ask" } } });
  const skills = open(ground, { trust: false });
  expect(skills.load("careful").status).toBe("ask");
  expect(skills.load("careful").output).not.toContain("careful text");
  expect(skills.load("careful", { approved: true }).status).toBe("loaded");
  for (const env of [{ CI: "true" }]) {
    const ended = await child(["load", "careful", "--by", "model", ...ground.flags], {
      cwd: ground.cwd,
      input: "",
      env,
    });
    expect(ended).toMatchObject({ hung: false });
    expect(ended.code).not.toBe(0);
    expect(ended.out).not.toContain("careful text");
    const list = await child(["list", "--json", ...ground.flags], { cwd: ground.cwd, input: "y\n", env });
    const { skills: all } = JSON.parse(list.out) as { skills: readonly { name: string; trusted: boolean }[] };
    expect(all.find(({ name }) => name === neighbour)).toMatchObject({ trusted: false });
  }
});

const stateFiles: Readonly<Record<string, string | Uint8Array>> = {
  empty: "",
  cut: '{"version":1,"skills":{"a":',
  nul: new Uint8Array(512),
  list: "[]",
  null: "null",
  bom: "\ufeff{}",
  newer: '{"version":99,"skills":{"keep":{"source":"x"}},"futureField":1}',
  text: '{"version":"1","skills":[]}',
  proto: '{"version":1,"skills":{"__proto__":{"enabled":false}},"__proto__":{"polluted":true}}',
  conflict: "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> x\n",
  deep: '{"a":'.repeat(100_000),
  large: `{"version":1${" ".repeat(20 << 20)}}`,
};

test.each(Object.entries(stateFiles))(
  "H11 G04 stored decisions that are %s crash nothing and are not wiped",
  async (_name, contents) => {
    const ground = createGround();
    // Whatever the files of the state are called, all of them are damaged.
    await run(["trust", ...ground.flags], { cwd: ground.cwd });
    await run(["disable", neighbour, ...ground.flags], { cwd: ground.cwd });
    const files = readdirSync(ground.data, { recursive: true, encoding: "utf8" })
      .map((name) => join(ground.data, name))
      .filter((path) => statSync(path).isFile() && path.endsWith(".json"));
    expect(files).not.toEqual([]);
    for (const path of files) writeFileSync(path, contents);
    await useCommands(ground, {
      trust: false,
      scope: "given",
      lines: [["list"], ["doctor"], ["enable", neighbour]],
    });
    expect("polluted" in {}).toBe(false);
    for (const path of files) expect(Buffer.compare(readFileSync(path), Buffer.from(contents)), path).toBe(0);
  },
);

test("H11 trust is not given to what changed its place behind a link", async () => {
  const ground = createGround();
  await run(["trust", ...ground.flags], { cwd: ground.cwd });
  expect(open(ground, { trust: false }).workspace).toMatchObject({ trusted: true });
  const other = createGround();
  expect(open({ ...other, data: ground.data }, { trust: false }).workspace).toMatchObject({ trusted: false });
});
