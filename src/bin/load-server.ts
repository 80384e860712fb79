import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { createRequire, Module } from "node:module";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { constants, Script } from "node:vm";

type Shell = typeof import("../cli/main.ts");

/**
 * Loads the file of the server and of `list` with the code that V8 made of it in an earlier run, which halves the time
 * until a client gets its first answer. The code is kept in Skillet's cache folder; without it, or where anything about it is not as it was
 * left (another Node, another file, another owner), the file is compiled as usual.
 */
export function loadServer(): Shell {
  const file = join(__dirname, "mcp.js");
  const source = readFileSync(file, "utf8");
  const cache = cachePath(file);
  const cachedData = cache === null ? null : readCode(cache);
  const script = new Script(Module.wrap(source), {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === null ? {} : { cachedData }),
  });
  if (cache !== null && (cachedData === null || script.cachedDataRejected === true))
    process.once("exit", () => writeCode(cache, script.createCachedData()));
  const module: { exports: Partial<Shell> } = { exports: {} };
  const wrapped: unknown = script.runInThisContext();
  if (typeof wrapped !== "function") throw new TypeError("the server's file is damaged");
  wrapped.call(module.exports, module.exports, createRequire(file), module, file, dirname(file));
  return module.exports as Shell;
}

/** One file for each Node and each build of Skillet; null = there is no place for it. */
function cachePath(file: string): string | null {
  const folder = dataFolder();
  if (folder === null) return null;
  const { size, mtimeMs } = statSync(file);
  const key = `${process.version} ${process.arch} ${file} ${size} ${mtimeMs}`;
  return join(folder, "cache", "code", `${createHash("sha256").update(key).digest("hex").slice(0, 24)}.bin`);
}

/** As `core/places.ts` finds it, by the flags and variables alone: nothing of the product is loaded yet. */
function dataFolder(): string | null {
  const given = flag("data");
  if (given !== null) return resolve(given);
  const home = flag("home");
  if (home !== null) return join(resolve(home), ".local/share/skillet");
  const { SKILLET_DATA_DIR: own, XDG_DATA_HOME: xdg } = process.env;
  if (own !== undefined && isAbsolute(own)) return own;
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, "skillet");
  const user = homedir();
  return isAbsolute(user) ? join(user, ".local/share/skillet") : null;
}

function flag(name: string): string | null {
  const args = process.argv.slice(2);
  const at = args.findLastIndex((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`));
  if (at < 0) return null;
  const arg = args[at] ?? "";
  return arg.includes("=") ? arg.slice(arg.indexOf("=") + 1) : (args[at + 1] ?? null);
}

/** The code behind its digest; null for anything that this user did not leave there whole. */
function readCode(path: string): Buffer | null {
  try {
    const stats = lstatSync(path);
    const user = process.getuid?.();
    if (!stats.isFile() || (user !== undefined && (stats.uid !== user || (stats.mode & 0o022) !== 0)))
      return null;
    const bytes = readFileSync(path);
    const code = bytes.subarray(32);
    return createHash("sha256").update(code).digest().equals(bytes.subarray(0, 32)) ? code : null;
  } catch {
    return null;
  }
}

function writeCode(path: string, code: Buffer): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const digest = createHash("sha256").update(code).digest();
    writeFileSync(temporary, Buffer.concat([digest, code]), { mode: 0o600, flag: "wx" });
    renameSync(temporary, path);
  } catch {
    try {
      unlinkSync(temporary);
    } catch {
      // It was never made: a home that takes no files starts as before.
    }
  }
}
