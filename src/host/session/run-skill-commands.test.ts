import { expect, test } from "vitest";
import type { VisibleSkill } from "../../core/profile.ts";
import type { Skills } from "../skills.ts";
import { mayRunCommands, runSkillCommands } from "./run-skill-commands.ts";

const entry = (scope: string, trusted = true) =>
  ({ trusted, skill: { root: { scope } } }) as unknown as VisibleSkill;

test("what is untrusted, pulled or another server's never runs, whatever was allowed", async () => {
  expect(["workspace", "user", "managed", "builtin"].every((scope) => mayRunCommands(entry(scope)))).toBe(
    true,
  );
  for (const one of [entry("mcp"), entry("remote"), entry("workspace", false)]) {
    const ran = await runSkillCommands({} as Skills, {
      entry: one,
      commands: ["exit 1"],
      request: {},
      policy: "allow",
      options: {},
    });
    expect(ran).toBeNull();
  }
});
