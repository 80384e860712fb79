import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type SkillPlace, skillPlace } from "../../test/support/skill-place.ts";
import { listResources } from "./list-resources.ts";

let place: SkillPlace;
beforeEach(() => {
  place = skillPlace();
  place.settings({ skills: { builtin: false } });
});
afterEach(() => place.remove());

/** All pages, and how many resources each had. */
function pages(between: () => void = () => {}): { readonly uris: string[]; readonly sizes: number[] } {
  const skills = place.open();
  const uris: string[] = [];
  const sizes: number[] = [];
  let cursor: string | undefined;
  do {
    const { resources, nextCursor } = listResources(skills, skills.entries, cursor);
    uris.push(...resources.map(({ uri }) => uri));
    sizes.push(resources.length);
    cursor = nextCursor;
    between();
    skills.reload();
  } while (cursor !== undefined);
  return { uris, sizes };
}

test("each resource comes once over all pages, SKILL.md first, files sorted", () => {
  for (let at = 0; at < 40; at += 1) {
    const name = `s${String(at).padStart(2, "0")}`;
    place.skill(name, "x");
    for (const file of ["z.md", "a/b.md", "A.md", "a.md", "-.md"])
      place.write(`shop/.claude/skills/${name}/${file}`, "x");
  }
  const { uris, sizes } = pages();
  expect(sizes).toEqual([100, 100, 40]);
  expect(new Set(uris).size).toBe(240);
  expect(uris.slice(0, 7)).toEqual([
    ...["SKILL.md", "-.md", "A.md", "a.md", "a/b.md", "z.md"].map((file) => `skill://s00/${file}`),
    "skill://s01/SKILL.md",
  ]);
});

test("a folder with many files does not fill the list, and a page ends in the midst of one", () => {
  for (const name of ["one", "two", "three"]) {
    place.skill(name, "x");
    for (let at = 0; at < 300; at += 1) place.write(`shop/.claude/skills/${name}/f${at}.md`, "x");
  }
  const { uris, sizes } = pages();
  expect(sizes).toEqual([100, 53]);
  expect(new Set(uris).size).toBe(153);
});

test("skills and files that come and go between two pages cost no other resource", () => {
  for (let at = 0; at < 120; at += 1) place.skill(`s${String(at).padStart(3, "0")}`, "x");
  let turn = 0;
  const { uris } = pages(() => {
    turn += 1;
    if (turn > 1) return;
    place.skill("a-new", "x");
    rmSync(join(place.cwd, ".claude/skills/s099"), { recursive: true });
    mkdirSync(join(place.cwd, ".claude/skills/s110/more"));
    place.write("shop/.claude/skills/s110/more/x.md", "x");
  });
  expect(new Set(uris).size).toBe(uris.length);
  expect(uris).toHaveLength(121);
  expect(uris).toContain("skill://s110/more/x.md");
});
