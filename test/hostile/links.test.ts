import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fastest } from "../support/processor-time.ts";
import { escapes, followers } from "./fixtures/escaping-links.ts";
import { createGround, link, neighbour, put, putSkill, secret } from "./fixtures/ground.ts";
import { long } from "./fixtures/long.ts";
import { flip } from "./fixtures/special-files.ts";
import { agents, codesAt, everywhere, listed, open, useCommands, useLibrary } from "./fixtures/surface.ts";

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

test("C03 C04 loops of links end at once and each skill is listed once", async () => {
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
  for (const profile of agents) {
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
  for (let level = 0; level < 14; level += 1) {
    mkdirSync(join(ground.root, `level-${level}`));
    for (const name of ["a", "b"]) link(`../level-${level + 1}`, ground.root, `level-${level}/${name}`);
  }
  putSkill(ground.root, "level-14");
  for (const profile of agents) {
    const { skills, cost } = timed(() => open(ground, { profile }));
    expect(cost, profile).toBeLessThan(3_000);
    expect(listed(skills), profile).toContain("level-14");
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
    const flipping = flip(path, `${ground.top}/good-${kind}`, evil);
    const ended = new Promise((resolve) => flipping.on("close", resolve));
    try {
      for (let round = 0; round < (long ? 1_000 : 60); round++) {
        const text = useLibrary(open(ground), ["flip"]);
        expect(text.includes(secret), `round ${round}`).toBe(false);
        if (round % 5 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      expect(flipping.exitCode).toBe(null);
    } finally {
      flipping.kill("SIGKILL");
      await ended;
    }
  },
);

test("C23 a root that is a link, or two roots that are one folder, list each skill once", () => {
  const ground = createGround();
  link("../.agents/skills", ground.cwd, ".claude/skills");
  link(join(ground.outside), ground.cwd, ".codex/skills");
  for (const profile of agents) {
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

test("thousands of links, files and levels beside good skills cost little", () => {
  const ground = createGround();
  const count = long ? 20_000 : 1_500;
  for (let index = 0; index < count; index += 1)
    symlinkSync(index % 2 === 0 ? neighbour : "nowhere", join(ground.root, `l-${index}`));
  putSkill(ground.root, "crowded");
  mkdirSync(join(ground.root, "crowded/f"));
  for (let index = 0; index < count; index += 1)
    writeFileSync(join(ground.root, "crowded/f", `${index}.txt`), "");
  for (const profile of agents) {
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
