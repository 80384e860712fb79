import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findDynamicCommands, withCommandOutputs } from "./dynamic-commands.ts";

const commands = (body: string) => findDynamicCommands(body).map(({ command }) => command);

describe("commands in a text", () => {
  test.each([
    ["State: !`git status`", ["git status"]],
    ["!`a` and !`b`\n!`c`", ["a", "b", "c"]],
    ["```!\ngit log\ngit diff\n```\nend", ["git log\ngit diff"]],
    ["wow!`no` x!`no`", []],
    ["!` ` !`` !`open", []],
    ["```sh\n!`no`\n```\n!`yes`", ["yes"]],
    ["~~~!\nno\n~~~", []],
    ["```!\nnever closed", []],
    ["````!\na\n```\nb\n````", ["a\n```\nb"]],
    ["!`one\ntwo`", []],
    ["", []],
  ])("%j", (body, wanted) => {
    expect(commands(body)).toEqual(wanted);
  });

  test("are inside the text, in order, and apart", () => {
    const piece = fc.constantFrom("!`", "`", "```", "```!", "\n", " ", "x", "!", "~~~", "cmd", "````");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const body = pieces.join("");
        let before = 0;
        for (const { start, end, command } of findDynamicCommands(body)) {
          expect(start).toBeGreaterThanOrEqual(before);
          expect(end).toBeGreaterThan(start);
          expect(body.slice(start, end)).toContain(command);
          before = end;
        }
        expect(before).toBeLessThanOrEqual(body.length);
        expect(withCommandOutputs(body, new Map(), (text) => text)).toBe(body);
      }),
    );
  });

  test("a text full of openings is looked at once", () => {
    const body = "!`".repeat(200_000);
    const before = process.cpuUsage();
    expect(findDynamicCommands(body).length).toBeLessThan(200_000);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(5_000);
  });
});

describe("outputs", () => {
  test("take the places of commands and are never read again", () => {
    const outputs = new Map([
      ["a", "$1 !`b` $ARGUMENTS"],
      ["b", "never"],
    ]);
    const shout = (text: string) => text.replaceAll("$1", "one");
    expect(withCommandOutputs("$1 !`a` $1", outputs, shout)).toBe("one $1 !`b` $ARGUMENTS one");
    expect(withCommandOutputs("!`missing` $1", outputs, shout)).toBe("!`missing` one");
  });

  test("arguments that look like a mark change nothing", () => {
    const outputs = new Map([["a", "out"]]);
    expect(withCommandOutputs("!`a` x", outputs, (text) => text.replace("x", "\uE000"))).toBe("!`a` \uE000");
    expect(withCommandOutputs("\uE000 !`a`", outputs, (text) => text)).toBe("\uE000 out");
  });
});
