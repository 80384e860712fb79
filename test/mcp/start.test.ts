import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { skill } from "../cli/run-skillet.ts";
import { builtCommand } from "../support/built-command.ts";
import { ground } from "./ground.ts";

// The server starts with the code of an earlier run; whatever happened to that, it starts and answers.
const place = ground();
const folder = join(place.data, "cache/code");
let command = "";
beforeAll(() => {
  place.write({ ".agents/skills/pdf/SKILL.md": skill("pdf", "Fill in PDF forms.") });
  command = builtCommand();
});
afterAll(() => place.remove());

const ask = `${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" })}\n`;

function expectAnswer(): void {
  const run = spawnSync(process.execPath, [command, "mcp", ...place.args], { input: ask, encoding: "utf8" });
  // Nothing but the one sentence about a skill that waits.
  expect([run.status, run.stderr]).toEqual([0, expect.stringMatching(/^1 skill .* waits until .*\n$/)]);
  expect(JSON.parse(run.stdout).result.tools).toHaveLength(3);
}

const kept = (): readonly string[] => readdirSync(folder).map((name) => join(folder, name));

it("keeps the code once, and uses it as it is", () => {
  expectAnswer();
  const [file = ""] = kept();
  expect([kept().length, statSync(file).mode & 0o077]).toEqual([1, 0]);
  const before = readFileSync(file);
  expectAnswer();
  expect(readFileSync(file).equals(before)).toBe(true);
});

it.each([
  ["cut off", (bytes: Buffer) => bytes.subarray(0, 1000)],
  ["empty", () => Buffer.alloc(0)],
  [
    "with a changed byte",
    (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === 5000 ? byte ^ 1 : byte))),
  ],
  ["with a digest that fits foreign bytes", () => Buffer.alloc(64)],
])("code that is %s is not used, and is replaced", (_, damage) => {
  const [file = ""] = kept();
  const whole = readFileSync(file);
  writeFileSync(file, damage(whole));
  expectAnswer();
  expect(readFileSync(file).length).toBeGreaterThan(100_000);
});

it("code that others may write, or a link in its place, is not used", () => {
  const [file = ""] = kept();
  chmodSync(file, 0o666);
  expectAnswer();
  const elsewhere = join(place.folder, "elsewhere.bin");
  writeFileSync(elsewhere, "not code");
  rmSync(file);
  symlinkSync(elsewhere, file);
  expectAnswer();
  expect(readFileSync(elsewhere, "utf8")).toBe("not code");
});

it("starts where nothing can be kept", () => {
  rmSync(folder, { recursive: true });
  mkdirSync(dirname(folder), { recursive: true });
  writeFileSync(folder, "a file in its place");
  expectAnswer();
});
