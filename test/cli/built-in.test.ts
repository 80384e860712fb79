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
