import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { treeDigest } from "../../src/host/sync/tree-digest.ts";
import { builtCommand } from "../support/built-command.ts";
import { type Sandbox, sandbox, skill } from "./run-skillet.ts";

// Real processes that are ended by SIGKILL while they write. SKILLET_LONG=1 makes a hundred rounds.
const rounds = process.env.SKILLET_LONG === "1" ? 100 : 12;
const count = 30;

let place: Sandbox;
let command = "";
let milliseconds = 0;
beforeAll(async () => {
  command = builtCommand();
  place = sandbox();
  place.write({ "~/.config/skillet/skillet.jsonc": `{ "skills": { "builtin": false } }` });
  writeSkills("one");
  const started = performance.now();
  await run(["--to", "claude", "--copy"]);
  milliseconds = performance.now() - started;
  await run(["--undo"]);
}, 600_000);
afterAll(() => place.remove());

function writeSkills(version: string): void {
  for (let number = 0; number < count; number += 1) {
    const folder = `~/.agents/skills/s${number}`;
    place.write({
      [`${folder}/SKILL.md`]: skill(`s${number}`, `Number ${number}, ${version}.`),
      [`${folder}/references/a.md`]: `${version}\n`.repeat(200),
    });
  }
}

function run(args: readonly string[], kill?: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [command, "sync", "-q", "--home", place.home, "--data", place.data, "--cwd", place.project, ...args],
      { stdio: "ignore" },
    );
    const timer = kill === undefined ? null : setTimeout(() => child.kill("SIGKILL"), kill);
    child.on("error", reject);
    child.on("close", (code) => {
      if (timer !== null) clearTimeout(timer);
      resolve(code);
    });
  });
}

const target = (): string => join(place.project, ".claude/skills");

function expectSynced(): void {
  const names = Array.from({ length: count }, (_, number) => `s${number}`);
  expect(readdirSync(target()).sort()).toEqual([".skillet-sync.json", ...names].sort());
  for (const name of names)
    expect(treeDigest(join(target(), name))).toBe(treeDigest(join(place.home, ".agents/skills", name)));
}

describe("a kill at any moment", () => {
  it(
    `is mended by the next sync or taken back by --undo, ${rounds} rounds`,
    async () => {
      let cut = 0;
      for (let round = 0; round < rounds; round += 1) {
        writeSkills(`round ${round}`);
        const ways = [
          ["--to", "claude", "--copy"],
          ["--to", "claude", "--link"],
          ["--undo", "--to", "claude"],
        ];
        const moment = 20 + ((round * 0.618) % 1) * milliseconds;
        const code = await run(ways[round % 3] ?? [], moment);
        if (code === null) cut += 1;
        // Whatever is there is whole: a skill's folder never lacks a file.
        for (const name of existsSync(target()) ? readdirSync(target()) : [])
          if (!name.startsWith("."))
            expect(readFileSync(join(target(), name, "references/a.md"), "utf8")).toMatch(/^round/);
        if (round % 2 === 0) {
          expect(await run(["--to", "claude", "--copy"])).toBe(0);
          expectSynced();
        } else {
          expect(await run(["--undo", "--to", "claude"])).toBe(0);
          expect(existsSync(join(place.project, ".claude"))).toBe(false);
        }
      }
      expect(cut).toBeGreaterThan(rounds / 3);
    },
    60_000 + rounds * 120_000,
  );
});
