import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createGround, type Ground, link, put, putSkill } from "./fixtures/ground.ts";
import { run } from "./fixtures/terminal.ts";

/** Something that a check repairs: an unquoted colon. */
const broken = "---\nname: NAME\ndescription: Use when: the bed is dry\n---\nbody\n";

const mended = /description: ["'>|]/;

function read(folder: string, path: string): string {
  return readFileSync(join(folder, path), "utf8");
}

/** A project whose links lead to skills outside of it that a check would repair. */
function linkedGround(): Ground {
  const ground = createGround();
  // Beside the canaries, so that the canaries keep their fingerprints and these can be compared by content.
  put(ground.top, "elsewhere/one/SKILL.md", broken.replace("NAME", "one"));
  put(ground.top, "elsewhere/two/SKILL.md", broken.replace("NAME", "two"));
  put(ground.top, "elsewhere/three.md", broken.replace("NAME", "three"));
  put(ground.root, "own/SKILL.md", broken.replace("NAME", "own"));
  link("../../../../elsewhere/one/SKILL.md", ground.root, "file-link/SKILL.md");
  link(`${ground.top}/elsewhere/two`, ground.root, "folder-link");
  mkdirSync(join(ground.root, "hard"), { recursive: true });
  linkSync(join(ground.top, "elsewhere/three.md"), join(ground.root, "hard/SKILL.md"));
  return ground;
}

test.each([
  [["check", "--fix"]],
  [["check", "--fix", "."]],
  [["check", "--fix", ".agents/skills"]],
  [["check", "--fix", ".agents/skills/file-link/SKILL.md", ".agents/skills/folder-link/SKILL.md"]],
  [["check", "--fix", ".agents/skills/own", ".agents/skills/hard"]],
  [["doctor", "--fix"]],
])("C01 C02 C18 %j mends the project's own files and nothing that its links lead to", async (line) => {
  for (const trust of [[], ["--trust"]]) {
    const ground = linkedGround();
    const { code, err } = await run([...line, ...trust, ...ground.flags], { cwd: ground.cwd });
    expect([0, 1], err).toContain(code);
    for (const path of ["one/SKILL.md", "two/SKILL.md", "three.md"])
      expect(read(ground.top, `elsewhere/${path}`), path).not.toMatch(mended);
    expect(lstatSync(join(ground.root, "file-link/SKILL.md")).isSymbolicLink()).toBe(true);
    if (!line.some((word) => word.includes("link")))
      expect(read(ground.root, "own/SKILL.md")).toMatch(mended);
    expect(ground.harm()).toEqual([]);
  }
});

test("C18 a file with two names is mended under the name in the project alone", async () => {
  const ground = linkedGround();
  await run(["check", "--fix", "--trust", ...ground.flags], { cwd: ground.cwd });
  expect(read(ground.root, "hard/SKILL.md")).toMatch(mended);
  expect(read(ground.top, "elsewhere/three.md")).not.toMatch(mended);
});

test("a file that the user names outside of the project is mended", async () => {
  const ground = createGround();
  put(ground.top, "elsewhere/one/SKILL.md", broken.replace("NAME", "one"));
  await run(["check", "--fix", join(ground.top, "elsewhere/one/SKILL.md"), ...ground.flags], {
    cwd: ground.cwd,
  });
  expect(read(ground.top, "elsewhere/one/SKILL.md")).toMatch(mended);
});

test("in the user's own folder a linked skill is mended where it lies", async () => {
  const ground = createGround();
  put(ground.top, "elsewhere/one/SKILL.md", broken.replace("NAME", "one"));
  link(`${ground.top}/elsewhere/one`, ground.userRoot, "one");
  await run(["doctor", "--fix", ...ground.flags], { cwd: ground.cwd });
  expect(read(ground.top, "elsewhere/one/SKILL.md")).toMatch(mended);
});

test.each([".skillet", ".skillet/skills", ".agents", ".agents/skills"])(
  "a new skill is never written through a link of the project that leads out of it: %s",
  async (path) => {
    const ground = createGround();
    if (path.startsWith(".agents")) rmSync(join(ground.cwd, ".agents"), { recursive: true });
    link(ground.outside, ground.cwd, path);
    const { code } = await run(["new", "fresh-skill", ...ground.flags], { cwd: ground.cwd });
    expect([0, 1, 2]).toContain(code);
    expect(ground.harm()).toEqual([]);
  },
);

test.each(["../../x", "/abs", "..", ".", "a/b", "a\\b", "CON", "-x", "x\n", "x".repeat(300), "__proto__"])(
  "a new skill takes no name that is a path or no name: %j",
  async (name) => {
    const ground = createGround();
    const { code, err } = await run(["new", ...ground.flags, "--", name], { cwd: ground.cwd });
    expect(code, err).toBe(2);
    expect(ground.harm()).toEqual([]);
  },
);

test("G11 decisions are not stored through a link in the data folder", async () => {
  const ground = createGround();
  link(ground.outside, ground.data, "state");
  for (const line of [["trust"], ["disable", "steady-neighbour"]]) {
    const { code, err } = await run([...line, ...ground.flags], { cwd: ground.cwd });
    expect(code).toBe(2);
    expect(err).toContain("is a link");
  }
  expect(ground.harm()).toEqual([]);
});

test("a command that reads writes nothing", async () => {
  const ground = createGround();
  putSkill(ground.root, "one");
  for (const line of [
    [],
    ["list"],
    ["catalog"],
    ["search", "x"],
    ["why", "one"],
    ["load", "one"],
    ["check"],
    ["doctor"],
    ["paths"],
    ["config", "list"],
  ])
    await run([...line, "--trust", ...ground.flags], { cwd: ground.cwd });
  const names = (folder: string) => readdirSync(folder, { recursive: true, encoding: "utf8" });
  expect(names(ground.home).filter((name) => !name.startsWith(".agents"))).toEqual([]);
  expect(names(ground.cwd).filter((name) => !name.startsWith(".agents") && !name.startsWith(".git"))).toEqual(
    [],
  );
});
