import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sandbox, skill } from "./run-skillet.ts";

const place = sandbox();
beforeAll(() => {
  place.write({
    "~/.agents/skills/pdf/SKILL.md": skill("pdf", "Fill in: PDF forms."),
    "~/.agents/skills/pptx/SKILL.md": skill("pptx", "Slides.\u001b[2J"),
    "~/.agents/skills/odd/SKILL.md": skill("p$(date)", "A name that a shell would run."),
  });
});
afterAll(() => place.remove());

/** `--home` and the like come before `--`, as words of the line being typed. */
async function candidates(...typed: readonly string[]): Promise<readonly string[]> {
  const line = ["--home", place.home, "--data", place.data, "--cwd", place.project];
  const { stdout, stderr, code } = await place.run(["__complete", "--", ...line, ...typed]);
  expect([stderr, code]).toEqual(["", 0]);
  return stdout.split("\n").filter((text) => text !== "");
}

const words = async (...typed: readonly string[]) =>
  (await candidates(...typed)).map((line) => line.split("\t")[0]);

describe("__complete", () => {
  it("knows the commands", async () => {
    expect(await words("")).toEqual(expect.arrayContaining(["list", "why", "doctor", "help"]));
    const some = await words("c");
    expect(some).toEqual(expect.arrayContaining(["catalog", "commands", "check", "config", "completion"]));
    expect(some.filter((word) => word?.startsWith("c") !== true)).toEqual([]);
    expect(await words("")).not.toContain("__complete");
  });

  it("knows a command's flags and their values", async () => {
    expect(await words("check", "--f")).toEqual(["--format", "--fix", "--features"]);
    expect(await words("list", "--f")).toEqual(["--features"]);
    expect(await words("check", "--format", "")).toEqual(["pretty", "json", "github", "sarif"]);
    expect(await words("--as", "opencode-v")).toContain("opencode-v2");
    expect(await words("list", "--cwd", "")).toEqual([]);
  });

  it("knows the skills, without anything a shell or terminal could stumble over", async () => {
    expect(await candidates("why", "p")).toEqual(["pdf\tFill in: PDF forms.", "pptx\tSlides.[2J"]);
    expect(await words("why", "pdf", "")).toEqual([]);
  });

  it("is silent about a line that is wrong so far", async () => {
    expect(await words("why", "--as", "nobody", "p")).toEqual([]);
    expect(await words("nonsense", "")).toEqual([]);
  });
});

describe("completion", () => {
  it.each(["bash", "zsh", "fish"])("%s is a script that asks __complete", async (shell) => {
    const { stdout, code } = await place.run(["completion", shell]);
    expect(stdout).toContain("skillet __complete -- ");
    expect(code).toBe(0);
  });
});
