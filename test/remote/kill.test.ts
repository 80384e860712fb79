import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Sandbox, sandbox } from "../cli/run-skillet.ts";
import { bundledWorker } from "../support/bundled-worker.ts";
import { type Durations, killDuring } from "../support/kill-during.ts";

// A kill at any moment of add, update and remove leaves a state that verify accepts or repairs, with nothing lost
// (rows D24, G13). Short here; SKILLET_LONG=1 goes on until 200 kills fell into an add or an update.
const wanted = process.env.SKILLET_LONG === "1" ? 200 : 4;
const worker = fileURLToPath(new URL("kill-worker.ts", import.meta.url));
const operations = ["update", "add", "update", "add", "remove"];

let place: Sandbox;
let source: string;
let bundle: Awaited<ReturnType<typeof bundledWorker>>;
beforeAll(async () => {
  place = sandbox();
  bundle = await bundledWorker(worker);
  source = join(place.folder, "source");
});
afterAll(() => {
  place.remove();
  bundle.remove();
});

/** The one version that all files of an installed skill have. */
function versionOf(folder: string): string {
  const parts = readdirSync(join(folder, "parts")).sort();
  expect(parts).toEqual(["a.txt", "b.txt", "c.txt", "d.txt"]);
  const texts = new Set(parts.map((part) => readFileSync(join(folder, "parts", part), "utf8")));
  expect(texts.size).toBe(1);
  const [version = ""] = [...texts];
  expect(readFileSync(join(folder, "SKILL.md"), "utf8")).toContain(`Version ${version.trim()}.`);
  expect(readFileSync(join(folder, "shared.md"), "utf8")).toBe(`${version}one\ntwo\nthree\nmine\n`);
  return version;
}

interface Verified {
  readonly changes: readonly {
    readonly name: string;
    readonly action: string;
    readonly files: readonly { readonly path: string }[];
    readonly findings: readonly { readonly code: string }[];
  }[];
}

/** What `verify` says, and what lies there once it ran: one version, the user's edits, nothing half done. */
async function expectWhole(context: string): Promise<void> {
  const verified = await place.run(["verify", "--json"]);
  const { changes } = verified.json() as Verified;
  const told = `${context}: ${verified.stdout}`;
  for (const { name, action, files, findings } of changes) {
    expect(name === "steady" ? ["edited", "kept"] : ["unchanged"], told).toContain(action);
    expect(
      files.map(({ path }) => path),
      told,
    ).toEqual(name === "steady" ? ["notes.md", "shared.md"] : []);
    const others = findings.filter(({ code }) => code !== "install/edited" && code !== "install/edits-kept");
    expect(others, told).toEqual([]);
  }
  const names = changes.map(({ name }) => name);
  expect(names, told).toContain("steady");
  const installed = join(place.project, ".agents/skills/steady");
  const version = versionOf(installed);
  expect(versionOf(join(place.project, ".codex/skills/steady"))).toBe(version);
  expect(versionOf(join(place.project, ".claude/skills/steady"))).toBe(version);
  expect(readFileSync(join(installed, "notes.md"), "utf8")).toBe("mine\n");
  expect(existsSync(join(place.project, ".agents/skills/passing")), told).toBe(names.includes("passing"));
  // Nothing of an unfinished run stays.
  for (const folder of [".agents", ".codex", ".claude", ".agents/skills"]) {
    const left = readdirSync(join(place.project, folder)).filter((name) => name.startsWith("."));
    expect(left, told).toEqual([]);
  }
}

test(`${wanted} kills during add and update`, { timeout: 7_200_000 }, async () => {
  mkdirSync(join(source, "steady/parts"), { recursive: true });
  writeFileSync(join(source, "steady/SKILL.md"), "---\nname: steady\ndescription: Version 0.\n---\n0\n");
  writeFileSync(join(source, "steady/shared.md"), "0\none\ntwo\nthree\nyours\n");
  for (const part of ["a", "b", "c", "d"]) writeFileSync(join(source, "steady/parts", `${part}.txt`), "0\n");
  await place.run(["add", join(source, "steady"), "--agents", "claude", "--yes"]);
  await place.run(["add", join(source, "steady"), "--agents", "codex", "--copy", "--yes"]);
  for (const folder of [".agents", ".codex"]) {
    writeFileSync(join(place.project, folder, "skills/steady/notes.md"), "mine\n");
    writeFileSync(join(place.project, folder, "skills/steady/shared.md"), "0\none\ntwo\nthree\nmine\n");
  }
  const durations: Durations = new Map();
  const killed = new Map<string | null, number>();
  const count = (operation: string): number => killed.get(operation) ?? 0;
  // Deterministic, so that a failure can be repeated on the same machine.
  let seed = 7;
  let number = 0;
  for (; count("add") + count("update") < wanted && number < wanted * 3; number++) {
    seed = (seed * 16_807) % 2_147_483_647;
    const operation = operations[number % operations.length] ?? "add";
    const args = [bundle.path, place.home, place.project, place.data, source, String(1 + number * 1000)];
    const at = await killDuring(args, { operation, part: seed / 2_147_483_647, durations });
    killed.set(at, (killed.get(at) ?? 0) + 1);
    await expectWhole(`round ${number}, killed during ${at}`);
  }
  console.info(
    `${number} kills: ${[...killed].map(([at, times]) => `${times} during ${at ?? "none"}`).join(", ")}`,
  );
  expect(count("add") + count("update")).toBeGreaterThanOrEqual(wanted);
});
