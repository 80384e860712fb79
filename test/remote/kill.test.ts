import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Sandbox, sandbox } from "../cli/run-skillet.ts";

// A kill at any moment of add, update and remove leaves a state that verify accepts or repairs, with nothing lost
// (rows D24, G13). Short here; SKILLET_LONG=1 makes 200 rounds of it.
const rounds = process.env.SKILLET_LONG === "1" ? 200 : 4;
const worker = fileURLToPath(new URL("kill-worker.ts", import.meta.url));

let place: Sandbox;
let source: string;
beforeAll(() => {
  place = sandbox();
  source = join(place.folder, "source");
});
afterAll(() => place.remove());

/** Starts the worker and kills it after some time of its work. */
function round(version: number, milliseconds: number): Promise<void> {
  return new Promise((done, reject) => {
    const args = ["--import", "tsx", worker, place.home, place.project, place.data, source, String(version)];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    child.once("error", reject);
    child.stdout.once("data", () => setTimeout(() => child.kill("SIGKILL"), milliseconds));
    child.once("exit", (_code, signal) =>
      signal === "SIGKILL" ? done() : reject(new Error("the worker ended by itself")),
    );
  });
}

/** The one version that all files of an installed skill have. */
function versionOf(folder: string): string {
  const parts = readdirSync(join(folder, "parts")).sort();
  expect(parts).toEqual(["a.txt", "b.txt", "c.txt", "d.txt"]);
  const texts = new Set(parts.map((part) => readFileSync(join(folder, "parts", part), "utf8")));
  expect(texts.size).toBe(1);
  const [version = ""] = [...texts];
  expect(readFileSync(join(folder, "SKILL.md"), "utf8")).toContain(`Version ${version.trim()}.`);
  return version;
}

test(`${rounds} kills`, { timeout: 3_600_000 }, async () => {
  mkdirSync(join(source, "steady/parts"), { recursive: true });
  writeFileSync(join(source, "steady/SKILL.md"), "---\nname: steady\ndescription: Version 0.\n---\n0\n");
  for (const part of ["a", "b", "c", "d"]) writeFileSync(join(source, "steady/parts", `${part}.txt`), "0\n");
  await place.run(["add", join(source, "steady"), "--agents", "claude", "--yes"]);
  await place.run(["add", join(source, "steady"), "--agents", "codex", "--copy", "--yes"]);
  const installed = join(place.project, ".agents/skills/steady");
  writeFileSync(join(installed, "notes.md"), "mine\n");
  // Deterministic, so that a failure can be repeated; spread over one pass of the worker.
  let seed = 7;
  for (let number = 0; number < rounds; number++) {
    seed = (seed * 16_807) % 2_147_483_647;
    await round(number * 1000, seed % 2500);
    const verified = await place.run(["verify", "--json"]);
    const report = verified.json() as {
      changes: readonly {
        name: string;
        action: string;
        files: readonly { path: string }[];
        findings: readonly { code: string }[];
      }[];
    };
    const context = `round ${number}: ${verified.stdout}`;
    for (const { name, action, files, findings } of report.changes) {
      expect(["unchanged", "edited"], context).toContain(action);
      if (name === "steady")
        expect(
          files.map(({ path }) => path),
          context,
        ).toEqual(["notes.md"]);
      expect(
        findings.filter(({ code }) => code !== "install/edited"),
        context,
      ).toEqual([]);
    }
    expect(
      report.changes.map(({ name }) => name),
      context,
    ).toContain("steady");
    const version = versionOf(installed);
    expect(versionOf(join(place.project, ".codex/skills/steady"))).toBe(version);
    expect(versionOf(join(place.project, ".claude/skills/steady"))).toBe(version);
    expect(readFileSync(join(installed, "notes.md"), "utf8")).toBe("mine\n");
    const passing = report.changes.some(({ name }) => name === "passing");
    expect(existsSync(join(place.project, ".agents/skills/passing")), context).toBe(passing);
    // Nothing of an unfinished run stays.
    for (const folder of [".agents", ".codex", ".claude", ".agents/skills"]) {
      const left = readdirSync(join(place.project, folder)).filter((name) => name.startsWith("."));
      expect(left, context).toEqual([]);
    }
    expect(existsSync(join(place.project, ".agents/.skillet-kept"))).toBe(false);
  }
});
