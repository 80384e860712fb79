import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeWhole } from "../../skills-src/common/write-whole.ts";
import { scriptOf } from "./documents.ts";
import { runScript } from "./run-script.ts";

let folder = "";
const at = (name: string): string => join(folder, name);
const put = (name: string, text: string): void => writeFileSync(at(name), text);
const text = (name: string): string => readFileSync(at(name), "utf8");
const force = { force: true };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "skillet-write-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

describe("an output that is there already", () => {
  test("is replaced only when asked for, and keeps its permissions", () => {
    put("a", "old");
    chmodSync(at("a"), 0o600);
    expect(() => writeWhole([{ path: at("a"), bytes: "new" }], { force: false })).toThrow("exists already");
    expect(text("a")).toBe("old");
    writeWhole([{ path: at("a"), bytes: "new" }], force);
    expect([text("a"), statSync(at("a")).mode & 0o777]).toEqual(["new", 0o600]);
  });

  test("stays a link when it is one; what the link leads to is replaced", () => {
    put("real", "old");
    symlinkSync("real", at("link"));
    expect(() => writeWhole([{ path: at("link"), bytes: "new" }], { force: false })).toThrow(
      "exists already",
    );
    writeWhole([{ path: at("link"), bytes: "new" }], force);
    expect([lstatSync(at("link")).isSymbolicLink(), text("real")]).toEqual([true, "new"]);
  });

  test("is refused when it is a folder, a pipe, a device or a link that leads nowhere", () => {
    mkdirSync(at("folder"));
    execFileSync("mkfifo", [at("pipe")]);
    symlinkSync("nowhere", at("dangling"));
    for (const [path, why] of [
      [at("folder"), "a folder"],
      [at("pipe"), "a pipe"],
      ["/dev/null", "no regular file"],
      [at("dangling"), "leads nowhere"],
    ] as const)
      expect(() => writeWhole([{ path, bytes: "x" }], force)).toThrow(why);
    expect([lstatSync(at("pipe")).isFIFO(), lstatSync("/dev/null").isCharacterDevice()]).toEqual([
      true,
      true,
    ]);
    expect(readdirSync(folder).sort()).toEqual(["dangling", "folder", "pipe"]);
  });
});

describe("several outputs", () => {
  test("of one name are refused before anything is written", () => {
    const files = ["a", "b", "a"].map((name) => ({ path: at(name), bytes: name }));
    expect(() => writeWhole(files, force)).toThrow("the same name");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("are taken back when a later one cannot be written, with the folders made for them", () => {
    put("old", "old");
    put("file", "no folder");
    const files = [at("old"), at("new"), at("made/for/it"), join(at("file"), "below")].map((path) => ({
      path,
      bytes: "new",
    }));
    expect(() => writeWhole(files, force)).toThrow("nothing was replaced");
    expect([text("old"), readdirSync(folder).sort()]).toEqual(["old", ["file", "old"]]);
    // Here the renaming fails, after the first was renamed: a folder has come where the second goes.
    const late = [at("old"), at("x"), at("x/y")].map((path) => ({ path, bytes: "new" }));
    expect(() => writeWhole(late, force)).toThrow("nothing was replaced");
    expect([text("old"), readdirSync(folder).sort()]).toEqual(["old", ["file", "old"]]);
  });

  test("leave nothing beside them", () => {
    put("a", "old");
    linkSync(at("a"), at("other"));
    writeWhole(
      ["a", "b", "c"].map((name) => ({ path: at(name), bytes: name })),
      force,
    );
    expect(readdirSync(folder).sort()).toEqual(["a", "b", "c", "other"]);
  });
});

test("a run that is killed in the middle of its write leaves the old file, and the next run writes", async () => {
  put("a", "old");
  const module = new URL("../../skills-src/common/write-whole.ts", import.meta.url).href;
  const code = `import { writeWhole } from ${JSON.stringify(module)};
    writeWhole([{ path: ${JSON.stringify(at("a"))}, bytes: Buffer.alloc(300e6, 65) }], { force: true });`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", code], {
    stdio: "inherit",
  });
  const ended = new Promise((done) => child.on("close", (_, signal) => done(signal)));
  while (readdirSync(folder).length < 2 && child.exitCode === null)
    await new Promise((done) => setTimeout(done, 2));
  child.kill("SIGKILL");
  expect([await ended, text("a")]).toEqual(["SIGKILL", "old"]);
  writeWhole([{ path: at("a"), bytes: "new" }], force);
  expect(text("a")).toBe("new");
});

describe.each([
  ["docx", "t.md", "old.docx"],
  ["pptx", "t.md", "old.pptx"],
  ["pdf", "t.md", "old.pdf"],
  ["xlsx", "t.csv", "old.xlsx"],
])("%s", (skill, source, output) => {
  // Every command writes through one function; a script is told by its bundle that it does.
  test("a full disk or a folder that is none leaves the old file and nothing beside it", async () => {
    const lines = Array.from({ length: 4000 }, (_, row) => `${(row * 7919) % 100_003},${(row * 31) % 997}`);
    put(source, source.endsWith(".md") ? `# T\n\n${lines.join("\n\n")}\n` : `a,b\n${lines.join("\n")}\n`);
    put(output, "precious");
    const args = ["create", output, "--from", source, "--force"];
    let status = 0;
    let err = "";
    try {
      execFileSync(
        "sh",
        ["-c", `ulimit -f 4; exec "${process.execPath}" "${scriptOf(skill)}" ${args.join(" ")}`],
        { cwd: folder, stdio: "pipe" },
      );
    } catch (error) {
      ({ status } = error as { status: number });
      err = String((error as { stderr: Buffer }).stderr);
    }
    expect([status, err]).toEqual([1, expect.stringContaining("nothing was replaced")]);
    put("file", "");
    const run = await runScript(skill, ["create", `file/${output}`, "--from", source], { cwd: folder });
    expect([run.code, run.err]).toEqual([1, expect.stringContaining("cannot write")]);
    expect([text(output), readdirSync(folder).sort()]).toEqual(["precious", ["file", output, source].sort()]);
  });

  test("names with line ends and leading dashes are names", async () => {
    put(source, "a,b\n1,2\n");
    const odd = `-x\ny${output}`;
    const { code, out } = await runScript(skill, ["create", "--from", source, "--", odd], { cwd: folder });
    expect([code, out]).toEqual([0, expect.stringContaining("wrote -x\\ny")]);
    expect(readdirSync(folder).sort()).toEqual([odd, source].sort());
    const read = await runScript(skill, ["read", "--", odd], { cwd: folder });
    expect(read.code).toBe(0);
    const wrong = await runScript(skill, ["read", "--", "no\u001b[31m\nsuch"], { cwd: folder });
    expect([wrong.code, wrong.err.trim().split("\n")]).toEqual([3, [expect.stringContaining("\\u001b[31m")]]);
  });
});
