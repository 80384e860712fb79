import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
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
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeFileAtomic } from "./atomic-write.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "skillet-write-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
const posix = process.platform !== "win32";
const action = "store the thing";

describe("writeFileAtomic", () => {
  it("makes folders and file, keeps the mode, leaves nothing beside it", () => {
    const path = join(folder, "a/b/file");
    writeFileAtomic(path, "one", { action });
    expect(readFileSync(path, "utf8")).toBe("one");
    chmodSync(path, 0o640);
    writeFileAtomic(path, new Uint8Array([1, 2]), { action, mode: 0o666 });
    expect([...readFileSync(path)]).toEqual([1, 2]);
    if (posix) expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(join(folder, "a/b"))).toEqual(["file"]);
  });

  it("replaces a link, or writes through it when asked", () => {
    if (!posix) return;
    writeFileSync(join(folder, "target"), "old");
    symlinkSync("target", join(folder, "link"));
    writeFileAtomic(join(folder, "link"), "through", { action, followLink: true });
    expect(readFileSync(join(folder, "target"), "utf8")).toBe("through");
    writeFileAtomic(join(folder, "link"), "instead", { action });
    expect(readFileSync(join(folder, "target"), "utf8")).toBe("through");
    expect(readFileSync(join(folder, "link"), "utf8")).toBe("instead");
  });

  it("says what was tried, where and why, and keeps the old file", () => {
    mkdirSync(join(folder, "taken"));
    writeFileSync(join(folder, "file"), "old");
    expect(() => writeFileAtomic(join(folder, "taken"), "x", { action, hint: "Move it." })).toThrow(
      expect.objectContaining({
        name: "SkilletError",
        message: expect.stringContaining(`Cannot ${action}: `),
        hint: "Move it.",
      }),
    );
    expect(() => writeFileAtomic(join(folder, "file/below"), "x", { action })).toThrow(
      /something else is in its place/,
    );
    expect(readFileSync(join(folder, "file"), "utf8")).toBe("old");
    expect(readdirSync(folder).sort()).toEqual(["file", "taken"]);
  });

  it.runIf(posix)("survives a size limit with the old content (row G15)", () => {
    const path = join(folder, "file");
    writeFileSync(path, "old");
    const script = program(`
      try { writeFileAtomic(${JSON.stringify(path)}, "x".repeat(1 << 20), { action: "store" }); }
      catch (error) { console.log(error.message); }`);
    // Without the trap the signal ends the process before the call can fail; bash counts in KiB.
    const limited = `trap '' XFSZ; ulimit -f 512; exec "$0" "$@"`;
    const result = spawnSync("bash", ["-c", limited, process.execPath, script], { encoding: "utf8" });
    expect(result.stdout).toMatch(/Cannot store: the file would be larger than allowed here \(EFBIG\)/);
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(folder).sort()).toEqual(["file", "program.mjs"]);
  });

  it.runIf(posix)("leaves the old or the new file when it is killed at any moment (row G13)", async () => {
    const path = join(folder, "file");
    const script = program(`
      for (let index = 0; ; index++) {
        writeFileAtomic(${JSON.stringify(path)}, String(index % 10).repeat(300_000), { action: "store" });
        if (index === 0) process.stdout.write("started");
      }`);
    for (let round = 0; round < 4; round++) {
      const child = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
      await once(child.stdout, "data");
      await setTimeout(7 + 13 * round);
      child.kill("SIGKILL");
      await once(child, "exit");
      expect(readFileSync(path, "utf8")).toMatch(/^(\d)\1{299999}$/);
    }
  });
});

/** A program of its own that has the function under test. */
function program(source: string): string {
  const path = join(folder, "program.mjs");
  const module = fileURLToPath(new URL("./atomic-write.ts", import.meta.url));
  buildSync({
    stdin: {
      contents: `import { writeFileAtomic } from ${JSON.stringify(module)};${source}`,
      resolveDir: folder,
    },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: path,
  });
  return path;
}
