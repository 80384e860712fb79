import { afterAll, describe, expect, it } from "vitest";
import { commandNamed, laterCommands } from "../../src/cli/registry.ts";
import { sandbox } from "./run-skillet.ts";

const place = sandbox();
afterAll(() => place.remove());

describe("wrong use ends with 2 and says what was meant", () => {
  it.each([
    [["lsit"], 'There is no command "lsit".', "skillet list"],
    [["catlog"], 'There is no command "catlog".', "skillet catalog"],
    [["doc"], 'There is no command "doc".', "skillet doctor"],
    [["view", "x"], 'There is no command "view".', "skillet show"],
    [["rm", "x"], 'There is no command "rm".', "Remove its folder"],
    [["delete", "x"], 'There is no command "delete".', "skillet disable"],
    [["install", "foo"], 'There is no command "install".', "skillet paths"],
    [["status"], 'There is no command "status".', "skillet doctor"],
    [["fix"], 'There is no command "fix".', "skillet check --fix"],
    [["edit", "x"], 'There is no command "edit".', "skillet show"],
    [["which", "x"], 'There is no command "which".', "skillet why"],
    [["diff"], 'There is no command "diff".', "skillet list"],
    [["agents"], 'There is no command "agents".', "skillet profiles"],
    [["list", "--al"], "There is no flag --al.", "--all"],
    [["list", "--as", "claude-code"], 'There is no profile "claude-code"', "not mirrored yet"],
    [["list", "--as", "codex"], "read by the default profile", "Leave --as out"],
    [["list", "--jsno"], "There is no flag --jsno.", "--json"],
    [["list", "--limit", "3"], "skillet list has no flag --limit.", "skillet help list"],
    [["--limit", "3", "a request"], "--limit belongs to a command.", "skillet help"],
    [["list", "-x"], "There is no flag -x.", "skillet help"],
    [["list", "a", "b"], 'skillet list takes no "b".', "Usage: skillet list [FILTER]"],
    [["show"], "skillet show needs more arguments.", "Usage: skillet show NAME"],
    [["why", ""], "An argument is empty.", ""],
    [[""], "An argument is empty.", ""],
    [["list", "--as"], "--as needs a value.", "--as PROFILE"],
    [["list", "--as", "--all"], "--as needs a value.", "--as PROFILE"],
    [["list", "--as="], "--as needs a value.", "--as PROFILE"],
    [["list", "--json=yes"], "--json takes no value.", ""],
    [["list", "--env", "x"], '--env needs NAME=VALUE, not "x".', ""],
    [["load", "x", "--by", "robot"], '--by knows no "robot".', "model, user"],
    [["search", "x", "--limit", "0"], "--limit needs a whole number from 1 on", ""],
    [["search", "x", "--limit", "-1"], '--limit needs a whole number from 1 on, not "-1"', ""],
    [["search", "x", "--limit", "-v"], "--limit needs a value", "--limit N"],
    [["search", "x", "--limit", "many"], "--limit needs a whole number from 1 on", ""],
    [["catalog", "--window", "1e9"], "--window needs a whole number from 1 on", ""],
    [["completion", "tcsh"], 'There is no completion for "tcsh".', "bash, zsh, fish"],
    [["new", "Bad Name"], '"Bad Name" is no portable name.', "bad-name"],
    [["list", "--as", "nobody"], 'There is no profile "nobody".', "Known profiles"],
    [["list", "--cwd", "/does/not/exist"], "There is no folder /does/not/exist", ""],
  ])("%j", async (args, message, hint) => {
    const { code, stdout, stderr } = await place.run(args);
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
    expect(stdout).toBe("");
    expect(code).toBe(2);
  });

  it("says of a command that a later version has that it is not in this one", async () => {
    for (const name of laterCommands.filter((word) => commandNamed(word) === undefined))
      for (const args of [[name], ["help", name]]) {
        const { code, stderr } = await place.run(args);
        expect([code, stderr]).toEqual([
          2,
          expect.stringContaining(`\`skillet ${name}\` is not in this version.`),
        ]);
      }
  });

  it("gives the same as data with --json", async () => {
    const { code, stderr, json } = await place.run(["--json", "lsit"]);
    expect(json()).toEqual({
      error: {
        code: "usage",
        message: 'There is no command "lsit".',
        hint: 'Did you mean skillet list? As a request: skillet -- "lsit"',
      },
    });
    expect(stderr).toBe("");
    expect(code).toBe(2);
  });

  it("never lets a typed escape sequence through", async () => {
    const { stderr } = await place.run(["list", "--as", "\u001b[31mred\u0007"]);
    expect(stderr).toContain("\\u{1b}[31mred\\u{7}");
  });
});

describe("flags", () => {
  it("may stand before or after the command", async () => {
    const before = await place.run(["--json", "list"]);
    const after = await place.run(["list", "--json"]);
    expect(before.stdout).toBe(after.stdout);
    expect(before.code).toBe(0);
  });

  it("end at --", async () => {
    const { code, stderr } = await place.run(["why", "--", "--json"]);
    expect(stderr).toBe("");
    expect(code).toBe(3);
  });
});

describe("other names of commands", () => {
  it.each([
    [
      ["ls", "-a"],
      ["list", "--all"],
    ],
    [
      ["explain", "x"],
      ["why", "x"],
    ],
    [["lint"], ["check"]],
    [["validate"], ["check"]],
    [
      ["info", "x"],
      ["show", "x"],
    ],
    [["version"], ["--version"]],
    [["list", "--version"], ["--version"]],
  ])("%j is %j", async (one, other) => {
    const [first, second] = [await place.run(one), await place.run(other)];
    expect({ ...first, json: null }).toEqual({ ...second, json: null });
    expect(`${first.stdout}${first.stderr}`).not.toContain("There is no command");
  });

  it("profiles names what --as takes", async () => {
    const { stdout, code } = await place.run(["profiles"]);
    expect(stdout).toMatch(/^opencode@\S+ +OpenCode/m);
    expect(code).toBe(0);
  });
});

describe("a request", () => {
  it.each([
    [["make a PDF"]],
    [["pdf"]],
    [["--", "list"]],
    [["turn", "this", "into", "a", "PDF"]],
    [["list the files of this folder"]],
    [["fix", "my", "broken", "build"]],
    [["fix my build"]],
  ])("%j", async (args) => {
    const { code, stdout } = await place.run(args);
    expect(stdout).toMatch(/No skill here serves/);
    expect(code).toBe(0);
  });
});

describe("help", () => {
  it("names every command and every flag", async () => {
    const { stdout, code } = await place.run(["help"]);
    for (const word of ["list [FILTER]", "why NAME", "check [PATH…]", "--as PROFILE", "--touched FILE"])
      expect(stdout).toContain(word);
    expect(stdout).not.toContain("__complete");
    expect(code).toBe(0);
  });

  it("is the same with --help and -h", async () => {
    const { stdout } = await place.run(["help", "why"]);
    expect((await place.run(["why", "--help"])).stdout).toBe(stdout);
    expect((await place.run(["-h", "why"])).stdout).toBe(stdout);
  });

  it("explains the code of a finding", async () => {
    const { code, stdout } = await place.run(["help", "frontmatter/unquoted-colon"]);
    expect(stdout).toMatch(/^frontmatter\/unquoted-colon {2}warning\n/);
    expect(stdout).toContain("skillet check --fix repairs it.");
    expect(code).toBe(0);
    const wrong = await place.run(["help", "frontmatter/unquoted-colo"]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("frontmatter/unquoted-colon")]);
  });

  it("lists the exit codes", async () => {
    const { stdout } = await place.run(["help", "exit-codes"]);
    expect(stdout.split("\n").map((line) => line.trim().split(" ")[0])).toEqual([
      "0",
      "1",
      "2",
      "3",
      "130",
      "",
    ]);
  });

  it("fits a narrow terminal", async () => {
    for (const columns of [20, 40, 60]) {
      const { stdout } = await place.run(["help", "--no-color"], { columns });
      expect(stdout.split("\n").filter((line) => line.length > columns)).toEqual([]);
    }
  });
});

describe("colours", () => {
  const colored = "\u001b[";
  it.each([
    [[], { columns: 80 }, true],
    [[], {}, false],
    [["--no-color"], { columns: 80 }, false],
    [["--color"], {}, true],
    [[], { columns: 80, env: { NO_COLOR: "1" } }, false],
    [["--color"], { env: { NO_COLOR: "1" } }, true],
    [[], { columns: 80, env: { TERM: "dumb" } }, false],
    [[], { env: { FORCE_COLOR: "1" } }, true],
  ])("%j %j", async (args, terminal, expected) => {
    const { stdout } = await place.run(["help", ...args], terminal);
    expect(stdout.includes(colored)).toBe(expected);
  });
});
