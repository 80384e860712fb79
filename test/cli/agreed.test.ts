import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { type Sandbox, sandbox, skill } from "./run-skillet.ts";

// What a user agreed to just now does not wait for the same user a second time.

let place: Sandbox;
beforeEach(() => {
  place = sandbox();
  return () => place.remove();
});

async function offered(): Promise<readonly string[]> {
  const { skills } = (await place.run(["list", "--json"])).json() as {
    skills: { name: string; modelInvocable: boolean }[];
  };
  return skills.filter(({ modelInvocable }) => modelInvocable).map(({ name }) => name);
}

test("an update and copies in a trusted project are offered, somebody else's change is not", async () => {
  place.write({
    ".git/HEAD": "",
    ".agents/skills/deploy/SKILL.md": skill("deploy", "Deploy the shop."),
    "../source/water/SKILL.md": skill("water", "Water the garden."),
  });
  const added = await place.run(["add", "../source", "--yes"]);
  expect([added.code, added.stderr]).toEqual([0, expect.stringContaining("skillet trust")]);
  expect(await offered()).toEqual([]);
  await place.run(["trust"]);
  expect(await offered()).toEqual(["deploy", "water"]);
  place.write({ "../source/water/SKILL.md": skill("water", "Water the garden twice.") });
  const updated = await place.run(["update", "--yes"]);
  expect([updated.code, updated.stderr]).toEqual([0, expect.not.stringContaining("skillet trust")]);
  expect(await offered()).toEqual(["deploy", "water"]);
  expect((await place.run(["sync", "--to", "claude", "--copy"])).code).toBe(0);
  expect(await offered()).toEqual(["deploy", "water"]);
  place.write({ ".agents/skills/deploy/SKILL.md": skill("deploy", "Deploy something else.") });
  place.write({ ".claude/skills/deploy/SKILL.md": skill("deploy", "Deploy something else.") });
  expect(await offered()).toEqual(["water"]);
});

test("what `ci` takes from a changed lock waits for the user", async () => {
  place.write({ ".git/HEAD": "", "../source/water/SKILL.md": skill("water", "Water the garden.") });
  await place.run(["add", "../source", "--yes"]);
  await place.run(["trust"]);
  const file = join(place.project, "skillet.lock");
  const before = readFileSync(file, "utf8");
  place.write({ "../source/water/SKILL.md": skill("water", "Water something else.") });
  await place.run(["update", "--yes"]);
  const after = readFileSync(file, "utf8");
  // Back to what the user trusts, then the lock of somebody else comes with the project.
  place.write({ "../source/water/SKILL.md": skill("water", "Water the garden.") });
  await place.run(["update", "--yes"]);
  expect(readFileSync(file, "utf8")).toBe(before);
  expect(await offered()).toEqual(["water"]);
  place.write({ "../source/water/SKILL.md": skill("water", "Water something else."), "skillet.lock": after });
  const taken = await place.run(["ci", "--yes"]);
  expect(taken.code).toBe(0);
  expect(await offered()).toEqual([]);
});
