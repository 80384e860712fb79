import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFileSystem } from "../../host/node-file-system.ts";
import { findRepository, projectFolders } from "./repository.ts";

const fileSystem = createFileSystem();
let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "skillet-repo-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
const at = (...parts: string[]) => join(root, ...parts);
function put(path: string, text = ""): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}
const find = (path: string) => findRepository(fileSystem, at(path));

describe("findRepository", () => {
  it("takes the nearest .git folder that has HEAD", () => {
    put("a/.git/HEAD", "ref: refs/heads/main\n");
    put("a/b/.git/objects/keep");
    put("a/b/c/x");
    expect(find("a/b/c")).toEqual({
      root: at("a"),
      cwd: at("a/b/c"),
      gitDir: at("a/.git"),
      commonDir: at("a/.git"),
      mainCheckout: null,
    });
    put("a/b/.git/HEAD");
    expect(find("a/b/c")?.root).toBe(at("a/b"));
    expect(find("nowhere")).toBe(null);
  });

  it("follows a .git file to an existing folder only", () => {
    put("super/.git/HEAD");
    put("super/.git/modules/m/HEAD");
    put("super/m/.git", "gitdir: ../.git/modules/m\n");
    put("super/empty/.git", "");
    put("super/lost/.git", "gitdir: /no/such/folder\n");
    put("super/odd/.git", "gitdir: a\0b\n");
    expect(find("super/m")).toMatchObject({
      root: at("super/m"),
      gitDir: at("super/.git/modules/m"),
      mainCheckout: null,
    });
    expect(["super/empty", "super/lost", "super/odd"].map((path) => find(path)?.root)).toEqual(
      Array(3).fill(at("super")),
    );
  });

  it("knows no main checkout of worktrees of a bare repository", () => {
    put("bare.git/HEAD");
    put("bare.git/worktrees/w/gitdir", `${at("w/.git")}\n`);
    put("bare.git/worktrees/w/commondir", "../..\n");
    put("w/.git", `gitdir: ${at("bare.git/worktrees/w")}\n`);
    expect(find("w")).toMatchObject({ root: at("w"), commonDir: at("bare.git"), mainCheckout: null });
  });

  it("finds the repository behind a linked working folder", () => {
    if (process.platform === "win32") return;
    put("r/.git/HEAD");
    put("r/sub/x");
    symlinkSync(at("r/sub"), at("shortcut"));
    const real = fileSystem.realPath(at("r"));
    expect(find("shortcut")?.root).toBe(real.kind === "path" ? real.path : "");
  });

  it("is not blocked by what is no file", () => {
    if (process.platform === "win32") return;
    mkdirSync(at("x/y"), { recursive: true });
    symlinkSync(".git", at("x/.git"));
    expect(find("x/y")).toBe(null);
  });
});

describe("projectFolders", () => {
  it("ends at the repository, at home, or at the top of the disk", () => {
    const environment = { cwd: "/home/me/repo/a/b", home: "/home/me" };
    const repository = {
      root: "/home/me/repo",
      cwd: environment.cwd,
      gitDir: "",
      commonDir: "",
      mainCheckout: null,
    };
    expect(projectFolders(environment, repository)).toEqual([
      "/home/me/repo/a/b",
      "/home/me/repo/a",
      "/home/me/repo",
    ]);
    expect(projectFolders(environment, null).at(-1)).toBe("/home/me");
    expect(projectFolders({ cwd: "/srv/x", home: "/home/me" }, null)).toEqual(["/srv/x", "/srv", "/"]);
    expect(projectFolders({ cwd: "/home/me2/x", home: "/home/me" }, null).at(-1)).toBe("/");
  });
});
