import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSkills } from "../../src/host/open-skills.ts";
import {
  fixtureFiles,
  fixturePack,
  type Ground,
  ground,
  provide,
  seedPolicy,
  skillText,
  storeOf,
  treeOf,
  wantedTree,
} from "./ground.ts";

let place: Ground;
beforeEach(() => {
  place = ground();
});
afterEach(() => place.remove());

const version = (): string => join(place.data, "builtin_skills/0.1.14");
const skills = (): string => join(version(), "skills");
const marker = (): string => readFileSync(join(version(), ".extracted"), "utf8");
const policy = seedPolicy();

describe("profile mimo with --pack", () => {
  const open = (env: Readonly<Record<string, string>> = {}, version?: string) => {
    const pack = join(place.folder, "given");
    place.write(fixtureFiles, join(pack, "general"));
    place.write({ "plan/SKILL.md": skillText("compose:plan") }, join(pack, "compose"));
    if (version !== undefined)
      place.write({ "old/SKILL.md": skillText("old") }, join(place.data, `builtin_skills/${version}/skills`));
    return openSkills({
      profile: "mimo",
      cwd: place.home,
      home: place.home,
      data: place.data,
      pack,
      env: { PATH: "/nowhere", ...env },
    });
  };
  const locations = (skills: ReturnType<typeof open>): readonly string[] =>
    skills.snapshot.skills.map(({ location }) => location.slice(place.data.length + 1));

  it("extracts to its data folder and sees exactly that, without what needs a missing program", () => {
    const skills = open({}, "0.2.0");
    expect(locations(skills)).toEqual([
      "builtin_skills/0.1.14/skills/alpha/SKILL.md",
      "builtin_skills/0.1.14/skills/beta/SKILL.md",
      "builtin_skills/0.1.14/skills/pdf-official/SKILL.md",
      "compose/0.1.14/skills/plan/SKILL.md",
    ]);
    expect(skills.snapshot.skills.every(({ root }) => root.bundled && root.scope === "builtin")).toBe(true);
    expect(skills.explain("claude-code").steps).toContainEqual(
      expect.objectContaining({ stage: "gate", reason: "missing-program" }),
    );
  });

  it("obeys MiMo's switches (feature M8)", () => {
    expect(locations(open({ MIMOCODE_DISABLE_OFFICIAL_SKILLS: "1" })).join()).not.toContain("pdf-official");
    expect(existsSync(join(skills(), "pdf-official"))).toBe(false);
    expect(
      locations(open({ MIMOCODE_DISABLE_BUILTIN_SKILLS: "TRUE", MIMOCODE_DISABLE_COMPOSE_SKILLS: "1" })),
    ).toEqual([]);
    expect(locations(open({ SKILLET_DISABLE_BUILTIN_SKILLS: "1" }))).toHaveLength(4);
  });

  it("a user's skill wins over it, and it is not written without --pack", () => {
    place.write({ ".mimocode/skills/beta/SKILL.md": skillText("beta", "Mine.") }, place.home);
    expect(open().shadowed.map(({ skill, reason }) => [skill.name, reason])).toEqual([
      ["beta", expect.any(String)],
    ]);
    rmSync(place.data, { recursive: true });
    openSkills({ profile: "mimo", cwd: place.home, home: place.home, data: place.data });
    expect(existsSync(place.data)).toBe(false);
  });
});

describe("rule seed (features M2 to M4)", () => {
  it("extracts what is enabled and writes version and sorted names as the marker", () => {
    const pack = fixturePack(place);
    provide(place, { policy, store: storeOf(pack) });
    expect(treeOf(skills())).toEqual(wantedTree(pack));
    expect(marker()).toBe('{"version":"0.1.14","skills":["alpha","beta","claude-code","pdf-official"]}');
  });

  it("trusts an equal marker: edited and deleted files stay as they are", () => {
    const store = storeOf(fixturePack(place));
    provide(place, { policy, store });
    writeFileSync(join(skills(), "beta/SKILL.md"), "mine");
    rmSync(join(skills(), "alpha/assets"), { recursive: true });
    provide(place, { policy, store });
    expect(readFileSync(join(skills(), "beta/SKILL.md"), "utf8")).toBe("mine");
    expect(existsSync(join(skills(), "alpha/assets"))).toBe(false);
  });

  it.each([
    ["a switch", { env: { MIMOCODE_DISABLE_OFFICIAL_SKILLS: "1" } }, "pdf-official"],
    ["a missing program", { programs: [] }, "claude-code"],
  ])("%s changes the marker, removes the skill's folder and overwrites the rest", (_, change, gone) => {
    const pack = fixturePack(place);
    const store = storeOf(pack);
    provide(place, { policy, store });
    writeFileSync(join(skills(), "beta/SKILL.md"), "mine");
    place.write({ "beta/extra.txt": "stays" }, skills());
    const left = pack.pack.skills.map(({ name }) => name).filter((name) => name !== gone);
    const provided = provide(place, { policy, store, ...change });
    expect(treeOf(skills())).toEqual({ ...wantedTree(pack, left), "beta/extra.txt": "stays" });
    expect(marker()).toBe(JSON.stringify({ version: "0.1.14", skills: left }));
    expect(provided.decisions).toMatchObject([{ outcome: "off", path: join(skills(), gone) }]);
    provide(place, { policy, store });
    expect(treeOf(skills())).toEqual({ ...wantedTree(pack), "beta/extra.txt": "stays" });
  });

  it("of the workflow pack compares only whether there is a marker", () => {
    const store = (text: string) => storeOf(fixturePack(place, { "beta/SKILL.md": text }, "compose"));
    provide(place, { policy, store: store("one") });
    const compose = join(place.data, "compose/0.1.14");
    expect(readFileSync(join(compose, ".extracted"), "utf8")).toBe("0.1.14");
    provide(place, { policy, store: store("two") });
    expect(readFileSync(join(compose, "skills/beta/SKILL.md"), "utf8")).toBe("one");
    rmSync(join(compose, ".extracted"));
    provide(place, { policy, store: store("two") });
    expect(readFileSync(join(compose, "skills/beta/SKILL.md"), "utf8")).toBe("two");
  });

  it("of a development build writes at every start", () => {
    const local = seedPolicy("local");
    const store = storeOf(fixturePack(place));
    provide(place, { policy: local, store });
    const path = join(place.data, "builtin_skills/local/skills/beta/SKILL.md");
    writeFileSync(path, "mine");
    provide(place, { policy: local, store });
    expect(readFileSync(path, "utf8")).toContain("name: beta");
  });

  it("switched off extracts and removes nothing", () => {
    const store = storeOf(fixturePack(place));
    const env = { MIMOCODE_DISABLE_BUILTIN_SKILLS: "true" };
    expect(provide(place, { policy, store, env }).roots).toEqual([]);
    expect(existsSync(place.data)).toBe(false);
    provide(place, { policy, store });
    const before = treeOf(version());
    provide(place, { policy, store, env });
    expect(treeOf(version())).toEqual(before);
  });

  it("leaves other versions alone", () => {
    place.write({ "data/builtin_skills/0.1.13/skills/old/SKILL.md": "old" });
    provide(place, { policy, store: storeOf(fixturePack(place)) });
    expect(existsSync(join(place.data, "builtin_skills/0.1.13/skills/old/SKILL.md"))).toBe(true);
  });

  it("goes on without the pack where it cannot be written, and follows no link", () => {
    place.write({ "outside/beta/SKILL.md": "canary", "data/builtin_skills/0.1.14/x": "" });
    symlinkSync(join(place.folder, "outside"), skills());
    const provided = provide(place, { policy, store: storeOf(fixturePack(place)) });
    expect([provided.roots, provided.embedded]).toEqual([[], []]);
    expect(provided.diagnostics).toMatchObject([{ code: "pack/not-extracted" }]);
    expect(treeOf(join(place.folder, "outside"))).toEqual({ "beta/SKILL.md": "canary" });
    expect(lstatSync(skills()).isSymbolicLink()).toBe(true);
  });
});
