import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSkills } from "../../src/host/open-skills.ts";
import type { OpenOptions, Skills } from "../../src/host/skills.ts";
import { runSkillet, sandbox, skill } from "../cli/run-skillet.ts";
import { skillText } from "./ground.ts";

// The skills that really come with Skillet, as profile `skillet` offers them.
const skills = fileURLToPath(new URL("../../skills", import.meta.url));
const place = sandbox();
const on = { SKILLET_DISABLE_BUILTIN_SKILLS: "" };
const open = (options: OpenOptions = {}): Skills =>
  openSkills({
    cwd: place.project,
    home: place.home,
    data: place.data,
    ...options,
    env: { ...on, ...options.env },
  });
const run = (...args: readonly string[]) => place.run(["--env", "SKILLET_DISABLE_BUILTIN_SKILLS=", ...args]);
const names = (opened: Skills): readonly string[] =>
  opened.entries.filter(({ hidden }) => hidden === null).map((entry) => entry.skill.name);

beforeAll(() => place.write({ "README.md": "A project without skills.\n" }));
afterAll(() => place.remove());

const folders = (pack: string): readonly string[] => readdirSync(join(skills, pack)).sort();
const general = folders("general");
const compose = folders("compose").map((name) => `compose:${name}`);

describe("what comes with Skillet", () => {
  it("is offered to every agent, the workflow only to the one that works by it (feature M11)", () => {
    expect(names(open())).toEqual(general);
    expect(names(open({ agent: "build" }))).toEqual(general);
    expect(names(open({ agent: "compose" })).toSorted()).toEqual([...compose, ...general].toSorted());
    expect(compose).toHaveLength(14);
    const entry = open().entries.find((one) => one.skill.name === "compose:plan");
    expect([entry?.permission, entry?.hidden?.reason]).toEqual(["deny", "denied"]);
  });

  it("has no remark of its own", () => {
    expect(open({ agent: "compose" }).diagnostics).toEqual([]);
  });

  it("is the weakest: a user's copy wins, and why says so (feature M6)", () => {
    const own = sandbox();
    own.write({ "~/.skillet/skills/skill-creator/SKILL.md": skill("skill-creator", "Mine.") });
    const opened = openSkills({ cwd: own.project, home: own.home, data: own.data, env: on });
    expect(opened.find("skill-creator")).toMatchObject({ entry: { skill: { description: "Mine." } } });
    expect(opened.shadowed.map(({ reason }) => reason)).toEqual(["lower-scope"]);
    own.remove();
  });

  it.each([
    [{ env: { SKILLET_DISABLE_COMPOSE_SKILLS: "1" } }, general],
    [{ env: { SKILLET_DISABLE_BUILTIN_SKILLS: "true" } }, []],
  ])("obeys its switches: %j", (options, left) => {
    const opened = open({ agent: "compose", ...options });
    expect(names(opened)).toEqual(left);
    const reasons = opened.explain("compose:plan").steps.map(({ reason, message }) => [reason, message]);
    expect(reasons).toContainEqual([
      "switched-off",
      expect.stringContaining(Object.keys(options.env)[0] ?? ""),
    ]);
  });

  it("obeys the setting `skills.builtin`", async () => {
    place.write({ "skillet.jsonc": '{ "skills": { "builtin": false } }' });
    const opened = open();
    place.write({ "skillet.jsonc": "{}" });
    expect([names(opened), opened.diagnostics]).toEqual([[], []]);
    expect(opened.explain("skillet-docs").steps).toContainEqual(
      expect.objectContaining({
        reason: "switched-off",
        message: expect.stringContaining("`skills.builtin`"),
      }),
    );
  });

  it("the workflow is opened by a user's rule and not by a project's", () => {
    const own = sandbox();
    const at = { cwd: own.project, home: own.home, data: own.data, env: on };
    own.write({ "skillet.jsonc": '{ "permission": { "skill": { "compose:*": "allow" } } }' });
    expect(names(openSkills(at))).not.toContain("compose:plan");
    own.write({
      "~/.config/skillet/skillet.jsonc": '{ "permission": { "skill": { "compose:*": "allow" } } }',
    });
    expect(names(openSkills(at))).toContain("compose:plan");
    own.write({
      "~/.config/skillet/skillet.jsonc": '{ "permission": { "skill": { "compose:*": "deny" } } }',
    });
    expect(names(openSkills({ ...at, agent: "compose" }))).not.toContain("compose:plan");
    own.remove();
  });
});

describe("every skill", () => {
  const all = ["general", "compose"].flatMap((pack) =>
    folders(pack).map(
      (name) => [pack, name, readFileSync(join(skills, pack, name, "SKILL.md"), "utf8")] as const,
    ),
  );

  it("passes the strict check; the colon of workflow names is the one exception", async () => {
    const { stdout } = await runSkillet(["check", skills, "--strict", "--json"], place.project);
    const { findings } = JSON.parse(stdout) as {
      findings: { code: string; path: string; severity: string }[];
    };
    const allowed = new Set(["standard/name-characters", "standard/name-folder"]);
    const mild = new Set(["name/differs-from-folder", "name/not-portable"]);
    // Its name says whose session it continues.
    const named = findings.filter(({ code }) => code === "standard/name-reserved");
    expect(named.map(({ path }) => path.split("/").at(-2))).toEqual(["resume-claude"]);
    const others = findings.filter((finding) => !named.includes(finding));
    expect(others.filter(({ path }) => path.includes("/general/"))).toEqual([]);
    expect(others.filter(({ code }) => !allowed.has(code) && !mild.has(code))).toEqual([]);
  });

  it.each(all)("%s/%s has a description that says when, and a text of its kind", (pack, name, text) => {
    const lines = text.trimEnd().split("\n");
    expect(lines.length).toBeGreaterThanOrEqual(25);
    expect(lines.length).toBeLessThanOrEqual(pack === "compose" ? 60 : 100);
    expect(lines.every((line) => line.length <= 160 || line.startsWith("description:"))).toBe(true);
    expect(text).toContain(`name: ${pack === "compose" ? "compose:" : ""}${name}\n`);
    expect(text).toMatch(/^description: .{80,400}$/m);
    expect(text).toMatch(/^description: .* Use (?:when|on|for|before|at|after|to)\b/m);
    if (pack === "compose")
      for (const part of ["Begin when", "Done when", "Hand on"]) expect(text).toContain(`## ${part}`);
  });

  it.each(all)("%s/%s names only skills and commands that exist", async (_, __, text) => {
    for (const [, name] of text.matchAll(/`(compose:[a-z]+)`/g)) expect(compose).toContain(name);
    const commands = new Set([...text.matchAll(/`skillet ([a-z]+)/g)].map(([, name]) => name ?? ""));
    for (const name of commands)
      expect([name, (await runSkillet(["help", name], place.project)).code]).toEqual([name, 0]);
  });

  it("has a name and a description in simplified and traditional Chinese (feature M16)", () => {
    for (const language of ["zh-CN", "zh-TW"])
      for (const entry of open({ agent: "compose" }).entries) {
        const { displayNames, descriptions, aliases } = entry.skill;
        expect([displayNames[language], descriptions[language]]).toEqual([
          expect.stringMatching(/\p{Script=Han}/u),
          expect.stringMatching(/\p{Script=Han}/u),
        ]);
        expect(aliases.some((alias) => /\p{Script=Han}/u.test(alias))).toBe(true);
      }
  });

  it("has aliases of its own in each language", () => {
    for (const language of ["zh-CN", "zh-TW"]) {
      const texts = JSON.parse(readFileSync(join(skills, `locales/${language}.json`), "utf8")) as Record<
        string,
        Record<string, { aliases: string[] }>
      >;
      const aliases = Object.values(texts).flatMap((pack) =>
        Object.values(pack).flatMap((one) => one.aliases),
      );
      expect(new Set(aliases).size).toBe(aliases.length);
      expect(Object.entries(texts).map(([pack, one]) => [pack, Object.keys(one).sort()])).toEqual([
        ["general", folders("general")],
        ["compose", folders("compose")],
      ]);
    }
  });
});

describe("in Chinese", () => {
  it("search finds them, and a load by an alias works", () => {
    expect(open().search("如何编写新技能").results[0]?.name).toBe("skill-creator");
    expect(open({ agent: "compose" }).search("制定计划").results[0]?.name).toBe("compose:plan");
    expect(open().load("技能创建")).toMatchObject({ status: "loaded", name: "skill-creator" });
  });

  it("--lang shows them", async () => {
    expect((await run("list", "--lang", "zh-CN")).stdout).toContain("编写新技能");
    expect((await run("list", "--lang", "zh-HK")).stdout).toContain("撰寫新技能");
    expect((await run("show", "skill-creator", "--lang", "zh-TW")).stdout).toContain("撰寫新技能");
    expect((await run("list")).stdout).toContain("Write a new skill");
  });
});

describe("--pack", () => {
  it("takes the place of the built-in skills, read where it lies", () => {
    place.write({ "pack/mine/SKILL.md": skillText("mine"), "two/general/a/SKILL.md": skillText("a") });
    const opened = open({ pack: join(place.project, "pack") });
    expect(opened.entries.map((entry) => [entry.skill.location, entry.skill.root.bundled])).toEqual([
      [join(place.project, "pack/mine/SKILL.md"), true],
    ]);
    expect(names(open({ pack: join(place.project, "two") }))).toEqual(["a"]);
    expect(readdirSync(place.folder)).not.toContain("data");
  });

  it("of a folder that is not there is wrong usage", async () => {
    const { code, stderr } = await run("list", "--pack", "nowhere");
    expect(code).toBe(2);
    expect(stderr).toContain("--pack");
  });
});
