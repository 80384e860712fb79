import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Sandbox, sandbox, skill } from "../cli/run-skillet.ts";

// The process ends at a chosen call that changes the disk: that call does nothing (or half of it), and no later one does
// anything either, as after a power cut. Then `verify` has to find, or make, a whole state (rows D24, G01, G13). Every
// call of add, update and remove is such a moment; SKILLET_LONG=1 tries them all, else some of them.
const changing = [
  ...([
    "renameSync",
    "rmSync",
    "unlinkSync",
    "rmdirSync",
    "mkdirSync",
    "symlinkSync",
    "writeSync",
    "writeFileSync",
  ] as const),
  ...(["openSync", "linkSync", "chmodSync", "fchmodSync", "fsyncSync", "closeSync"] as const),
];
const real = Object.fromEntries(changing.map((name) => [name, fs[name]])) as Record<
  string,
  (...args: never[]) => unknown
>;

class Cut extends Error {}

/** Lets `most` changing calls happen, does half of the next one, then none. Counts them when `most` is infinite. */
function cutAfter(most: number): { readonly count: () => number; readonly end: () => void } {
  let count = 0;
  for (const name of changing) {
    const call = real[name] as (...args: unknown[]) => unknown;
    Object.assign(fs, {
      [name]: (...args: unknown[]) => {
        const reads =
          name === "openSync" && (args[1] === "r" || (typeof args[1] === "number" && (args[1] & 3) === 0));
        if (reads || (name === "closeSync" && count <= most)) return call(...args);
        count += 1;
        if (count <= most) return call(...args);
        if (count === most + 1) half(name, args);
        throw new Cut(`cut off at ${name}`);
      },
    });
  }
  syncBuiltinESMExports();
  return {
    count: () => count,
    end: () => {
      Object.assign(fs, real);
      syncBuiltinESMExports();
    },
  };
}

/** What is no single step for the disk may be left in the middle. */
function half(name: string, args: readonly unknown[]): void {
  if (name === "writeSync" && args[1] instanceof Uint8Array) {
    (real.writeSync as (...args: unknown[]) => number)(
      args[0],
      args[1],
      args[2],
      Math.floor(Number(args[3] ?? 0) / 2),
    );
  }
  if (name === "rmSync" && fs.lstatSync(String(args[0]), { throwIfNoEntry: false })?.isDirectory() === true) {
    const [first] = fs
      .readdirSync(String(args[0]), { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile());
    if (first !== undefined) (real.unlinkSync as (path: string) => void)(join(first.parentPath, first.name));
  }
}

let place: Sandbox;
beforeEach(() => {
  place = sandbox();
});
afterEach(() => {
  Object.assign(fs, real);
  syncBuiltinESMExports();
  place.remove();
});

const run = (...args: readonly string[]) => place.run([...args, "--env", "SKILLET_DISABLE_BUILTIN_SKILLS=1"]);
const inProject = (...parts: readonly string[]): string => join(place.project, ...parts);

function publish(version: string): void {
  place.write({
    "garden/hoe/SKILL.md": skill("hoe", `Version ${version}.`),
    "garden/hoe/parts/a.txt": `${version}\n`,
    "garden/hoe/parts/b.txt": `${version}\n`,
    "garden/rake/SKILL.md": skill("rake", `Version ${version}.`),
    "garden/rake/parts/a.txt": `${version}\n`,
    "garden/rake/parts/b.txt": `${version}\n`,
  });
}

/** The state before each try: two skills of version one, an edit, a link and a copy; "add" begins with nothing. */
async function begin(operation: string): Promise<void> {
  for (const name of [".agents", ".claude", ".codex", "skillet.lock"])
    fs.rmSync(inProject(name), { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  fs.rmSync(place.data, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  publish("one");
  if (operation === "add") return;
  await run("add", "./garden", "--agents", "claude", "--yes");
  await run("add", "./garden", "--agents", "codex", "--copy", "--yes");
  fs.writeFileSync(inProject(".agents/skills/hoe/notes.md"), "mine\n");
  publish("two");
}

const operations: Readonly<Record<string, readonly string[]>> = {
  add: ["add", "./garden", "--agents", "claude", "--yes"],
  update: ["update", "--yes"],
  remove: ["remove", "rake"],
};

function versionIn(folder: string): string {
  const texts = ["parts/a.txt", "parts/b.txt"].map((path) =>
    fs.readFileSync(join(folder, path), "utf8").trim(),
  );
  expect(new Set(texts).size).toBe(1);
  expect(fs.readFileSync(join(folder, "SKILL.md"), "utf8")).toContain(`Version ${texts[0]}.`);
  return texts[0] ?? "";
}

async function expectWhole(operation: string, at: string): Promise<void> {
  // The lock of the process that is no more: its number is ours here, so it would count as alive.
  const state = join(place.data, "state");
  if (fs.existsSync(state)) {
    for (const name of fs.readdirSync(state)) if (name.endsWith(".lock")) fs.rmSync(join(state, name));
  }
  const verified = await run("verify", "--json");
  const { changes } = verified.json() as {
    changes: readonly {
      name: string;
      action: string;
      files: readonly { path: string }[];
      findings: readonly { code: string }[];
    }[];
  };
  for (const { name, action, files, findings } of changes) {
    // The edit is known to the lock once the update that kept it is done.
    const accepted = name === "hoe" && operation !== "add" ? ["edited", "kept"] : ["unchanged"];
    expect(accepted, `${at}: ${verified.stdout}`).toContain(action);
    expect(
      files.map(({ path }) => path),
      at,
    ).toEqual(name === "hoe" && operation !== "add" ? ["notes.md"] : []);
    expect(
      findings.filter(({ code }) => code !== "install/edited" && code !== "install/edits-kept"),
      at,
    ).toEqual([]);
    const version = versionIn(inProject(".agents/skills", name));
    for (const agent of operation === "add" ? [".claude"] : [".claude", ".codex"]) {
      expect(versionIn(inProject(agent, "skills", name)), at).toBe(version);
    }
  }
  const names = changes.map(({ name }) => name);
  if (operation === "add") expect([[], ["hoe", "rake"]], at).toContainEqual(names);
  else
    expect(operation === "remove" ? [["hoe"], ["hoe", "rake"]] : [["hoe", "rake"]], at).toContainEqual(names);
  if (operation !== "add")
    expect(fs.readFileSync(inProject(".agents/skills/hoe/notes.md"), "utf8"), at).toBe("mine\n");
  for (const name of ["hoe", "rake"])
    expect(fs.existsSync(inProject(".agents/skills", name)), at).toBe(names.includes(name));
  for (const folder of [".agents", ".agents/skills", ".claude", ".codex"]) {
    const left = fs.existsSync(inProject(folder))
      ? fs.readdirSync(inProject(folder)).filter((name) => name.startsWith("."))
      : [];
    expect(left, at).toEqual([]);
  }
}

test.each(Object.entries(operations))(
  "%s, cut off at any call that changes the disk",
  { timeout: 3_600_000 },
  async (name, args) => {
    await begin(name);
    const counting = cutAfter(Number.POSITIVE_INFINITY);
    expect((await run(...args)).code).toBe(0);
    counting.end();
    const calls = counting.count();
    expect(calls).toBeGreaterThan(15);
    const step = process.env.SKILLET_LONG === "1" ? 1 : Math.ceil(calls / 9);
    let tried = 0;
    for (let most = 0; most < calls; most += step) {
      await begin(name);
      const cut = cutAfter(most);
      await run(...args);
      cut.end();
      await expectWhole(name, `${name}, after ${most} of ${calls} calls`);
      tried += 1;
    }
    console.info(`${name}: ${tried} of ${calls} moments`);
  },
);
