import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { buildCommand, cannotBeRefused, child } from "./fixtures/child.ts";
import { createGround, flagsFor, link, neighbour, put, putSkill, skillText } from "./fixtures/ground.ts";
import { makeFifo } from "./fixtures/special-files.ts";
import { agents, codesAt, everywhere, listed, open, useCommands } from "./fixtures/surface.ts";

beforeAll(buildCommand);

const reading: readonly (readonly string[])[] = [
  ["list", "--all"],
  ["show", "with-pipe", "--file", "notes.md"],
  ["load", "with-pipe"],
  ["check"],
  ["doctor"],
  ["config", "list"],
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
  for (const profile of agents) {
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
const probe = join(tmpdir(), `skillet-probe-${process.pid}`);
const makesDevices = process.getuid?.() === 0 && spawnSync("mknod", [probe, "c", "1", "5"]).status === 0;
rmSync(probe, { force: true });

test("C07 devices are not read, also through links", async () => {
  const ground = createGround();
  if (process.platform !== "win32") link("/dev/zero", ground.root, "by-link/SKILL.md");
  if (makesDevices)
    for (const [name, minor] of devices) {
      mkdirSync(join(ground.root, `device-${name}`));
      spawnSync("mknod", [join(ground.root, `device-${name}`, "SKILL.md"), "c", "1", minor]);
    }
  everywhere(ground);
  for (const profile of ["skillet", "opencode", "minimax"]) {
    const ended = await child(["list", "--json", "--trust", ...flagsFor(ground, profile)], {
      cwd: ground.cwd,
      limit: 30_000,
    });
    expect(ended, profile).toMatchObject({ code: 0, hung: false });
    expect(ended.memory ?? 0, profile).toBeLessThan(300);
  }
  // Only root can make devices; a link to one is tried by everybody.
  for (const [name] of makesDevices ? devices : [])
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

test("C10 what a user may not read is reported and the rest is listed [not as root]", async ({ skip }) => {
  const reason = cannotBeRefused();
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
  for (const profile of ["skillet", "opencode", "minimax"]) {
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
