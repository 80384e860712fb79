import { execFile, spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { skill } from "./run-skillet.ts";

// The package as users get it: packed, installed into an empty folder, started by its own name.
const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), "skillet-packed-")));
const home = join(folder, "home");
const project = join(home, "project");
const command = join(folder, "app/node_modules/.bin/skillet");

function npm(args: readonly string[], cwd: string): string {
  const run = spawnSync("npm", [...args], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, npm_config_update_notifier: "false" },
  });
  if (run.status !== 0) throw new Error(`npm ${args.join(" ")}\n${run.stdout}${run.stderr}`);
  return run.stdout;
}

beforeAll(() => {
  for (const path of [project, join(folder, "app")]) mkdirSync(path, { recursive: true });
  const built = spawnSync(process.execPath, [join(root, "scripts/build.mjs"), "--dev"], {
    cwd: root,
    encoding: "utf8",
  });
  if (built.status !== 0) throw new Error(built.stderr);
  npm(["pack", "--ignore-scripts", "--pack-destination", folder], root);
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
  writeFileSync(join(folder, "app/package.json"), '{ "private": true }\n');
  npm(
    [
      "install",
      "--prefix",
      join(folder, "app"),
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--prefer-offline",
      join(folder, tarball),
    ],
    join(folder, "app"),
  );
  for (let number = 0; number < 300; number += 1) {
    const name = `skill-${String(number).padStart(3, "0")}`;
    mkdirSync(join(home, ".agents/skills", name), { recursive: true });
    writeFileSync(
      join(home, ".agents/skills", name, "SKILL.md"),
      skill(name, `Number ${number}. `.repeat(40)),
    );
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

const env = { ...process.env, HOME: home, LC_ALL: "C.UTF-8" };
const run = (args: readonly string[], cwd = project) =>
  spawnSync(command, [...args], { cwd, env, encoding: "utf8", timeout: 30_000 });

describe("the installed command", () => {
  it("lists skills as JSON", () => {
    const { status, stdout, stderr } = run(["list", "--json"]);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout).skills).toHaveLength(300);
    expect(status).toBe(0);
  });

  it("prints its version", () => {
    expect(run(["--version"]).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(run(["-V", "--json"]).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("knows its short name", () => {
    const short = spawnSync(join(folder, "app/node_modules/.bin/skl"), ["list", "--json"], {
      cwd: project,
      env,
      encoding: "utf8",
    });
    expect(JSON.parse(short.stdout).version).toBe(1);
  });

  it("answers a request from its example workspace where there are no skills", () => {
    const empty = join(folder, "empty");
    mkdirSync(empty, { recursive: true });
    const { status, stdout } = spawnSync(command, ["turn this Word file into a PDF"], {
      cwd: empty,
      env: { ...env, HOME: empty },
      encoding: "utf8",
    });
    expect(stdout).toContain("example workspace");
    expect(stdout).toContain("docx-to-pdf serves this.");
    expect(status).toBe(0);
  });

  it("ends silently when nobody reads on", async () => {
    const script = `"${command}" list --json | head -1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = await promisify(execFile)("bash", ["-c", script], { cwd: project, env });
    expect(stdout).toBe("{\n0\n");
    expect(stderr).toBe("");
  });

  it("J07 ends when stdout is closed from the start, and when stderr is", async () => {
    for (const redirect of [">&-", "2>&-"]) {
      const child = spawn("bash", ["-c", `"${command}" list x ${redirect}`], { cwd: project, env });
      const code = await new Promise((resolve) => child.on("close", resolve));
      expect(code).toBe(0);
    }
  });

  it.skipIf(!existsSync("/dev/full"))("says that output was lost, with exit code 1", async () => {
    const child = spawn("bash", ["-c", `"${command}" list > /dev/full`], { cwd: project, env });
    let told = "";
    child.stderr.on("data", (text: Buffer) => {
      told += text.toString();
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect([code, told]).toEqual([1, expect.stringContaining("The output could not be written (ENOSPC)")]);
  });

  it("says what is wrong with exit code 2", () => {
    const { status, stdout, stderr } = run(["lsit"]);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("Did you mean skillet list?");
  });

  it("completes in bash", () => {
    const script = `source <(skillet completion bash)
COMP_LINE="skillet why skill-00" COMP_POINT=20 COMP_WORDS=(skillet why skill-00) COMP_CWORD=2
_skillet; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync("bash", ["-c", script], {
      cwd: project,
      env: { ...env, PATH: `${join(folder, "app/node_modules/.bin")}:${process.env.PATH}` },
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    expect(stdout.trim().split("\n")).toEqual([...Array(10).keys()].map((number) => `skill-00${number}`));
  });
});
