import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { openSkills } from "../../src/host/open-skills.ts";
import { bytesOf } from "./cases/check-case.ts";
import { layOut } from "./cases/lay-out.ts";
import { skill } from "./siblings/sibling.ts";

// Case w-reload: every step of steps.json in its order, each seen by the next `reload` without a watcher.

const fixture = fileURLToPath(new URL("../fixtures/cases/w-reload/", import.meta.url));
const steps = JSON.parse(readFileSync(join(fixture, "steps.json"), "utf8")) as readonly {
  readonly do: string;
}[];

it("w-reload", () => {
  const laid = layOut({ from: fixture, setup: { cwd: "repo" } });
  const skills = openSkills(laid.options);
  const root = join(laid.folder, "repo/.agents/skills");
  const shown = (): Readonly<Record<string, string | null>> =>
    Object.fromEntries(skills.snapshot.skills.map(({ name, description }) => [name, description]));
  const done: string[] = [];
  const step = (name: string, act: () => void, expected: Readonly<Record<string, string>>): void => {
    act();
    done.push(name);
    expect(skills.reload(), name).toBe(true);
    expect(shown(), name).toEqual(expected);
    expect(
      skills
        .commands()
        .map((command) => command.name)
        .sort(),
      name,
    ).toEqual(Object.keys(expected).sort());
    const found = skills.search("", { limit: 50 }).results.map((hit) => hit.name);
    expect(found.sort(), name).toEqual(Object.keys(expected).sort());
  };
  const [first, third] = [join(root, "first/SKILL.md"), join(root, "third")];
  const second = "Behind a link.";
  expect(shown()).toEqual({ first: "Version one." });

  step("edit first", () => writeFileSync(first, skill("first", "Version two.")), { first: "Version two." });
  const byRename = (): void => {
    writeFileSync(`${first}.tmp`, skill("first", "Version six."));
    renameSync(`${first}.tmp`, first);
  };
  step("write first by temp file", byRename, { first: "Version six." });
  mkdirSync(third);
  expect(skills.reload()).toBe(false);
  const added = { first: "Version six.", third: "New." };
  step("add folder third", () => writeFileSync(join(third, "SKILL.md"), skill("third", "New.")), added);
  const link = (): void => symlinkSync("../../../store/second", join(root, "second"));
  step("link second", link, { ...added, second });
  const real = join(laid.folder, "store/second/SKILL.md");
  step("edit store/second", () => writeFileSync(real, skill("second", "Edited.")), {
    ...added,
    second: "Edited.",
  });
  step("break first", () => writeFileSync(first, "---\nname: first\n"), { third: "New.", second: "Edited." });
  expect(skills.load("first").output).not.toContain("Do it.");
  expect(skills.explain("first")).toMatchObject({ verdict: "skipped" });
  expect(skills.diagnostics.map(({ path }) => path)).toContain(first);
  step("remove third", () => rmSync(third, { recursive: true }), { second: "Edited." });
  expect(skills.load("third").output).toMatch(/removed/);
  const fourth = join(laid.folder, "repo/.claude/skills/fourth");
  const appear = (): void => {
    mkdirSync(fourth, { recursive: true });
    writeFileSync(join(fourth, "SKILL.md"), skill("fourth", "Late."));
  };
  step("create a root", appear, { fourth: "Late.", second: "Edited." });

  const before = bytesOf(skills);
  done.push("nothing changed");
  expect(skills.reload()).toBe(false);
  expect(bytesOf(skills)).toBe(before);
  expect(steps.map((one) => one.do).filter((name, at) => !name.startsWith(done[at] ?? "?"))).toEqual([]);
  laid.remove();
});
