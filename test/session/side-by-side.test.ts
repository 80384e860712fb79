import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSkillsRegistry, openSession, openSkills, type Skills, skillTools } from "../../src/index.ts";
import { type SkillPlace, skillPlace } from "../support/skill-place.ts";

let place: SkillPlace;
beforeEach(() => {
  place = skillPlace();
  place.settings({ skills: { builtin: false } });
});
afterEach(() => place.remove());

const names = (skills: Skills) => skills.entries.map(({ skill }) => skill.name);

function git(cwd: string, ...args: readonly string[]): void {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "commit.gpgsign=false"];
  execFileSync("git", [...identity, ...args], { cwd, stdio: "ignore" });
}

function put(folder: string, name: string, body: string): void {
  const path = join(folder, ".claude/skills", name, "SKILL.md");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `---\nname: ${name}\ndescription: The skill ${name}.\n---\n\n${body}\n`);
}

/** One repository with two worktrees that hold different skills. */
function worktrees(): { readonly main: string; readonly other: string } {
  const [main, other] = [place.cwd, join(place.folder, "other")];
  git(main, "init", "-q");
  put(main, "both", "As it is in main.");
  git(main, "add", ".");
  git(main, "commit", "-q", "-m", "one");
  git(main, "worktree", "add", "-q", other, "-b", "feature");
  put(main, "only-main", "x");
  put(other, "both", "As it is in the feature.");
  put(other, "only-feature", "x");
  return { main, other };
}

const open = (cwd: string) => ({
  cwd,
  home: join(place.folder, "home"),
  data: join(place.folder, "data"),
  trust: true,
});

describe("two sessions in two worktrees", () => {
  test("run side by side with different sets, and one's changes never reach the other", async () => {
    place.write(
      "home/.config/skillet/skillet.jsonc",
      '{ "skills": { "builtin": false, "mainCheckout": false } }',
    );
    const { main, other } = worktrees();
    const registry = createSkillsRegistry();
    const [one, two] = [registry.open(open(main)), registry.open(open(other))];
    const sessions = [openSession(one), openSession(two)] as const;
    expect(names(one)).toEqual(["both", "only-main"]);
    expect(names(two)).toEqual(["both", "only-feature"]);
    const bodies = await Promise.all(sessions.map(async (session) => (await session.load("both")).output));
    expect(bodies[0]).toContain("As it is in main.");
    expect(bodies[1]).toContain("As it is in the feature.");
    expect((await sessions[0].load("only-feature")).status).toBe("unknown");
    const before = sessions.map((session) => session.guidance().system);

    const told: string[] = [];
    one.on("change", ({ added }) => told.push(...added.map(({ name }) => `one ${name}`)));
    two.on("change", ({ added }) => told.push(...added.map(({ name }) => `two ${name}`)));
    put(other, "later", "x");
    one.reload();
    two.reload();
    expect(told).toEqual(["two later"]);
    expect(sessions[0].guidance()).toMatchObject({ kind: "unchanged", system: before[0] });
    expect(sessions[1].guidance()).toMatchObject({ kind: "update", system: before[1] });
    one.close();
    expect(names(two)).toContain("later");
    expect((await sessions[1].load("later")).status).toBe("loaded");
    registry.close();
  });
});

describe("the registry", () => {
  test("shares a set among equal questions, and only among those", () => {
    place.skill("deploy", "x");
    place.write("else/.keep", "");
    const registry = createSkillsRegistry();
    const first = registry.open(open(place.cwd));
    const second = registry.open({ ...open(place.cwd) });
    expect(registry.size).toBe(1);
    place.skill("new", "x");
    expect(first.reload()).toBe(true);
    expect(names(second)).toEqual(["deploy", "new"]);
    registry.open({ ...open(place.cwd), agent: "plan" });
    registry.open({ ...open(place.cwd), profile: "opencode" });
    registry.open(open(join(place.folder, "else")));
    expect(registry.size).toBe(4);
    first.close();
    first.close();
    expect(names(second), "the other holder's is open").toEqual(["deploy", "new"]);
    expect(registry.size).toBe(4);
    second.close();
    expect(registry.size).toBe(3);
    registry.close();
    expect(registry.size).toBe(0);
  });
});

describe("closing", () => {
  test("leaves no handle: a process that watched, listened and ran a command ends by itself", () => {
    place.skill("deploy", "Now: !`echo hello`");
    const source = fileURLToPath(new URL("../../src/index.ts", import.meta.url));
    const script = `
      const { openSkills, openSession, createSkillsRegistry } = await import(${JSON.stringify(source)});
      const options = ${JSON.stringify(open(place.cwd))};
      const registry = createSkillsRegistry();
      const shared = registry.open(options);
      const skills = openSkills(options);
      skills.on("change", () => {});
      await skills.watch();
      await shared.watch();
      const session = openSession(skills, { commands: "allow" });
      const { output } = await session.load("deploy");
      await session.expand("/deploy again");
      session.close(); skills.close(); skills.close(); registry.close();
      console.log(output.includes("Now: hello"), process.getActiveResourcesInfo().filter((name) => /FSEvent|Timeout|Process/.test(name)).length);
    `;
    const run = spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      encoding: "utf8",
      timeout: 110_000,
    });
    expect([run.status, run.stdout, run.stderr]).toEqual([0, "true 0\n", ""]);
  });

  test("J09 twice is fine; every call afterwards is refused with a code, in the set and in each holder's of a shared one", async () => {
    place.skill("deploy", "x");
    const registry = createSkillsRegistry();
    const [first, second] = [registry.open(open(place.cwd)), registry.open(open(place.cwd))];
    const alone = openSkills(open(place.cwd));
    const calls = (skills: Skills) =>
      Object.entries(skills).filter(([name, value]) => typeof value === "function" && name !== "close");
    expect(calls(alone).length).toBeGreaterThan(15);
    for (const skills of [alone, first]) {
      const [entry] = skills.entries;
      skills.close();
      skills.close();
      for (const [name, call] of calls(skills)) {
        const refused = async () => (call as (...given: readonly unknown[]) => unknown)("deploy", null);
        await expect(refused(), name).rejects.toMatchObject({
          code: "usage",
          message: `This set of skills is closed, so ${name} has no answer.`,
        });
      }
      expect(skills.entries[0]?.skill.name, "what was read can be looked at").toBe(entry?.skill.name);
      await expect(openSession(skills).load("deploy")).rejects.toThrow("This set of skills is closed");
    }
    expect(second.load("deploy").status, "the other holder's is open").toBe("loaded");
    registry.close();
    expect(() => second.load("deploy")).toThrow("This set of skills is closed");
  });

  test("J09 a signal that was given stops each call that waits, with its own reason", async () => {
    place.skill("deploy", "x");
    const skills = place.open();
    const session = openSession(skills);
    const reason = new Error("enough");
    const signal = AbortSignal.abort(reason);
    const [load, search, file] = skillTools(session);
    for (const call of [
      () => skills.expand("/deploy", { signal }),
      () => session.load("deploy", { signal }),
      () => session.expand("/deploy", { signal }),
      () => session.start({ signal }),
      () => load?.execute({ name: "deploy" }, { signal }),
      () => search?.execute({ query: "deploy" }, { signal }),
      () => file?.execute({ name: "deploy" }, { signal }),
    ])
      await expect(call()).rejects.toBe(reason);
    expect(session.activations).toEqual([]);
  });
});

describe("what a caller does to results", () => {
  test("J10 changes nothing inside", async () => {
    place.skill("deploy", "Push.", ["description: Deploy.", "aliases: [ship]"]);
    const skills = openSkills(open(place.cwd));
    const asked = () =>
      JSON.stringify([
        skills.catalog(),
        skills.load("deploy"),
        skills.search("deploy"),
        skills.commands(),
        names(skills),
      ]);
    const before = asked();
    const [entry] = skills.entries;
    if (entry === undefined) throw new Error("no entry");
    const lists = () => [
      ...[skills.entries, skills.snapshot.skills, skills.shadowed, skills.skipped, skills.diagnostics],
      ...[skills.catalog().skills, skills.search("deploy").results, skills.commands()],
      ...[skills.configuration.permission, entry.skill.aliases, entry.decisions],
    ];
    for (let at = 0; at < lists().length; at += 1) {
      Reflect.set(lists()[at] ?? [], "length", 0);
      Reflect.set(lists()[at] ?? [], 0, null);
      expect(asked(), `list ${at}`).toBe(before);
    }
    for (const [target, name] of [
      [entry, "modelInvocable"],
      [entry.skill, "name"],
      [entry.skill, "digest"],
      [skills.configuration.catalog, "budget"],
    ] as const) {
      Reflect.set(target, name, "changed");
      expect(asked(), name).toBe(before);
    }
    Reflect.set(skills.load("deploy"), "output", "changed");
    expect(asked()).toBe(before);
    const throwing = (name: string) =>
      Object.defineProperty({}, name, {
        enumerable: true,
        get: () => {
          throw new Error("the caller's own");
        },
      });
    expect(() => skills.search("deploy", throwing("limit"))).toThrow("the caller's own");
    expect(() => skills.load("deploy", throwing("by"))).toThrow("the caller's own");
    await expect(skills.expand("/deploy", throwing("preload"))).rejects.toThrow("the caller's own");
    expect(asked()).toBe(before);
    skills.close();
  });
});
