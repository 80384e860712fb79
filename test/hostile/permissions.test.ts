import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { evaluate, evaluateSpellings } from "../../src/core/visibility/permission.ts";
import { rulesFromConfig } from "../../src/core/visibility/permission-config.ts";
import { fastest } from "../support/processor-time.ts";
import { buildCommand, child } from "./fixtures/child.ts";
import { createGround, flagsFor, type Ground, link, neighbour, put, putSkill } from "./fixtures/ground.ts";
import { managed, project, user } from "./fixtures/settings.ts";
import { agents, open, useCommands } from "./fixtures/surface.ts";
import { run } from "./fixtures/terminal.ts";

beforeAll(buildCommand);

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

test.each([
  ["text", (ground: Ground) => putSkill(ground.root, "approved", { body: "other text\n" }), "changed"],
  [
    "description",
    (ground: Ground) => putSkill(ground.root, "approved", { description: "Other." }),
    "changed",
  ],
  ["script", (ground: Ground) => put(ground.root, "approved/scripts/run.sh", "echo other\n"), "changed"],
  [
    "set of files",
    (ground: Ground) => put(ground.root, "approved/scripts/more.sh", "echo more\n"),
    "changed",
  ],
  [
    "link",
    (ground: Ground) => {
      rmSync(join(ground.root, "approved/link.md"));
      link("scripts/run.sh", ground.root, "approved/link.md");
    },
    "changed",
  ],
] as const)(
  "H11 a skill whose %s changed after it was approved waits again",
  async (_what, change, reason) => {
    const ground = createGround();
    putSkill(ground.root, "approved");
    put(ground.root, "approved/scripts/run.sh", "echo one\n");
    put(ground.root, "approved/a.md", "a");
    link("a.md", ground.root, "approved/link.md");
    await run(["trust", ...ground.flags], { cwd: ground.cwd });
    const trusted = () =>
      open(ground, { trust: false }).entries.find(({ skill }) => skill.name === "approved");
    expect(trusted()).toMatchObject({ trusted: true, modelInvocable: true });
    change(ground);
    expect(trusted()).toMatchObject({ trusted: false, modelInvocable: false });
    expect(trusted()?.decisions.map((decision) => decision.reason)).toContain(reason);
    expect(open(ground, { trust: false }).load("approved").status).toBe("unknown");
    const why = await run(["why", "approved", ...ground.flags], { cwd: ground.cwd });
    expect(why.out).toMatch(/changed/);
  },
);

test("H11 a skill that came after the approval waits", async () => {
  const ground = createGround();
  await run(["trust", ...ground.flags], { cwd: ground.cwd });
  putSkill(ground.root, "newcomer");
  const skills = open(ground, { trust: false });
  expect(skills.load("newcomer").status).toBe("unknown");
  expect(skills.load(neighbour).status).toBe("loaded");
});

test("H11 trust is not given to what changed its place behind a link", async () => {
  const ground = createGround();
  await run(["trust", ...ground.flags], { cwd: ground.cwd });
  expect(open(ground, { trust: false }).workspace).toMatchObject({ trusted: true });
  const other = createGround();
  expect(open({ ...other, data: ground.data }, { trust: false }).workspace).toMatchObject({ trusted: false });
});
