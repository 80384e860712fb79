import { expect, test } from "vitest";
import type { SeenSkill, SkillsDifference } from "../../core/discovery/difference.ts";
import { describeChange } from "./describe-change.ts";

const seen = (forModel: boolean): SeenSkill => ({
  name: "greet",
  location: "/p/greet/SKILL.md",
  description: "x",
  digest: "x",
  forModel,
  forUser: true,
  listed: true,
});

const nothing: SkillsDifference = {
  added: [],
  removed: [],
  changed: [],
  winnerChanged: [],
  shadowed: [],
  diagnosticsAdded: [],
  diagnosticsRemoved: [],
};

test("a change says what changed, or that it waits for trust, or why it is seen no more", () => {
  const changed = (what: SkillsDifference["changed"][number]["what"], message: string, forModel: boolean) =>
    describeChange({
      ...nothing,
      changed: [{ name: "greet", what, before: seen(true), after: seen(forModel), message }],
    });
  expect(changed(["text"], "", true)).toEqual(["Skill changed on disk: greet (text)"]);
  expect(changed(["text", "visibility"], "It waits until you trust it.", false)).toEqual([
    "Skill changed on disk, so it waits for your trust again (/trust): greet",
  ]);
  expect(changed(["visibility"], "A rule denies it.", false)).toEqual([
    "Skill changed on disk: greet. A rule denies it.",
  ]);
});
