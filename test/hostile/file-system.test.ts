import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { buildCommand, cannotBecomeNobody, child } from "./fixtures/child.ts";
import { utf8 } from "./fixtures/clean-text.ts";
import { fastest, long } from "./fixtures/clock.ts";
import {
  createGround,
  flagsFor,
  type Ground,
  link,
  neighbour,
  put,
  putSkill,
  secret,
  skillText,
} from "./fixtures/ground.ts";
import { oddFolders } from "./fixtures/odd-names.ts";
import { codesAt, listed, open, profileNames, useCommands, useLibrary } from "./fixtures/surface.ts";

beforeAll(buildCommand);

/** In every profile: nothing throws, the neighbours are listed, no secret is told, no canary is touched. */
function everywhere(ground: Ground, options: { readonly leaks?: readonly string[] } = {}): void {
  for (const profile of profileNames) {
    const skills = open(ground, { profile });
    expect(listed(skills), profile).toEqual(expect.arrayContaining([neighbour, `${neighbour}-of-user`]));
    const text = useLibrary(skills);
    // Profiles that mirror another system follow links as that system does (table "Links").
    if (options.leaks?.some((start) => profile.startsWith(start)) !== true)
      expect(text, profile).not.toContain(secret);
  }
  expect(ground.harm()).toEqual([]);
}

/** Profiles of systems that follow links out of a workspace. */
const followers = ["opencode", "mimo"];

/** Every link that leads out of the workspace, by its place in the root. */
function escapes(ground: Ground): void {
  const { root, outside } = ground;
  link("../../../../outside/private/SKILL.md", root, "md-link/SKILL.md");
  link(`${outside}/private/SKILL.md`, root, "md-absolute/SKILL.md");
  link("../../../outside/private", root, "folder-link");
  link(outside, root, "absolute-folder");
  link("/etc", root, "etc");
  link("../../../../../../../../../../../etc/passwd", root, "passwd/SKILL.md");
  link("/proc/self/environ", root, "environ/SKILL.md");
  link("/proc/self/root/etc", root, "proc-root");
  link("/dev/zero", root, "zero/SKILL.md");
  link("/dev/stdin", root, "stdin/SKILL.md");
  putSkill(root, "chain");
  link("b.md", root, "chain/a.md");
  link("c.md", root, "chain/b.md");
  link(`${outside}/secret.txt`, root, "chain/c.md");
  putSkill(root, "references");
  link(`${outside}/secret.txt`, root, "references/notes.md");
  link(outside, root, "references/assets");
  putSkill(root, "inside");
  put(root, "inside/shared/x.md", "inside");
  link("shared/x.md", root, "inside/alias.md");
  // Begins with the path of the root, but is another folder.
  put(`${root}-evil`, "twin/SKILL.md", skillText({ name: "twin", description: secret }));
  link("../../skills-evil/twin/SKILL.md", root, "prefix/SKILL.md");
  link("../skills-evil", root, "prefix-folder");
}

test("C01 C02 links that leave the workspace are not followed, and each is reported", async () => {
  const ground = createGround();
  escapes(ground);
  everywhere(ground, { leaks: followers });
  const skills = open(ground);
  const refused = [
    "md-link/SKILL.md",
    "md-absolute/SKILL.md",
    "folder-link",
    "absolute-folder",
    "etc",
    "passwd/SKILL.md",
    "proc-root",
    "prefix/SKILL.md",
    "prefix-folder",
  ];
  for (const path of refused) {
    const found = skills.diagnostics.filter((one) => one.path === join(ground.root, path));
    expect(
      found.map(({ code }) => code),
      path,
    ).toContain("discovery/link-outside");
    for (const { message, hint } of found) expect(`${message}${hint}`, path).toMatch(/\w/);
  }
  for (const path of ["environ", "zero", "stdin"])
    expect(codesAt(skills, `/${path}/SKILL.md`), path).not.toEqual([]);
  const found = skills.find("inside");
  expect(found.kind === "found" && skills.readFile(found.entry.skill, "alias.md")).toMatchObject({
    kind: "text",
    text: "inside",
  });
  const chain = skills.find("chain");
  for (const file of ["a.md", "b.md", "c.md"])
    expect(chain.kind === "found" && skills.readFile(chain.entry.skill, file), file).toMatchObject({
      kind: "refused",
    });
  await useCommands(ground, {
    names: ["md-link", "references", "chain", "prefix"],
    lines: [
      "notes.md",
      "assets/secret.txt",
      "../chain/c.md",
      "../../../../outside/secret.txt",
      "/etc/passwd",
    ].map((file) => ["show", "references", "--file", file]),
  });
});

test("C01 C02 untrusted workspaces are searched by the same rules", async () => {
  const ground = createGround();
  escapes(ground);
  const skills = open(ground, { trust: false });
  expect(useLibrary(skills)).not.toContain(secret);
  await useCommands(ground, { trust: false, names: ["md-link", "references"] });
});

test("C01 in the user's own folder a link is the user's word", () => {
  const ground = createGround();
  link("../../../../outside/private/SKILL.md", ground.userRoot, "linked/SKILL.md");
  link("../../../outside", ground.userRoot, "linked-folder");
  const skills = open(ground);
  expect(listed(skills)).toContain("private");
  expect(listed(skills).filter((name) => name === "private")).toHaveLength(1);
});

test("C03 C04 loops of links end at once and each skill is listed once", { timeout: 90_000 }, async () => {
  const ground = createGround();
  const { root } = ground;
  for (const [target, path] of [
    [".", "loop-a"],
    [".", "loop-b"],
    ["..", "up"],
    ["../..", "further-up"],
    ["self", "self"],
    ["pong", "ping"],
    ["ping", "pong"],
    ["SKILL.md", "self-file/SKILL.md"],
    ["..", "deep/a/back"],
    ["../..", "deep/a/back-further"],
  ] as const)
    link(target, root, path);
  putSkill(root, "deep/a", { name: "deep-a" });
  for (let index = 0; index < 60; index += 1)
    link(index === 59 ? neighbour : `chain-${index + 1}`, root, `chain-${index}`);
  for (const profile of profileNames) {
    const { skills, cost } = timed(() => open(ground, { profile }));
    // The second generation of OpenCode walks a cycle as often as the system lets it.
    expect(cost, profile).toBeLessThan(profile.startsWith("opencode-v2") ? 3_000 : 1_000);
    const names = listed(skills);
    expect(
      names.filter((name) => name === neighbour),
      profile,
    ).toHaveLength(1);
    expect(skills.load(neighbour, { by: "user" }).status, profile).toBe("loaded");
  }
  const skills = open(ground);
  for (const path of ["/self", "/ping", "/pong", "/self-file/SKILL.md"])
    expect(codesAt(skills, `${ground.root}${path}`), path).toEqual(["discovery/link-loop"]);
  const counts = new Map<string, number>();
  for (const { path } of skills.diagnostics) counts.set(path ?? "", (counts.get(path ?? "") ?? 0) + 1);
  for (const [path, count] of counts) expect(count, path).toBe(1);
  await useCommands(ground, { names: ["deep-a", "self"] });
});

test("C03 a folder that many paths lead to is not walked once for each path", () => {
  const ground = createGround();
  for (let level = 0; level < 25; level += 1) {
    mkdirSync(join(ground.root, `level-${level}`));
    for (const name of ["a", "b"]) link(`../level-${level + 1}`, ground.root, `level-${level}/${name}`);
  }
  putSkill(ground.root, "level-25");
  for (const profile of profileNames) {
    const { skills, cost } = timed(() => open(ground, { profile }));
    expect(cost, profile).toBeLessThan(3_000);
    expect(listed(skills), profile).toContain("level-25");
  }
});

/** One opening, with the processor time in milliseconds that it took. */
function timed(opening: () => ReturnType<typeof open>) {
  let skills: ReturnType<typeof open> | null = null;
  const cost = fastest(() => {
    skills = opening();
  }, 1);
  return { skills: skills as unknown as ReturnType<typeof open>, cost };
}

function makeFifo(path: string): void {
  const { status } = spawnSync("mkfifo", [path]);
  if (status !== 0) throw new Error(`mkfifo ${path}`);
}

const reading: readonly (readonly string[])[] = [
  [],
  ["list", "--all"],
  ["why", "pipe-0"],
  ["show", "with-pipe"],
  ["show", "with-pipe", "--file", "notes.md"],
  ["load", "with-pipe"],
  ["catalog"],
  ["search", "seedlings"],
  ["check"],
  ["doctor"],
  ["config", "list"],
  ["paths"],
];

test.skipIf(process.platform === "win32")("C05 pipes in every place block no command", async () => {
  const ground = createGround();
  for (let index = 0; index < 6; index += 1) {
    mkdirSync(join(ground.root, `pipe-${index}`));
    makeFifo(join(ground.root, `pipe-${index}`, index === 5 ? "skill.md" : "SKILL.md"));
  }
  putSkill(ground.root, "with-pipe");
  for (const name of ["notes.md", ".gitignore", "references"]) makeFifo(join(ground.root, "with-pipe", name));
  for (const name of ["skillet.jsonc", "opencode.json", "AGENTS.md", ".env", ".gitignore"])
    makeFifo(join(ground.cwd, name));
  mkdirSync(join(ground.home, ".config/skillet"), { recursive: true });
  makeFifo(join(ground.home, ".config/skillet/skillet.jsonc"));
  makeFifo(join(ground.home, ".gitconfig"));
  mkdirSync(join(ground.data, "state"), { recursive: true });
  makeFifo(join(ground.cwd, ".claude"));
  for (const line of reading) {
    const ended = await child([...line, "--trust", ...ground.flags], { cwd: ground.cwd, limit: 30_000 });
    expect(ended, line.join(" ")).toMatchObject({ signal: null, hung: false });
    expect([0, 1, 2, 3], `${line.join(" ")}: ${ended.err}`).toContain(ended.code);
    expect(ended.err).not.toContain("defect in Skillet");
    expect(ended.milliseconds ?? 0, line.join(" ")).toBeLessThan(2000);
  }
  for (const profile of profileNames) {
    const ended = await child(["list", "--json", "--trust", ...flagsFor(ground, profile)], {
      cwd: ground.cwd,
      limit: 30_000,
    });
    expect(ended, profile).toMatchObject({ code: 0, hung: false });
    expect(ended.out).toContain(`"${neighbour}"`);
  }
  const skills = open(ground);
  for (let index = 0; index < 5; index += 1) {
    const [found] = skills.diagnostics.filter(
      ({ path }) => path === join(ground.root, `pipe-${index}`, "SKILL.md"),
    );
    expect(found).toMatchObject({ code: "file/not-a-file" });
    expect(found?.message).toMatch(/fifo|pipe/);
  }
});

test.skipIf(process.platform === "win32")("C06 a socket in place of SKILL.md is reported", async () => {
  const ground = createGround();
  mkdirSync(join(ground.root, "socket"));
  const before = process.cwd();
  const server = createServer();
  // The name of a socket may have 107 bytes, so it is made from inside its folder.
  process.chdir(join(ground.root, "socket"));
  await new Promise<void>((resolve) => server.listen("SKILL.md", resolve));
  process.chdir(before);
  try {
    everywhere(ground);
    expect(codesAt(open(ground), "/socket/SKILL.md")).toContain("file/not-a-file");
    await useCommands(ground, { names: ["socket"] });
  } finally {
    server.close();
  }
});

const devices = [
  ["zero", "5"],
  ["full", "7"],
  ["random", "8"],
] as const;
const makesDevices =
  process.getuid?.() === 0 &&
  spawnSync("mknod", ["-m", "644", `/tmp/skillet-probe-${process.pid}`, "c", "1", "5"]).status === 0;
if (makesDevices) rmSync(`/tmp/skillet-probe-${process.pid}`, { force: true });

test("C07 devices are not read, also through links", async ({ skip }) => {
  const ground = createGround();
  if (process.platform !== "win32") link("/dev/zero", ground.root, "by-link/SKILL.md");
  if (makesDevices)
    for (const [name, minor] of devices) {
      mkdirSync(join(ground.root, `device-${name}`));
      spawnSync("mknod", [join(ground.root, `device-${name}`, "SKILL.md"), "c", "1", minor]);
    }
  everywhere(ground);
  for (const profile of profileNames) {
    const ended = await child(["list", "--json", "--trust", ...flagsFor(ground, profile)], {
      cwd: ground.cwd,
      limit: 30_000,
    });
    expect(ended, profile).toMatchObject({ code: 0, hung: false });
    expect(ended.memory ?? 0, profile).toBeLessThan(300);
  }
  if (!makesDevices) skip("devices can only be made by root outside of a container");
  for (const [name] of devices)
    expect(codesAt(open(ground), `/device-${name}/SKILL.md`), name).toContain("file/not-a-file");
});

test("C08 a folder named SKILL.md is reported, and what is in it is not the outer skill", async () => {
  const ground = createGround();
  put(ground.root, "outer/SKILL.md/SKILL.md", skillText({ name: "inner" }));
  everywhere(ground);
  const skills = open(ground);
  expect(codesAt(skills, "/outer/SKILL.md")).toContain("file/not-a-file");
  expect(listed(skills)).not.toContain("outer");
  expect(listed(skills)).not.toContain("inner");
  await useCommands(ground, { names: ["outer", "inner"] });
});

test("C09 a dangling link is reported, and the skill appears with its target", () => {
  const ground = createGround();
  link("nowhere/SKILL.md", ground.root, "dangling/SKILL.md");
  link("not-yet", ground.root, "dangling-folder");
  putSkill(ground.root, "dangling-reference");
  link("nowhere", ground.root, "dangling-reference/gone.md");
  everywhere(ground);
  const skills = open(ground);
  expect(codesAt(skills, "/dangling/SKILL.md")).toContain("discovery/link-broken");
  expect(codesAt(skills, "/dangling-folder")).toContain("discovery/link-broken");
  putSkill(ground.root, "not-yet", { name: "arrived" });
  expect(skills.reload()).toBe(true);
  expect(listed(skills)).toContain("arrived");
});

test("C10 what another user may not read is reported and the rest is listed", async ({ skip }) => {
  const reason = cannotBecomeNobody();
  if (reason !== null) skip(reason);
  const ground = createGround();
  chmodSync(ground.top, 0o755);
  putSkill(ground.root, "secret-file");
  chmodSync(join(ground.root, "secret-file/SKILL.md"), 0);
  putSkill(ground.root, "secret-folder");
  chmodSync(join(ground.root, "secret-folder"), 0);
  putSkill(ground.root, "list-only");
  chmodSync(join(ground.root, "list-only"), 0o444);
  putSkill(ground.root, "enter-only/inner", { name: "inner" });
  chmodSync(join(ground.root, "enter-only"), 0o311);
  mkdirSync(join(ground.cwd, ".claude/skills/x"), { recursive: true });
  chmodSync(join(ground.cwd, ".claude"), 0);
  put(ground.cwd, "skillet.jsonc", "{}");
  chmodSync(join(ground.cwd, "skillet.jsonc"), 0);
  for (const profile of profileNames) {
    const ended = await child(["list", "--json", "--all", "--trust", ...flagsFor(ground, profile)], {
      cwd: ground.cwd,
      nobody: true,
    });
    expect(ended, `${profile}: ${ended.err}`).toMatchObject({ code: 0, hung: false });
    expect(ended.out, profile).toContain(`"${neighbour}"`);
  }
  const ended = await child(["list", "--json", "--all", "--trust", ...ground.flags], {
    cwd: ground.cwd,
    nobody: true,
  });
  const { diagnostics } = JSON.parse(ended.out) as {
    diagnostics: readonly { path: string; message: string }[];
  };
  for (const path of ["secret-file/SKILL.md", "secret-folder/SKILL.md", "list-only/SKILL.md", "enter-only"])
    expect(
      diagnostics.filter((one) => one.path === join(ground.root, path)).map(({ message }) => message),
      path,
    ).toEqual([expect.stringContaining("EACCES")]);
  for (const line of [["check"], ["doctor"], ["show", "secret-file"], ["why", "secret-folder"]]) {
    const other = await child([...line, "--trust", ...ground.flags], { cwd: ground.cwd, nobody: true });
    expect([0, 1, 2, 3], `${line.join(" ")}: ${other.err}`).toContain(other.code);
    expect(other.err).not.toContain("defect in Skillet");
  }
});

test("C11 a root that vanishes and comes back while it is searched crashes nothing", async () => {
  const ground = createGround();
  for (let index = 0; index < 60; index += 1) putSkill(ground.root, `s-${index}`);
  const away = `${ground.root}-away`;
  const churn = spawn(
    process.execPath,
    [
      "-e",
      `const fs = require("fs"); const end = Date.now() + 2500;
       while (Date.now() < end) { try { fs.renameSync(${JSON.stringify(ground.root)}, ${JSON.stringify(away)}); } catch {}
         for (let i = 0; i < 2e5; i++); try { fs.renameSync(${JSON.stringify(away)}, ${JSON.stringify(ground.root)}); } catch {} }`,
    ],
    { stdio: "ignore" },
  );
  const ended = new Promise((resolve) => churn.on("close", resolve));
  const skills = open(ground);
  let rounds = 0;
  while (churn.exitCode === null && churn.signalCode === null) {
    for (const profile of profileNames) expect(() => useLibrary(open(ground, { profile }))).not.toThrow();
    expect(() => skills.reload()).not.toThrow();
    rounds += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await ended;
  expect(rounds).toBeGreaterThan(1);
  if (!existsSync(ground.root)) renameSync(away, ground.root);
  skills.reload();
  expect(listed(skills)).toContain("s-59");
});

test("C12 depth and breadth are bounded, with one diagnostic for each bound", async () => {
  const ground = createGround();
  putSkill(ground.root, Array(300).fill("d").join("/"), { name: "very-deep" });
  for (let index = 0; index < 200; index += 1) mkdirSync(join(ground.root, `z-empty-${index}`));
  put(ground.home, ".config/skillet/skillet.jsonc", '{"limits":{"scanFolders":100}}');
  const skills = open(ground);
  expect(listed(skills)).toContain(neighbour);
  expect(listed(skills)).not.toContain("very-deep");
  const bounded = skills.diagnostics.filter(({ code }) => code === "discovery/too-many-entries");
  expect(bounded).toHaveLength(1);
  expect(bounded[0]).toMatchObject({ path: ground.root });
  expect(bounded[0]?.message).toContain("100 folders");
});

test("A13 C13 B09 many skills and huge files stay within time and memory", { timeout: 240_000 }, async () => {
  const ground = createGround();
  const many = long ? 20_000 : 1_000;
  for (let index = 0; index < many; index += 1) {
    const name = `s-${String(index).padStart(5, "0")}`;
    putSkill(ground.root, `many/${name}`, { name, description: "d".repeat(1000) });
  }
  put(ground.root, "one-line/SKILL.md", skillText({ name: "one-line", body: "x".repeat(900_000) }));
  put(
    ground.root,
    "body-12m/SKILL.md",
    skillText({ name: "body-12m", body: "lorem ipsum ".repeat(1 << 20) }),
  );
  put(ground.root, "line-4m/SKILL.md", skillText({ name: "line-4m", body: "x".repeat(4 << 20) }));
  mkdirSync(join(ground.root, "sparse"));
  const file = openSync(join(ground.root, "sparse/SKILL.md"), "w");
  writeSync(file, skillText({ name: "sparse" }));
  ftruncateSync(file, 5 * 1024 ** 3);
  closeSync(file);
  for (const profile of profileNames) {
    for (const line of profile === "skillet"
      ? [["list", "--json"], ["catalog"], ["search", "water"]]
      : [["catalog"]]) {
      const ended = await child([...line, "--trust", ...flagsFor(ground, profile)], {
        cwd: ground.cwd,
        limit: 60_000,
      });
      const at = `${line[0]} --as ${profile}`;
      expect(ended, at).toMatchObject({ code: 0, hung: false });
      expect(ended.memory, at).not.toBeNull();
      expect(ended.memory ?? 0, at).toBeLessThan(long ? 600 : 300);
      expect(ended.milliseconds ?? 0, at).toBeLessThan(long ? 30_000 : 6_000);
    }
  }
  const skills = open(ground);
  expect(listed(skills)).toEqual(expect.arrayContaining(["one-line", neighbour]));
  for (const name of ["sparse", "body-12m", "line-4m"]) {
    expect(codesAt(skills, `/${name}/SKILL.md`), name).toEqual(["file/too-large"]);
    expect(skills.explain(name).verdict, name).toBe("skipped");
  }
});

test("C14 of several spellings the exact name wins, whatever order the disk has", () => {
  for (const order of [
    ["SKILL.md", "skill.md", "Skill.md"],
    ["Skill.md", "skill.md", "SKILL.md"],
  ]) {
    const ground = createGround();
    for (const name of order)
      put(ground.root, `three/${name}`, skillText({ name: `from-${name.replace(".", "-")}` }));
    for (const name of ["Dup", "dup", "DUP"]) put(ground.root, `${name}/SKILL.md`, skillText({ name }));
    const skills = open(ground);
    expect(listed(skills)).toContain("from-SKILL-md");
    expect(listed(skills)).not.toContain("from-skill-md");
    expect(skills.diagnostics.map(({ code }) => code)).toContain("precedence/case-twins");
  }
});

test("C15 composed and decomposed names are one name, sharp s is its own", () => {
  const ground = createGround();
  put(ground.root, "one/SKILL.md", skillText({ name: "caf\u00e9" }));
  put(ground.root, "two/SKILL.md", skillText({ name: "cafe\u0301" }));
  put(ground.root, "three/SKILL.md", skillText({ name: "straße" }));
  put(ground.root, "four/SKILL.md", skillText({ name: "strasse" }));
  const skills = open(ground);
  expect(listed(skills).filter((name) => name.startsWith("caf"))).toEqual(["caf\u00e9"]);
  expect(skills.shadowed.map(({ skill }) => skill.directory)).toEqual([join(ground.root, "two")]);
  expect(listed(skills)).toEqual(expect.arrayContaining(["straße", "strasse"]));
});

test("C16 odd names of folders give JSON that parses and paths that lead back", {
  timeout: 90_000,
}, async () => {
  const ground = createGround();
  const made: string[] = [];
  for (const name of oddFolders) {
    try {
      put(ground.root, `${name}/SKILL.md`, "---\ndescription: an odd folder\n---\nodd\n");
      put(ground.root, `${name}/file ${name.slice(0, 200)}`, "x");
      made.push(name);
    } catch {
      // Not every system takes every name.
    }
  }
  expect(made.length).toBeGreaterThan(20);
  everywhere(ground);
  await useCommands(ground, { names: made });
  const ended = await child(["list", "--json", "--all", "--trust", ...ground.flags], { cwd: ground.cwd });
  const list = JSON.parse(ended.out) as {
    skills: readonly { location: string }[];
    skipped: readonly { path: string }[];
  };
  const paths = [...list.skills.map(({ location }) => location), ...list.skipped.map(({ path }) => path)];
  for (const path of paths) expect(existsSync(path), JSON.stringify(path)).toBe(true);
  const skills = open(ground);
  for (const { skill } of skills.entries) {
    for (const file of skills.files(skill).files) {
      const read = skills.readFile(skill, file);
      expect(read.kind, JSON.stringify([skill.name, file])).toBe("text");
    }
  }
});

test.skipIf(process.platform !== "linux")("C17 a name that is no UTF-8 crashes nothing", async () => {
  const ground = createGround();
  const folder = Buffer.concat([Buffer.from(`${ground.root}/bad-`), Buffer.from([0xff, 0xfe])]);
  mkdirSync(folder);
  writeFileSync(Buffer.concat([folder, Buffer.from("/SKILL.md")]), skillText({ name: "bad-utf8" }));
  putSkill(ground.root, "with-bad-file");
  writeFileSync(Buffer.concat([Buffer.from(`${ground.root}/with-bad-file/x`), Buffer.from([0xff])]), "x");
  everywhere(ground);
  await useCommands(ground, { names: ["bad-utf8", "with-bad-file"] });
  const ended = await child(["list", "--json", "--all", "--trust", ...ground.flags], { cwd: ground.cwd });
  expect(ended.code).toBe(0);
  const { diagnostics } = JSON.parse(ended.out) as { diagnostics: readonly { path: string }[] };
  expect(diagnostics.map(({ path }) => path).filter((path) => path?.includes("bad-"))).not.toEqual([]);
});

test("C18 a hard link is a file like others (documented: only pulled skills refuse them)", () => {
  const ground = createGround();
  putSkill(ground.root, "hard");
  put(ground.outside, "shared.txt", "shared");
  linkSync(join(ground.outside, "shared.txt"), join(ground.root, "hard/linked.md"));
  const skills = open(ground);
  const found = skills.find("hard");
  expect(found.kind === "found" && skills.readFile(found.entry.skill, "linked.md")).toMatchObject({
    kind: "text",
    text: "shared",
  });
});

/** Flips a path between something good and a link to the canaries as fast as it can. */
function flip(path: string, good: string, evil: string, milliseconds: number) {
  const program = `const fs = require("fs"); const [path, good, evil] = ${JSON.stringify([path, good, evil])};
    const end = Date.now() + ${milliseconds}; const spare = path + ".spare";
    fs.symlinkSync(evil, spare);
    while (Date.now() < end) {
      try { fs.renameSync(path, good); } catch {} try { fs.renameSync(spare, path); } catch {}
      try { fs.renameSync(path, spare); } catch {} try { fs.renameSync(good, path); } catch {}
    }`;
  return spawn(process.execPath, ["-e", program], { stdio: "ignore" });
}

test.skipIf(process.platform === "win32").each(["file", "folder"])(
  "C19 a %s that turns into a link between check and use tells no secret",
  async (kind) => {
    const ground = createGround();
    putSkill(ground.root, "flip", { body: "good\n" });
    put(ground.root, "flip/notes/a.md", "good");
    put(ground.outside, "private/notes/a.md", secret);
    const [path, evil] =
      kind === "file"
        ? [join(ground.root, "flip/SKILL.md"), join(ground.outside, "private/SKILL.md")]
        : [join(ground.root, "flip"), join(ground.outside, "private")];
    const flipping = flip(path, `${ground.top}/good-${kind}`, evil, long ? 20_000 : 3_000);
    let rounds = 0;
    while (flipping.exitCode === null && flipping.signalCode === null) {
      const skills = open(ground);
      const text = useLibrary(skills, ["flip"]);
      expect(text.includes(secret), `round ${rounds}`).toBe(false);
      rounds += 1;
      if (rounds % 5 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(rounds).toBeGreaterThan(20);
  },
);

test("C20 folders of tools and archives hold no skills, nested skills stay closed", async () => {
  const ground = createGround();
  for (const folder of ["node_modules", ".git", "__MACOSX", "vendor", "venv", ".hidden", "__pycache__"])
    putSkill(ground.root, `${folder}/inner`, { name: `in-${folder.replace(".", "")}` });
  putSkill(ground.root, "outer");
  putSkill(ground.root, "outer/nested", { name: "nested" });
  putSkill(ground.root, "group/inner", { name: "grouped" });
  const names = listed(open(ground));
  expect(names.filter((name) => name.startsWith("in-"))).toEqual([]);
  expect(names).not.toContain("nested");
  expect(names).toEqual(expect.arrayContaining(["outer", "grouped"]));
  everywhere(ground);
});

test("C21 one name in three roots has the same winner each time, and a diagnostic", () => {
  const ground = createGround();
  for (const [index, root] of [ground.root, ground.userRoot, join(ground.cwd, ".claude/skills")].entries())
    putSkill(root, "triple", { description: `copy ${index}` });
  for (const profile of profileNames) {
    const winners = new Set<string>();
    for (let round = 0; round < (long ? 50 : 10); round += 1) {
      const skills = open(ground, { profile });
      winners.add(skills.entries.find(({ skill }) => skill.name === "triple")?.skill.location ?? "");
      expect(new Set(skills.shadowed.map(({ skill }) => skill.name)), profile).toEqual(new Set(["triple"]));
      for (const { message } of skills.shadowed) expect(message, profile).not.toBe("");
      if (profile === "skillet")
        expect(skills.diagnostics.map(({ code }) => code)).toContain("precedence/shadowed");
    }
    expect([...winners], profile).toHaveLength(1);
  }
});

test("C22 a project's copy of a managed skill replaces nothing, and of the user's not in silence", () => {
  const ground = createGround();
  const managed = join(ground.top, "managed");
  putSkill(join(managed, "skills"), "policy", { description: "the administrator's" });
  putSkill(ground.root, "policy", { description: "the project's" });
  putSkill(ground.userRoot, "mine", { description: "the user's" });
  putSkill(ground.root, "mine", { description: "the project's" });
  const skills = open(ground, { env: { SKILLET_MANAGED_DIR: managed } });
  expect(skills.entries.find(({ skill }) => skill.name === "policy")?.skill.description).toBe(
    "the administrator's",
  );
  expect(skills.shadowed.map(({ skill }) => skill.name).sort()).toEqual(["mine", "policy"]);
  const said = skills.diagnostics.filter(({ code }) => code === "precedence/shadowed");
  expect(said.map(({ path }) => path).sort()).toEqual(
    [join(ground.root, "policy/SKILL.md"), join(ground.userRoot, "mine/SKILL.md")].sort(),
  );
});

test("C23 a root that is a link, or two roots that are one folder, list each skill once", () => {
  const ground = createGround();
  link("../.agents/skills", ground.cwd, ".claude/skills");
  link(join(ground.outside), ground.cwd, ".codex/skills");
  for (const profile of profileNames) {
    const names = listed(open(ground, { profile }));
    expect(
      names.filter((name) => name === neighbour),
      profile,
    ).toHaveLength(1);
  }
  const skills = open(ground);
  expect(useLibrary(skills)).not.toContain(secret);
  expect(codesAt(skills, ".codex/skills")).toContain("discovery/link-outside");
});

test("C23 a project cannot claim the user's skills by a link, nor make them wait for trust", () => {
  const ground = createGround();
  putSkill(ground.userRoot, "mine");
  link(ground.userRoot, ground.cwd, ".claude/skills/all-of-user");
  const skills = open(ground, { trust: false });
  const entry = skills.entries.find(({ skill }) => skill.name === "mine");
  expect(entry).toMatchObject({ trusted: true, modelInvocable: true });
  expect(entry?.skill.root.scope).toBe("user");
});

test("C24 a root that is a file, missing, a broken link or a pipe is reported where it was asked for", () => {
  const ground = createGround();
  put(ground.cwd, ".claude/skills", "a file");
  link("nowhere", ground.cwd, ".codex/skills");
  put(ground.cwd, ".gemini", "a file");
  if (process.platform !== "win32") {
    mkdirSync(join(ground.cwd, ".cursor"));
    makeFifo(join(ground.cwd, ".cursor/skills"));
  }
  put(
    ground.home,
    ".config/skillet/skillet.jsonc",
    JSON.stringify({ skills: { paths: [join(ground.top, "absent")] } }),
  );
  everywhere(ground);
  const skills = open(ground);
  expect(codesAt(skills, ".claude/skills")).toContain("discovery/not-a-folder");
  expect(codesAt(skills, ".codex/skills")).toContain("discovery/link-broken");
  expect(codesAt(skills, "/absent")).toContain("discovery/missing-root");
});

test.skipIf(process.platform === "win32")(
  "C25 paths longer than the system allows are survived",
  async () => {
    const ground = createGround();
    const before = process.cwd();
    process.chdir(ground.root);
    try {
      for (let level = 0; level < 30; level += 1) {
        mkdirSync("p".repeat(200));
        process.chdir("p".repeat(200));
      }
      writeFileSync("SKILL.md", skillText({ name: "too-far" }));
    } finally {
      process.chdir(before);
    }
    everywhere(ground);
    expect(listed(open(ground))).not.toContain("too-far");
    await useCommands(ground, { names: ["too-far", "x".repeat(5000), `/${"y".repeat(5000)}`] });
  },
);

test("thousands of links, files and levels beside good skills cost little", () => {
  const ground = createGround();
  const count = long ? 20_000 : 4_000;
  for (let index = 0; index < count; index += 1)
    symlinkSync(index % 2 === 0 ? neighbour : "nowhere", join(ground.root, `l-${index}`));
  putSkill(ground.root, "crowded");
  mkdirSync(join(ground.root, "crowded/f"));
  for (let index = 0; index < count; index += 1)
    writeFileSync(join(ground.root, "crowded/f", `${index}.txt`), "");
  for (const profile of profileNames) {
    const cost = fastest(() => {
      const skills = open(ground, { profile });
      expect(
        listed(skills).filter((name) => name === neighbour),
        profile,
      ).toHaveLength(1);
      skills.load("crowded", { by: "user" });
      skills.explain(neighbour);
      skills.catalog();
    }, 1);
    expect(cost, profile).toBeLessThan(long ? 10_000 : 2_500);
  }
});

test("an interrupted pipe ends the command without noise", async () => {
  const ground = createGround();
  for (let index = 0; index < 300; index += 1)
    putSkill(ground.root, `s-${index}`, { description: "d".repeat(500) });
  const line = [process.execPath, "dist/bin/skillet.js", "list", "--json", "--trust", ...ground.flags]
    .map((word) => `'${word}'`)
    .join(" ");
  const ended = spawnSync("sh", ["-c", `${line} | head -c 10; true`], { cwd: process.cwd() });
  expect(utf8(ended.stderr)).toBe("");
});
