import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Command } from "../../src/cli/command.ts";
import { type Flag, flags } from "../../src/cli/flags.ts";
import { commands } from "../../src/cli/registry.ts";
import { createGround, type Ground, putSkill } from "./fixtures/ground.ts";
import { type Run, run } from "./fixtures/terminal.ts";

/** Every command with its own flags; `__complete` takes lines that are not finished. */
const all = await Promise.all(
  commands.filter(({ name }) => name !== "__complete").map(async ({ load }): Promise<Command> => load()),
);

const own = (command: Command): readonly Flag[] =>
  flags.filter(({ name, global }) => global === true || command.flags?.includes(name) === true);

/** Command lines that nothing can be done with, and why. */
function* wrongLines(command: Command): Iterable<readonly [why: string, args: readonly string[]]> {
  const { name, least = 0 } = command;
  const most = command.most === undefined ? (command.operands === undefined ? 0 : 1) : command.most;
  const enough = Array.from({ length: least }, () => "x");
  yield ["a flag that does not exist", [name, ...enough, "--no-such-flag"]];
  yield ["a name that begins with dashes", [name, "--pdf-tools"]];
  yield ["a short flag that does not exist", [name, ...enough, "-Z"]];
  yield ["bytes that are no UTF-8", [name, "caf\ufffd"]];
  yield ["bytes that are no UTF-8 behind --", [name, "--", "caf\ufffd"]];
  if (name !== "search") yield ["an empty argument", [name, ...enough, ""]];
  if (least > 0) yield ["too few arguments", [name]];
  if (most !== null) yield ["too many arguments", [name, ...Array.from({ length: most + 1 }, () => "x")]];
  const stray = flags.find((flag) => !own(command).includes(flag));
  if (stray !== undefined)
    yield [
      "a flag of another command",
      [name, ...enough, `--${stray.name}${stray.value === undefined ? "" : `=${stray.choices?.[0] ?? "1"}`}`],
    ];
  for (const flag of own(command)) {
    if (flag.value === undefined) yield ["a value for a switch", [name, ...enough, `--${flag.name}=yes`]];
    else {
      yield ["a flag without its value", [name, ...enough, `--${flag.name}`]];
      yield ["a flag with an empty value", [name, ...enough, `--${flag.name}=`]];
    }
    if (flag.choices !== undefined) yield ["an unknown word", [name, ...enough, `--${flag.name}=nothing`]];
    if (flag.minimum !== undefined)
      for (const value of ["many", "-1", "1.5", "NaN", "1e9"])
        yield ["a number that is none", [name, ...enough, `--${flag.name}=${value}`]];
  }
}

test.each(all.map((command) => [command.name, command] as const))(
  "J08 %s: what is wrong on the line is said, ends with 2, and nothing is done",
  async (_name, command) => {
    const ground = createGround();
    const before = readdirSync(ground.top, { recursive: true }).sort();
    for (const [why, args] of wrongLines(command)) {
      const { code, out, err } = await run([...args, "--home", ground.home, "--data", ground.data], ground);
      const line = `${args.join(" ")} (${why})`;
      expect([code, out], line).toEqual([2, ""]);
      expect(err, line).toMatch(/\S/);
      expect(err, line).not.toMatch(/\n\s+at |\[object|undefined/);
      const asData = await run(["--json", ...args], ground);
      if (!args.includes("--json=yes"))
        expect(JSON.parse(asData.out), line).toMatchObject({ error: { code: "usage" } });
      expect(asData.code, line).toBe(2);
    }
    expect(readdirSync(ground.top, { recursive: true }).sort()).toEqual(before);
  },
);

test("J08 names that begin with dashes are names behind --, in every command that takes one", async () => {
  const ground = createGround();
  for (const name of ["show", "why", "load", "enable", "disable", "remove", "update"]) {
    const { code, err } = await run([name, ...ground.flags, "--", "--pdf-tools"], ground);
    expect([name, [1, 3].includes(code)]).toEqual([name, true]);
    expect(err).not.toContain("There is no flag");
  }
});

test("J08 real bytes that are no UTF-8 end with 2", () => {
  const ground = createGround();
  const program = fileURLToPath(new URL("../../src/bin/skillet.ts", import.meta.url));
  const { status, stdout, stderr } = spawnSync(
    "/bin/sh",
    ["-c", 'exec "$0" --import tsx "$1" show "$(printf "caf\\351")"', process.execPath, program],
    { cwd: fileURLToPath(new URL("../..", import.meta.url)), encoding: "utf8" },
  );
  expect([status, stdout, stderr]).toEqual([2, "", expect.stringContaining("An argument is not UTF-8")]);
  expect(ground.harm()).toEqual([]);
});

/** A ground where every reading command has something to say. */
function told(): Ground {
  const ground = createGround();
  putSkill(ground.root, "pdf", { description: "Fills in PDF forms, and reads what is written in them." });
  putSkill(ground.userRoot, "pdf", { description: "Another one of that name, which loses." });
  putSkill(ground.root, "broken", { extra: "description: two: colons\n" });
  return ground;
}

const lines: readonly (readonly string[])[] = [
  [],
  ["fill in a PDF form"],
  ...[["list"], ["list", "--all"], ["show", "pdf"], ["why", "pdf"], ["why", "nothing"], ["search", "PDF"]],
  ...[["commands"], ["check"], ["doctor"], ["paths"], ["profiles"], ["config", "list"], ["help"]],
  ...[
    ["help", "list"],
    ["help", "exit-codes"],
    ["help", "frontmatter/unquoted-colon"],
  ],
  ...[["sync", "--to", "claude", "--dry-run"], ["reset", "--dry-run"], ["lsit"]],
];

const controlStart = "\u001b";

test.each(lines.map((args) => [args.join(" "), args] as const))(
  "J12 %s: readable without colours, in a dumb terminal, in 20 columns and without UTF-8",
  async (_name, args) => {
    const ground = told();
    const say = (
      env: Record<string, string>,
      terminal: { tty?: boolean; columns?: number } = {},
    ): Promise<Run> => run([...args, ...ground.flags, "--trust"], { cwd: ground.cwd, env, ...terminal });
    const usual = await say({ LC_ALL: "C.UTF-8" });
    const words = (text: string) => text.match(/\p{L}{3,}/gu) ?? [];
    for (const [what, env] of [
      ["NO_COLOR", { LC_ALL: "C.UTF-8", NO_COLOR: "1" }],
      ["dumb", { LC_ALL: "C.UTF-8", TERM: "dumb" }],
    ] as const) {
      const { code, out, err } = await say(env, { tty: true, columns: 80 });
      expect([what, code]).toEqual([what, usual.code]);
      expect(out + err, what).not.toContain(controlStart);
      expect(words(out + err).length, what).toBeGreaterThan(0);
    }
    // What stands there is ASCII wherever it is ours; all texts of the ground are.
    const plain = await say({ LC_ALL: "C", LANG: "de_DE.ISO-8859-1" });
    expect(plain.out + plain.err).toMatch(/^[\t\n\x20-\x7e]*$/);
    expect(plain.code).toBe(usual.code);
    const narrow = await say({ LC_ALL: "C", NO_COLOR: "1" }, { tty: true, columns: 20 });
    for (const line of (narrow.out + narrow.err).split("\n")) {
      // A command or an example to be copied stands in one piece, and so does a path or a name with what belongs to it.
      if (/^\s*(?:(?:\$ )?skillet\b|description:)/.test(line)) continue;
      const longest = Math.max(...line.split(" ").map((word) => word.length));
      expect(line.trimEnd().length, JSON.stringify(line)).toBeLessThanOrEqual(Math.max(20, longest + 16));
    }
    expect(narrow.code).toBe(usual.code);
  },
);
