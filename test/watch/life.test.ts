import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openSkills } from "../../src/host/open-skills.ts";
import type { SkillsChange } from "../../src/host/watch/live-state.ts";
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

// Beginning and end of watching (row I08), listeners, and other processes.

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);
let made: Ground;
let open: Watching | null = null;
afterEach(() => {
  open?.skills.close();
  open = null;
  made.end();
});

describe("close", () => {
  it("while changes are pending, and twice: nothing is told, no handle is left", async () => {
    made = ground();
    made.write(".agents/skills/a/SKILL.md", skill("a", "One."));
    const system = countingSystem();
    const watched = await watching(made.options, { system });
    expect(system.open.size).toBeGreaterThan(0);
    made.write(".agents/skills/a/SKILL.md", skill("a", "Two."));
    watched.skills.close();
    watched.skills.close();
    expect(system.open.size).toBe(0);
    await calm(() => watched.changes.length);
    expect(watched.changes).toEqual([]);
    expect(watched.skills.snapshot.skills.map(({ name }) => name)).toContain("a");
  });

  it("during the start", async () => {
    made = ground();
    const system = countingSystem();
    const skills = openSkills(made.options);
    const started = skills.watch({ system });
    skills.close();
    await started;
    await expect(skills.watch({ system })).rejects.toMatchObject({ code: "usage" });
    expect(system.most).toBe(0);
  });

  it("by a listener", async () => {
    made = ground();
    const system = countingSystem();
    const watched = await watching(made.options, { system });
    const later = vi.fn();
    watched.skills.on("change", () => watched.skills.close());
    watched.skills.on("change", later);
    made.write(".agents/skills/a/SKILL.md", skill("a", "One."));
    await until(() => watched.changes.length > 0, "the change");
    expect(later).not.toHaveBeenCalled();
    expect(system.open.size).toBe(0);
  });

  it("lets the process end, and so does a watcher that nobody closes", async () => {
    made = ground();
    const code = `
      import { openSkills } from "./src/host/open-skills.ts";
      const skills = openSkills(${JSON.stringify(made.options)});
      await skills.watch({ persistent: process.argv[1] === "closed" });
      skills.on("change", () => {});
      if (process.argv[1] === "closed") skills.close();
      console.log("last line");
    `;
    for (const how of ["closed", "open"]) {
      const args = ["--import", "tsx", "--input-type=module", "-e", code, how];
      const { stdout } = await run(process.execPath, args, { cwd: root, timeout: 100_000 });
      expect(stdout).toContain("last line");
    }
  });
});

describe("listeners", () => {
  it("start the watcher, hear of a reload by hand, and can be taken back", async () => {
    made = ground();
    const skills = openSkills(made.options);
    const heard: SkillsChange[] = [];
    const listener = (change: SkillsChange): void => void heard.push(change);
    const [off, other] = [skills.on("change", listener), skills.on("change", listener)];
    made.write(".agents/skills/a/SKILL.md", skill("a", "One."));
    await until(() => heard.length === 2, "both are told");
    off();
    off();
    made.write(".agents/skills/b/SKILL.md", skill("b", "Two."));
    expect(skills.reload()).toBe(true);
    expect(heard).toHaveLength(3);
    expect(heard[2]?.added.map(({ name }) => name)).toEqual(["b"]);
    await calm(() => heard.length);
    other();
    made.write(".agents/skills/c/SKILL.md", skill("c", "Three."));
    await until(() => skills.find("c").kind === "found", "seen without a listener");
    expect(heard).toHaveLength(3);
    skills.close();
  });

  it("that throw cost the others nothing", async () => {
    made = ground();
    const warned: Error[] = [];
    const warning = (error: Error): void => void warned.push(error);
    process.on("warning", warning);
    const skills = openSkills(made.options);
    const heard = vi.fn();
    skills.on("change", () => {
      throw new Error("broken listener");
    });
    skills.on("change", heard);
    made.write(".agents/skills/a/SKILL.md", skill("a", "One."));
    await until(() => heard.mock.calls.length === 1, "the other one is told");
    await until(() => warned.some(({ message }) => message === "broken listener"), "a warning");
    process.off("warning", warning);
    skills.close();
  });
});

describe("other processes", () => {
  it("see each other's decisions", async () => {
    made = ground();
    made.write("~/.agents/skills/a/SKILL.md", skill("a", "One."));
    const watched = await watching(made.options);
    open = watched;
    const { home, data } = made.options;
    const skillet = (...args: readonly string[]) =>
      run(
        process.execPath,
        [
          "--import",
          "tsx",
          "src/bin/skillet.ts",
          ...args,
          "--home",
          home ?? "",
          "--data",
          data ?? "",
          "--cwd",
          made.project,
        ],
        { cwd: root },
      );
    await skillet("disable", "a");
    await watched.shows({});
    expect(watched.changes.at(-1)?.changed).toMatchObject([
      { name: "a", what: ["visibility"], message: expect.stringContaining("skillet disable") },
    ]);
    await skillet("enable", "a");
    await watched.shows({ a: "One." });
    expect(watched.changes.at(-1)?.cause).toContain(`${data}/state/state.json`);
  });
});
