import { spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { buildCommand, child } from "./fixtures/child.ts";
import { utf8 } from "./fixtures/clean-text.ts";
import { createGround, flagsFor, neighbour, put, putSkill, skillText } from "./fixtures/ground.ts";
import { long } from "./fixtures/long.ts";
import { oddFolders } from "./fixtures/odd-names.ts";
import { agents, codesAt, everywhere, listed, open, useCommands, useLibrary } from "./fixtures/surface.ts";
import { run } from "./fixtures/terminal.ts";

beforeAll(buildCommand);

test("C11 a root that vanishes and comes back while it is searched crashes nothing", async () => {
  const ground = createGround();
  for (let index = 0; index < 60; index += 1) putSkill(ground.root, `s-${index}`);
  const away = `${ground.root}-away`;
  const churn = spawn(
    process.execPath,
    [
      "-e",
      `const fs = require("fs");
       for (;;) { try { fs.renameSync(${JSON.stringify(ground.root)}, ${JSON.stringify(away)}); } catch {}
         for (let i = 0; i < 2e5; i++); try { fs.renameSync(${JSON.stringify(away)}, ${JSON.stringify(ground.root)}); } catch {} }`,
    ],
    { stdio: "ignore" },
  );
  const ended = new Promise((resolve) => churn.on("close", resolve));
  const skills = open(ground);
  try {
    for (let round = 0; round < 8; round++) {
      for (const profile of agents) expect(() => useLibrary(open(ground, { profile }))).not.toThrow();
      expect(() => skills.reload()).not.toThrow();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(churn.exitCode).toBe(null);
  } finally {
    churn.kill("SIGKILL");
    await ended;
  }
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
  const many = long ? 20_000 : 500;
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
  for (const profile of long ? agents : ["skillet", "opencode", "minimax"]) {
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

test.skipIf(process.platform === "win32")("C16 a backslash is an ordinary character of a name", async () => {
  const ground = createGround();
  putSkill(ground.root, "slashes");
  put(ground.root, "slashes/a\\b.md", "behind a backslash");
  put(ground.cwd, "odd\\place/SKILL.md", skillText({ name: "odd" }));
  const skills = open(ground);
  const found = skills.find("slashes");
  expect(found.kind === "found" && skills.readFile(found.entry.skill, "a\\b.md")).toMatchObject({
    kind: "text",
    text: "behind a backslash",
  });
  const { code } = await run(["check", "odd\\place", ...ground.flags], { cwd: ground.cwd });
  expect(code).toBe(0);
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
  for (const profile of agents) {
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
