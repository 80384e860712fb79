import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import {
  calm,
  countingSystem,
  type Ground,
  ground,
  skill,
  until,
  type Watching,
  watching,
} from "./ground.ts";

// Handles are few and bounded (case w-limits), and when there are none, looking takes their place (row I07, G16).

let made: Ground;
let open: Watching | null = null;
afterEach(() => {
  open?.skills.close();
  open = null;
  made.end();
});

function tree(folder: string, folders: number): void {
  for (let count = 0; count < folders; count += 1) {
    mkdirSync(made.path(`${folder}/d${count}/deeper`), { recursive: true });
    writeFileSync(made.path(`${folder}/d${count}/deeper/file.txt`), "x");
  }
}

describe("handles", () => {
  it.each(["skillet", "opencode", "opencode-v2", "mimo", "minimax"])(
    "%s: at most two a skill, none in dependencies",
    async (profile) => {
      made = ground({ profile });
      const system = countingSystem();
      const watched = await watching(made.options, { system });
      await calm(() => system.open.size, 100);
      const bare = system.open.size;
      watched.skills.close();

      const root = profile === "opencode-v2" ? ".opencode/skills" : ".claude/skills";
      const home = profile === "minimax" ? "~/.minimax/skills" : "~/.claude/skills";
      for (let count = 0; count < 20; count += 1)
        made.write(`${home}/s${count}/SKILL.md`, skill(`s${count}`, "Small."));
      made.write(`${root}/heavy/SKILL.md`, skill("heavy", "Heavy."));
      made.write("~/store/linked/SKILL.md", skill("linked", "Linked."));
      symlinkSync(made.path("~/store/linked"), made.path(`${home}/linked`));
      tree(`${root}/heavy/venv/lib`, 40);
      tree(`${root}/heavy/node_modules/x`, 40);
      tree(`${root}/heavy/assets`, 40);
      open = await watching(made.options, { system });
      expect(Object.keys(open.shown()).length).toBeGreaterThanOrEqual(1);
      // Both roots and the folders that lead to them, and the folder that the link leads to.
      expect(system.open.size).toBeLessThanOrEqual(bare + 2 * 22 + 6);
      expect(
        [...system.open].filter((path) => /node_modules|venv|\/\.git(\/|$)|assets\//.test(path)),
      ).toEqual([]);
    },
  );

  it("are let go when folders go", async () => {
    made = ground();
    const system = countingSystem();
    const watched = await watching(made.options, { system });
    open = watched;
    const before = system.open.size;
    for (let count = 0; count < 10; count += 1)
      made.write(`.agents/skills/s${count}/SKILL.md`, skill(`s${count}`, "One of many."));
    await until(() => Object.keys(watched.shown()).length === 10, "ten skills");
    expect(system.open.size).toBeGreaterThanOrEqual(before + 10);
    made.remove(".agents");
    await watched.shows({});
    await until(() => system.open.size === before, "as many handles as before");
  });

  it("beyond the bound folders are polled", async () => {
    made = ground();
    for (const name of ["a", "b", "c"]) made.write(`.agents/skills/${name}/SKILL.md`, skill(name, "One."));
    const system = countingSystem();
    const watched = await watching(made.options, { system, handles: 3, poll: 40 });
    open = watched;
    expect(system.most).toBe(3);
    for (const name of ["a", "b", "c"]) made.write(`.agents/skills/${name}/SKILL.md`, skill(name, "Two."));
    await watched.shows({ a: "Two.", b: "Two.", c: "Two." });
    expect(watched.skills.diagnostics.map(({ code }) => code)).not.toContain("watch/polling");
  });

  it("what lies deep in a skill is seen by polling where the profile finds skills there", async () => {
    made = ground({ profile: "opencode" });
    made.write(".claude/skills/a/SKILL.md", skill("a", "Outer."));
    tree(".claude/skills/a/parts", 3);
    const watched = await watching(made.options, { poll: 40 });
    open = watched;
    made.write(".claude/skills/a/parts/d1/SKILL.md", skill("inner", "Inner."));
    await until(() => watched.shown().inner === "Inner.", "the inner skill");
  });
});

describe("no handles left", () => {
  it.each(["EMFILE", "ENOSPC", "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM"])(
    "%s: polls, says so once, goes on",
    async (code) => {
      made = ground();
      made.write(".agents/skills/a/SKILL.md", skill("a", "One."));
      const system = countingSystem();
      system.refuse = code;
      const watched = await watching(made.options, { system, poll: 40 });
      open = watched;
      const notices = () =>
        watched.changes.flatMap((change) => change.diagnosticsAdded.map((found) => found.code));
      expect(notices()).toEqual(["watch/polling"]);
      expect(watched.skills.diagnostics.map((found) => found.code)).toContain("watch/polling");
      made.write(".agents/skills/a/SKILL.md", skill("a", "Two, by looking."));
      await watched.shows({ a: "Two, by looking." });
      made.write(".claude/skills/b/SKILL.md", skill("b", "A new root."));
      await watched.shows({ a: "Two, by looking.", b: "A new root." });
      made.remove(".agents");
      await watched.shows({ b: "A new root." });
      expect(notices().filter((found) => found === "watch/polling")).toHaveLength(1);
      expect(system.open.size).toBe(0);
    },
  );

  it("handles that run out half-way serve together with polling", async () => {
    made = ground();
    for (let count = 0; count < 12; count += 1)
      made.write(`.agents/skills/s${count}/SKILL.md`, skill(`s${count}`, "One."));
    const system = countingSystem(9);
    const watched = await watching(made.options, { system, poll: 40 });
    open = watched;
    expect(system.open.size).toBe(9);
    for (let count = 0; count < 12; count += 1)
      made.write(`.agents/skills/s${count}/SKILL.md`, skill(`s${count}`, "Two."));
    await until(() => Object.values(watched.shown()).every((text) => text === "Two."), "all are edited");
  });

  it("a handle that fails is replaced", async () => {
    made = ground();
    made.write(".agents/skills/a/SKILL.md", skill("a", "One."));
    const system = countingSystem();
    const watched = await watching(made.options, { system });
    open = watched;
    const folder = made.path(".agents/skills/a");
    expect(system.open.has(folder)).toBe(true);
    system.breakHandle(folder, "EPERM");
    expect(system.open.has(folder)).toBe(false);
    await until(() => system.open.has(folder), "a new handle");
    made.write(".agents/skills/a/SKILL.md", skill("a", "Two."));
    await watched.shows({ a: "Two." });
  });

  it("asked for, polling needs no handle and no notice", async () => {
    made = ground({ env: { SKILLET_WATCH: "poll" } });
    made.write(".agents/skills/a/SKILL.md", skill("a", "One."));
    const system = countingSystem();
    const watched = await watching(made.options, { system, poll: 40 });
    open = watched;
    made.write(".agents/skills/a/SKILL.md", skill("a", "Two."));
    await watched.shows({ a: "Two." });
    expect([system.most, watched.skills.diagnostics.filter(({ code }) => code.startsWith("watch/"))]).toEqual(
      [0, []],
    );
  });
});
