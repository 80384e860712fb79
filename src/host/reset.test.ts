import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Environment } from "../core/environment.ts";
import { reset, resetPlan } from "./reset.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "skillet-reset-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

function environment(data: string | null = null): Environment {
  return { cwd: root, home: join(root, "home"), data, platform: "linux", variables: {}, language: "en" };
}
function put(path: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), "12345");
}

it("removes what Skillet wrote and nothing else, never through a link", () => {
  put("home/.local/share/skillet/state/state.json");
  put("home/.local/share/skillet/state/deep/x");
  put("home/.local/share/skillet/notes.txt");
  put("home/.config/skillet/skillet.jsonc");
  put("outside/keep");
  const data = join(root, "home/.local/share/skillet");
  symlinkSync(join(root, "outside"), join(data, "cache"));
  symlinkSync(join(root, "outside"), join(data, "state/link"));
  symlinkSync(".", join(data, "state/round"));

  const plan = resetPlan(environment());
  expect(plan.remove.map(({ path, what, files }) => [path, what, files])).toEqual([
    [join(data, "state"), "state", 4],
  ]);
  expect(plan.keep.map(({ path }) => path)).toEqual([
    join(data, "cache"),
    join(data, "notes.txt"),
    join(root, "home/.config/skillet/skillet.jsonc"),
  ]);
  expect(existsSync(join(data, "state"))).toBe(true);

  reset(environment());
  expect(readdirSync(data).sort()).toEqual(["cache", "notes.txt"]);
  expect(readdirSync(join(root, "outside"))).toEqual(["keep"]);
  reset(environment(), { config: true });
  expect(existsSync(join(root, "home/.config/skillet"))).toBe(false);
});

it("leaves other things alone when the data folder is somebody's folder, and no empty folder behind", () => {
  put("mine/src/code.ts");
  put("mine/cache/a");
  reset(environment(join(root, "mine")));
  expect(readdirSync(join(root, "mine"))).toEqual(["src"]);
  put("own/state/state.json");
  reset(environment(join(root, "own")));
  expect(existsSync(join(root, "own"))).toBe(false);
  expect(resetPlan(environment(join(root, "own")))).toEqual({ remove: [], keep: [] });
});
