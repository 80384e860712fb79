import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Sandbox, sandbox, skill } from "../../../test/cli/run-skillet.ts";

let place: Sandbox;
beforeEach(() => {
  place = sandbox();
  place.write({
    ".agents/skills/wide/SKILL.md": "",
    ".agents/skills/fine/SKILL.md": skill("fine", "Reads well."),
  });
  const wide = Buffer.from(`\ufeff${skill("wide", "Saved as UTF-16.")}`, "utf16le");
  writeFileSync(join(place.project, ".agents/skills/wide/SKILL.md"), wide);
});
afterEach(() => place.remove());

it("a list shows no codes where an agent makes nonsense of a file, and says why", async () => {
  for (const line of [["list"], ["show", "wide"]]) {
    const { stdout } = await place.run([...line, "--as", "minimax"]);
    expect(stdout).toContain("(no readable text: the file is not UTF-8)");
    if (line[0] === "list") expect(stdout).not.toContain("{0}");
  }
  expect((await place.run(["list", "--as", "minimax"])).stdout).toContain("Reads well.");
  expect((await place.run(["list", "--trust"])).stdout).toContain("Saved as UTF-16.");
});
