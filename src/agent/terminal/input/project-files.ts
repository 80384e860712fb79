import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { toNative } from "../../../host/native-path.ts";

/** Files that are offered at most. */
const most = 20_000;
/** Milliseconds for which a list is good. */
const fresh = 10_000;

const skipped: ReadonlySet<string> = new Set([
  ".git",
  "node_modules",
  "dist",
  "build",
  "target",
  ".venv",
  "__pycache__",
]);

/** Files below a folder for `@` completion, with their folders; git's list where git has one. Looked up in the background. */
export function projectFiles(
  cwd: string,
  changed: () => void = () => {},
): { list(): readonly string[]; refresh(): void } {
  let files: readonly string[] = [];
  let at = Number.NEGATIVE_INFINITY;
  let busy = false;
  const refresh = (): void => {
    if (busy || performance.now() - at < fresh) return;
    busy = true;
    const done = (paths: readonly string[]): void => {
      files = withFolders(paths.slice(0, most));
      at = performance.now();
      busy = false;
      changed();
    };
    const options = { cwd: toNative(cwd), maxBuffer: 16 * 1024 * 1024, encoding: "utf8" as const };
    execFile("git", ["ls-files", "-co", "--exclude-standard", "-z"], options, (error, stdout) => {
      done(error === null ? stdout.split("\0").filter((path) => path !== "") : walk(cwd));
    });
  };
  return {
    list() {
      refresh();
      return files;
    },
    refresh,
  };
}

function withFolders(paths: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const path of paths)
    for (let cut = path.indexOf("/"); cut >= 0; cut = path.indexOf("/", cut + 1))
      folders.add(path.slice(0, cut + 1));
  return [...paths, ...folders].sort((one, other) => one.length - other.length || (one < other ? -1 : 1));
}

function walk(top: string): readonly string[] {
  const found: string[] = [];
  const waiting = [""];
  for (let folder = waiting.shift(); folder !== undefined && found.length < most; folder = waiting.shift()) {
    try {
      for (const entry of readdirSync(join(toNative(top), folder), { withFileTypes: true })) {
        const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
        if (entry.isDirectory() && !skipped.has(entry.name)) waiting.push(path);
        else if (entry.isFile()) found.push(path);
      }
    } catch {
      // A folder that cannot be read has nothing to offer.
    }
  }
  return found;
}
