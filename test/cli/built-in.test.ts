import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Sandbox, sandbox, skill } from "./run-skillet.ts";

// The built-in skills come from a folder here, one of them faulty, so that every finding about them would show.
let place: Sandbox;
const run = (...args: readonly string[]) => place.run(["--env", "SKILLET_DISABLE_BUILTIN_SKILLS=0", ...args]);
beforeEach(() => {
  place = sandbox();
  place.write({ "~/.agents/skills/mine/SKILL.md": skill("mine", "Mine.") });
});
afterEach(() => place.remove());

describe("built-in skills", () => {
  it("that another agent is offered are named with that agent, where they would serve", async () => {
    const { code, stdout } = await run("先写一个实现计划再动手");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /compose:plan (serves|may serve) this \(\d+ %\), but only the agent "compose" is offered/,
    );
    expect(stdout).toContain("\n  skillet '先写一个实现计划再动手' --agent compose");
    const json = JSON.parse((await run("先写一个实现计划再动手", "--json")).stdout) as object;
    expect(json).toMatchObject({ withAgent: { agent: "compose", name: "compose:plan" } });
    const chosen = await run("先写一个实现计划再动手", "--agent", "compose");
    expect(chosen.stdout).toMatch(/^compose:plan (serves|may serve) this\.\n/);
    expect(chosen.stdout).not.toContain("only the agent");
    const refused = await run("load", "compose:plan");
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining("skillet load compose:plan --agent compose"),
    ]);
  });

  it("that a rule of the user denies to that agent too are not promised", async () => {
    place.write({
      "~/.config/skillet/skillet.jsonc": JSON.stringify({
        permission: { skill: { "compose:plan": "deny" } },
        agent: { compose: { permission: { skill: { "compose:plan": "deny" } } } },
      }),
    });
    expect((await run("先写一个实现计划再动手")).stdout).not.toContain("compose:plan");
    expect((await run("load", "compose:plan")).stderr).not.toContain("--agent compose");
  });

  it("a request that none of them serves ends with what comes closest", async () => {
    const { code, stdout } = await run("please rename the variable fooBar to barFoo everywhere");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^(Nothing fits well|No skill here serves)/);
    for (const title of ["Skills that would serve it", "What a model is told", "What it is given on load"])
      expect(stdout).not.toContain(title);
    expect(stdout).not.toMatch(/\n {2}skillet load /);
    const json = (await run("please rename the variable fooBar to barFoo everywhere", "--json")).stdout;
    expect(JSON.parse(json)).toMatchObject({ fits: false });
  });

  it("are no business of doctor and check", async () => {
    const pack = join(place.folder, "pack");
    place.write({ "~/../pack/faulty/SKILL.md": "---\nname: faulty\ndescription: Use when: x\n---\nHi\n" });
    for (const command of ["doctor", "check"]) {
      const { stdout } = await run(command, "--pack", pack, "--json");
      expect(stdout).not.toContain("unquoted-colon");
    }
    const doctor = await run("doctor", "--pack", pack);
    expect([doctor.code, doctor.stdout]).toEqual([0, "Nothing to mend. 1 file, 0 errors, 0 warnings\n"]);
  });

  it("that are off by default take one line of list --all", async () => {
    const { stdout, stderr } = await run("list", "--all");
    expect(stdout).toMatch(/\n\d+ built-in skills off by default \(-v names them\)\n$/);
    expect(stdout).not.toContain("compose:");
    expect(stderr).not.toContain("hidden");
    expect((await run("list", "--all", "-v")).stdout).toContain("compose:");
  });
});
