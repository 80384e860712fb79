import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSkills } from "./open-skills.ts";
import type { Skills } from "./skills.ts";

// Feature M9: an agent's write and edit tools say what they touched, nobody watches.

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "skillet-edited-")));
  mkdirSync(join(folder, "repo/.git"), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

function write(path: string, description: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `---\nname: ${dirname(path).split("/").at(-1)}\ndescription: ${description}\n---\nText.\n`,
  );
  return file;
}

const open = (profile: string): Skills =>
  openSkills({
    cwd: join(folder, "repo"),
    home: join(folder, "home"),
    data: join(folder, "data"),
    profile,
    trust: true,
  });

const shown = (skills: Skills): readonly string[] =>
  skills.snapshot.skills
    .filter(({ root }) => !root.bundled)
    .map(({ name, description }) => `${name}: ${description}`);

describe("edited", () => {
  const spellings: readonly (readonly [string, (path: string) => string])[] = [
    ["absolute", (path) => path],
    ["relative to the working folder", (path) => path.slice(join(folder, "repo/").length)],
    ["with dots", (path) => `./x/../${path.slice(join(folder, "repo/").length)}`],
    ["with backslashes", (path) => path.slice(join(folder, "repo/").length).replaceAll("/", "\\")],
    ["of a file beside it", (path) => join(dirname(path), "notes.txt")],
    ["of the folder above", (path) => dirname(dirname(path))],
  ];
  test.each(spellings)("a path %s", (_title, spelled) => {
    const file = write("repo/.agents/skills/one/SKILL.md", "Old.");
    const skills = open("skillet");
    expect(shown(skills)).toEqual(["one: Old."]);
    write("repo/.agents/skills/one/SKILL.md", "New.");
    expect(skills.edited(spelled(file))).toBe(true);
    expect(shown(skills)).toEqual(["one: New."]);
    skills.close();
  });

  test("a skill that is new, in a folder that was not there", () => {
    const skills = open("skillet");
    const file = write("repo/.claude/skills/fresh/SKILL.md", "Fresh.");
    expect(skills.edited([join(folder, "elsewhere.md"), file])).toBe(true);
    expect(shown(skills)).toEqual(["fresh: Fresh."]);
    skills.close();
  });

  test("a skill that is gone", () => {
    const file = write("repo/.agents/skills/one/SKILL.md", "Old.");
    const skills = open("skillet");
    rmSync(dirname(file), { recursive: true });
    expect(skills.edited(file)).toBe(true);
    expect(shown(skills)).toEqual([]);
    skills.close();
  });

  test("the file behind a link, by its real path", () => {
    const real = write("repo/store/two/SKILL.md", "Old.");
    mkdirSync(join(folder, "repo/.agents/skills"), { recursive: true });
    symlinkSync("../../store/two", join(folder, "repo/.agents/skills/two"));
    const skills = open("skillet");
    expect(shown(skills)).toEqual(["two: Old."]);
    write("repo/store/two/SKILL.md", "New.");
    expect(skills.edited(real)).toBe(true);
    expect(shown(skills)).toEqual(["two: New."]);
    skills.close();
  });

  test("an edit that file times do not show", () => {
    const file = write("repo/.agents/skills/one/SKILL.md", "Old.");
    utimesSync(file, 1_000, 1_000);
    const skills = open("skillet");
    write("repo/.agents/skills/one/SKILL.md", "New.");
    utimesSync(file, 1_000, 1_000);
    expect(skills.edited(file)).toBe(true);
    expect(shown(skills)).toEqual(["one: New."]);
    skills.close();
  });

  test.each(["src/main.ts", "README.md", ".agentsx/skills/one/SKILL.md"])("not for %s", (path) => {
    write("repo/.agents/skills/one/SKILL.md", "Old.");
    const skills = open("skillet");
    write("repo/.agents/skills/one/SKILL.md", "New.");
    expect(skills.edited(join(folder, "repo", path))).toBe(false);
    expect(shown(skills)).toEqual(["one: Old."]);
    skills.close();
  });

  test("MiMo Code looks again for its own folders alone, in both stages", () => {
    const own = write("repo/.mimocode/skills/one/SKILL.md", "Old.");
    const home = write("home/.claude/skills/two/SKILL.md", "Old.");
    const skills = open("mimo");
    const before = shown(skills);
    write("home/.claude/skills/two/SKILL.md", "New.");
    expect(skills.edited(home)).toBe(false);
    expect(skills.edited(own.replaceAll("/", "\\"))).toBe(false);
    expect(shown(skills)).toEqual(before);
    write("repo/.mimocode/skills/one/SKILL.md", "New.");
    expect(skills.edited(own)).toBe(true);
    expect(shown(skills).toSorted()).toEqual(["one: New.", "two: New."]);
    skills.close();
  });

  test("refuses what is no path", () => {
    const skills = open("skillet");
    expect(() => skills.edited([1] as unknown as string[])).toThrow(/a text/);
    skills.close();
  });
});
