import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type Outcome, type Sandbox, sandbox, skill } from "../cli/run-skillet.ts";

// Row G15 on a real small disk: add, update and pull with every amount of room from none to enough change all or
// nothing. Needs the right to mount (Linux, root); elsewhere it says that it did not run, and full-disk.test.ts stands in.

/** Of the system, like a shell; no package has them. */
const programs = { mount: "mount", unmount: "umount" };

let folder: string | null = null;
let place: Sandbox | null = null;

/** A file system of some megabytes; null where this process may not mount one. */
function smallDisk(): string | null {
  folder = mkdtempSync(join(tmpdir(), "skillet-disk-"));
  const disk = join(folder, "disk");
  mkdirSync(disk);
  const mounted = spawnSync(programs.mount, ["-t", "tmpfs", "-o", "size=3m", "tmpfs", disk]);
  return mounted.status === 0 ? disk : null;
}

afterEach(() => {
  place?.remove();
  if (folder !== null) {
    spawnSync(programs.unmount, [join(folder, "disk")]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
  [folder, place] = [null, null];
});

function makePlace(disk: string): Sandbox {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = disk;
  try {
    return sandbox();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

/** Fills the disk until `bytes` are left. */
function leave(disk: string, bytes: number): void {
  rmSync(join(disk, "filler"), { force: true });
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(join(disk, "filler"), new Uint8Array(Math.max(0, bavail * bsize - bytes)));
}

/** Two skills to install, in one folder, and two to pull, in another. */
function publish(folder: string, version: string): void {
  for (const path of ["install/hoe", "install/rake", "pull/fork", "pull/spade"]) {
    const [top, name] = [join(folder, dirname(path)), path.split("/")[1] ?? ""];
    for (const [file, content] of [
      ["SKILL.md", skill(name, `Version ${version}.`)],
      ["a.bin", Buffer.concat([Buffer.from(`${version}\n`), randomBytes(60_000)])],
      ["b/c.txt", `${version}\n`],
    ] as const) {
      mkdirSync(dirname(join(top, name, file)), { recursive: true });
      writeFileSync(join(top, name, file), content);
    }
  }
}

const versionOf = (top: string): string => {
  const versions = [readFileSync(join(top, "a.bin"), "latin1"), readFileSync(join(top, "b/c.txt"), "utf8")]
    .map((text) => text.split("\n")[0])
    .concat(/Version (\w+)\./.exec(readFileSync(join(top, "SKILL.md"), "utf8"))?.[1] ?? "none");
  expect(new Set(versions).size).toBe(1);
  return versions[0] ?? "";
};

test("add, update and pull on a disk that is full", { timeout: 900_000 }, async () => {
  const disk = smallDisk();
  if (disk === null) {
    console.warn("NOT RUN: a small disk cannot be mounted here (needs Linux and root).");
    return;
  }
  const top = join(folder ?? "", "source");
  publish(top, "one");
  const here = makePlace(disk);
  place = here;
  here.write({
    "~/.config/skillet/skillet.json": JSON.stringify({ sources: { team: { path: join(top, "pull") } } }),
  });
  const run = (...args: readonly string[]): Promise<Outcome> =>
    here.run([...args, "--env", "SKILLET_DISABLE_BUILTIN_SKILLS=1"]);
  const installed = (name: string): string => join(here.project, ".agents/skills", name);
  const rubbish = (): readonly string[] =>
    [here.project, join(here.project, ".agents")]
      .flatMap((at) => (existsSync(at) ? readdirSync(at) : []))
      .filter((name) => name.includes("skillet-") || name.includes(".tmp"));
  const pulled = async (): Promise<readonly string[]> => {
    const { skills } = (await run("list", "--json")).json() as {
      skills: readonly { name: string; scope: string; directory: string }[];
    };
    return skills.filter(({ scope }) => scope === "remote").map(({ directory }) => versionOf(directory));
  };
  const steps = [0, 4, 8, 12, 16, 32, 64, 96, 128, 160, 192, 256, 320, 384, 512, 768].map(
    (kib) => kib * 1024,
  );

  /** With more and more room until it works; gives how often it did not. */
  async function until(
    args: readonly string[],
    check: (failed: boolean, at: string) => Promise<void> | void,
  ): Promise<number> {
    for (const [failures, bytes] of steps.entries()) {
      leave(disk as string, bytes);
      const outcome = await run(...args);
      const at = `${args.join(" ")} with ${bytes} bytes: ${outcome.stdout}${outcome.stderr}`;
      if (outcome.code !== 0) expect(`${outcome.stdout}${outcome.stderr}`, at).toMatch(/disk is full|ENOSPC/);
      await check(outcome.code !== 0, at);
      if (outcome.code === 0) return failures;
    }
    throw new Error(`${args.join(" ")} never worked`);
  }

  const failedAdds = await until(
    ["add", join(top, "install"), "--agents", "claude", "--yes"],
    async (failed, at) => {
      for (const name of ["hoe", "rake"]) expect(existsSync(installed(name)), at).toBe(!failed);
      expect(existsSync(join(here.project, "skillet.lock")), at).toBe(!failed);
      expect(rubbish(), at).toEqual([]);
      expect((await run("verify")).code, at).toBe(0);
    },
  );
  const failedPulls = await until(["pull"], async (failed, at) => {
    expect(await pulled(), at).toEqual(failed ? [] : ["one", "one"]);
  });
  publish(top, "two");
  const failedUpdates = await until(["update", "--yes"], async (failed, at) => {
    for (const name of ["hoe", "rake"]) expect(versionOf(installed(name)), at).toBe(failed ? "one" : "two");
    expect(rubbish(), at).toEqual([]);
    expect((await run("verify")).code, at).toBe(0);
  });
  const failedAgain = await until(["pull"], async (failed, at) => {
    expect(await pulled(), at).toEqual(failed ? ["one", "one"] : ["two", "two"]);
  });
  console.info(
    `full disk: ${failedAdds} adds, ${failedUpdates} updates, ${failedPulls + failedAgain} pulls refused`,
  );
  for (const count of [failedAdds, failedUpdates, failedPulls, failedAgain]) expect(count).toBeGreaterThan(1);
});
