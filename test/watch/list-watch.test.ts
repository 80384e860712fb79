import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";
import { type Ground, ground, skill, until } from "./ground.ts";

// `skillet list --watch`: the list, then a line a change, until it is stopped.

const root = fileURLToPath(new URL("../..", import.meta.url));
let made: Ground;
afterEach(() => made.end());

function globals(): readonly string[] {
  return ["--home", made.home, "--data", `${made.folder}/data`, "--cwd", made.project, "--trust"];
}

function start(args: readonly string[], columns: number | null = null) {
  const written = { stdout: "", stderr: "" };
  let stop: (reason: "interrupt" | "closed") => void = () => {};
  const sink = (name: "stdout" | "stderr") => ({
    write: (text: string) => {
      written[name] += text;
    },
    isTTY: columns !== null,
    columns,
  });
  const ended = main(["list", "--watch", ...args, ...globals()], {
    stdout: sink("stdout"),
    stderr: sink("stderr"),
    env: { LC_ALL: "C.UTF-8" },
    cwd: made.project,
    interactive: false,
    onStop: (listener) => {
      stop = listener;
      return () => {};
    },
  });
  return { written, ended, stop: (reason: "interrupt" | "closed") => stop(reason) };
}

describe("list --watch", () => {
  it("prints a line for each change, with its cause", async () => {
    made = ground();
    made.write("~/.agents/skills/a/SKILL.md", skill("a", "One."));
    const { written, ended, stop } = start(["--no-color"], 100);
    await until(() => written.stderr.includes("Watching for changes"), "it watches");
    const grows = async (text: string | RegExp): Promise<void> =>
      until(() => written.stdout.search(text) >= 0, `${text}`, 30_000).catch(() => {
        throw new Error(`No ${text} in: ${written.stdout}`);
      });
    made.write("~/.agents/skills/b/SKILL.md", skill("b", "Tab\u001b[31m here."));
    await grows(/^\+ {2}b {2}~\/\.agents\/skills\/b.* {2}Tab.*here\.$/m);
    expect(written.stdout).not.toContain("\u001b");
    made.write("~/.agents/skills/a/SKILL.md", skill("a", "Two."));
    await grows(/^~ {2}a {2}~\/\.agents\/skills\/a\/SKILL\.md {2}Two\.$/m);
    made.write(".agents/skills/a/SKILL.md", skill("a", "Of the project."));
    await grows(/^! {2}a {2}\.agents.* {2}The copy at \.agents/m);
    made.remove("~/.agents/skills/b");
    await grows(/^- {2}b {2}.* {2}It was removed\.$/m);
    stop("interrupt");
    expect(await ended).toBe(130);
    const { stdout } = written;
    made.write(".agents/skills/c/SKILL.md", skill("c", "Too late."));
    expect(written.stdout).toBe(stdout);
  });

  it("--json: one object a line, only of what the filter names", async () => {
    made = ground();
    made.write("~/.agents/skills/pdf/SKILL.md", skill("pdf", "One."));
    const { written, ended, stop } = start(["pdf", "--json"]);
    const lines = () =>
      written.stdout
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as { type: string; [key: string]: unknown });
    await until(() => written.stderr.includes("Watching"), "it watches");
    expect(lines()).toMatchObject([{ type: "list", version: 1, skills: [{ name: "pdf" }] }]);
    made.write("~/.agents/skills/other/SKILL.md", skill("other", "Not asked for."));
    made.write("~/.agents/skills/pdf/SKILL.md", skill("pdf", "Two."));
    await until(() => lines().length > 1, "a change");
    const changed = [{ name: "pdf", what: ["description"], after: { description: "Two." } }];
    expect(lines()[1]).toMatchObject({ type: "change", version: 1, profile: "skillet", added: [], changed });
    expect(written.stdout).not.toContain("Not asked for");
    stop("closed");
    expect(await ended).toBe(0);
  });

  it("as a process: ends with 130 at Ctrl-C, and silently when nobody reads", async () => {
    made = ground();
    made.write("~/.agents/skills/a/SKILL.md", skill("a", "One."));
    for (const how of ["interrupt", "closed"] as const) {
      const child = spawn(
        process.execPath,
        ["--import", "tsx", "src/bin/skillet.ts", "list", "--watch", ...globals()],
        { cwd: root, stdio: ["ignore", "pipe", "pipe"] },
      );
      const out = { text: "", errors: "", code: undefined as number | null | undefined };
      child.stdout.on("data", (chunk) => {
        out.text += chunk;
      });
      child.stderr.on("data", (chunk) => {
        out.errors += chunk;
      });
      child.on("exit", (code) => {
        out.code = code;
      });
      await until(() => out.errors.includes("Watching"), "it watches");
      expect(out.text).toContain("One.");
      if (how === "interrupt") child.kill("SIGINT");
      else {
        child.stdout.destroy();
        let count = 0;
        await until(() => {
          count += 1;
          if (count % 40 === 1) made.write("~/.agents/skills/a/SKILL.md", skill("a", `Number ${count}.`));
          return out.code !== undefined;
        }, "it notices that nobody reads");
      }
      await until(() => out.code !== undefined, "it ends");
      expect(out.code).toBe(how === "interrupt" ? 130 : 0);
      expect(out.errors).not.toMatch(/ {4}at |EPIPE/);
    }
  });
});
