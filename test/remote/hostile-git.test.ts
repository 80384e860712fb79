import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createEnvironment } from "../../src/host/environment.ts";
import { archiveLimits } from "../../src/remote/archive/limits.ts";
import { gitAccess, gitEnvironment } from "../../src/remote/git/git-environment.ts";
import { fetchGit } from "../../src/remote/install/fetch-git.ts";
import { type Sandbox, sandbox, skill } from "../cli/run-skillet.ts";
import { type Upstream, upstream } from "./git-ground.ts";

// Repositories made by an enemy (rows F01 to F08).
let place: Sandbox;
let source: Upstream;
let pwned: string;

beforeEach(() => {
  place = sandbox();
  source = upstream(place.folder);
  pwned = join(place.folder, "PWNED");
  writeFileSync(join(place.folder, "secret.txt"), "CANARY-SECRET");
});
afterEach(() => {
  expect(existsSync(pwned)).toBe(false);
  place.remove();
});

const add = (...more: readonly string[]) => place.run(["add", source.path, "--yes", "--json", ...more]);
interface Report {
  readonly changes: readonly {
    readonly name: string;
    readonly action: string;
    readonly findings: readonly { readonly code: string; readonly message: string }[];
  }[];
  readonly diagnostics: readonly { readonly code: string; readonly message: string }[];
}
const installed = (...parts: readonly string[]) => join(place.project, ".agents/skills", ...parts);

describe("repositories", () => {
  test("links to elsewhere are left out and named; one inside comes as its file", async () => {
    source.commit({
      "links/SKILL.md": skill("links", "Has links."),
      "links/secret": { to: join(place.folder, "secret.txt") },
      "links/up": { to: "../../secret.txt" },
      "links/passwd": { to: "/etc/passwd" },
      "links/loop": { to: "loop" },
      "links/folder": { to: "." },
      "links/again.md": { to: "SKILL.md" },
    });
    const done = await add();
    expect(done.code).toBe(0);
    expect(readdirSync(installed("links")).sort()).toEqual(["SKILL.md", "again.md"]);
    const codes = (done.json() as Report).changes[0]?.findings.map(({ code }) => code);
    expect(codes).toContain("install/link-left-out");
    expect(done.stdout).not.toContain("CANARY");
  });

  test("hooks, filters, attributes, submodules and tool settings do nothing", async () => {
    source.commit({
      "SKILL.md": skill("upstream", "At the top."),
      ".gitattributes": "*.md filter=evil\n*.bin filter=lfs diff=lfs merge=lfs\n* ident\n",
      ".gitmodules": `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c "touch% ${pwned}"\n`,
      ".lfsconfig": `[lfs]\n\turl = ext::touch ${pwned}\n`,
      "big.bin": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
      ".opencode/plugin/x.js": `require("fs").writeFileSync(${JSON.stringify(pwned)}, "")`,
      "package.json": JSON.stringify({ scripts: { postinstall: `touch ${pwned}` } }),
    });
    const commit = source.git("rev-parse", "HEAD");
    source.git("update-index", "--add", "--cacheinfo", `160000,${commit},x`);
    source.git("commit", "-q", "-m", "submodule");
    source.git("push", "-q", source.path, "main");
    mkdirSync(join(source.path, "hooks"), { recursive: true });
    for (const hook of ["post-checkout", "post-upload-pack", "reference-transaction"]) {
      writeFileSync(join(source.path, "hooks", hook), `#!/bin/sh\ntouch ${pwned}\n`);
      chmodSync(join(source.path, "hooks", hook), 0o755);
    }
    // The user's own configuration names a filter, as an installed LFS does.
    place.write({
      "~/.gitconfig": `[filter "evil"]\n\tsmudge = touch ${pwned}\n\tclean = touch ${pwned}\n\trequired = true\n[filter "lfs"]\n\tsmudge = touch ${pwned}\n\tprocess = touch ${pwned}\n`,
    });
    const done = await add();
    expect(done.code).toBe(0);
    const findings = (done.json() as Report).changes[0]?.findings.map(({ code }) => code);
    expect(findings).toContain("install/large-file-pointer");
    expect(findings).toContain("install/link-left-out");
    expect(readFileSync(installed("upstream/big.bin"), "utf8")).toContain("git-lfs");
    expect(existsSync(installed("upstream/x"))).toBe(false);
  });

  test("a submodule that would run a command at update is refused by git itself", async () => {
    source.commit({
      "a/SKILL.md": skill("a", "A."),
      ".gitmodules": `[submodule "x"]\n\tpath = x\n\turl = https://host.example/x\n\tupdate = !touch ${pwned}\n`,
    });
    expect((await add()).code).toBe(1);
    expect(existsSync(installed("a"))).toBe(false);
  });

  test("a project's git settings do not count", async () => {
    source.commit({ "a/SKILL.md": skill("a", "A.") });
    writeFileSync(
      join(place.project, ".git/config"),
      `[core]\n\tsshCommand = touch ${pwned}\n\tfsmonitor = touch ${pwned}\n\tgitProxy = touch ${pwned}\n[url "ext::touch ${pwned} "]\n\tinsteadOf = ${source.path}\n\tinsteadOf = file://\n[credential]\n\thelper = !touch ${pwned}\n`,
    );
    expect((await add()).code).toBe(0);
  });

  test.each(["git~1", ".GIT", "a\nb", "con", "aux.md", "b\\c", "x:y", "end.", "\u202eevil", "..."])(
    "a file named %j refuses its skill, not its neighbour",
    async (name) => {
      source.commit({ "good/SKILL.md": skill("good", "Good."), "bad/SKILL.md": skill("bad", "Bad.") });
      const blob = source.git("rev-parse", "HEAD:good/SKILL.md");
      const make = (input: string): string =>
        execFileSync("git", ["mktree", "-z"], {
          cwd: join(place.folder, "work"),
          input,
          encoding: "utf8",
        }).trim();
      const main = source.git("rev-parse", "HEAD:bad/SKILL.md");
      const bad = make(`100644 blob ${main}\tSKILL.md\x00100644 blob ${blob}\t${name}\0`);
      const top = make(
        `040000 tree ${bad}\tbad\x00040000 tree ${source.git("rev-parse", "HEAD:good")}\tgood\0`,
      );
      const commit = source.git("commit-tree", top, "-m", "x");
      execFileSync(
        "git",
        ["-c", "core.protectNTFS=false", "push", "-q", "-f", source.path, `${commit}:refs/heads/main`],
        { cwd: join(place.folder, "work") },
      );
      const done = await add();
      const report = done.json() as Report;
      // Git itself refuses some of them for everything that comes with them.
      if (report.changes.length > 0) {
        expect(report.changes.map((change) => [change.name, change.action])).toEqual([["good", "added"]]);
        expect(report.diagnostics.map(({ code }) => code)).toContain("install/unsafe-path");
      } else expect(report.diagnostics.map(({ code }) => code)).toEqual(["install/fetch-failed"]);
      expect(done.code).toBe(1);
      expect(existsSync(installed("bad"))).toBe(false);
    },
  );

  test("twins and a name like an option", async () => {
    source.commit({
      "twins/SKILL.md": skill("twins", "Twins."),
      "twins/a.md": "1",
      "twins/A.md": "2",
      "-rf/SKILL.md": skill("option", "A folder like an option."),
    });
    const done = await add();
    expect((done.json() as Report).changes.map(({ name, action }) => [name, action])).toEqual([
      ["option", "added"],
    ]);
    expect(existsSync(installed("twins"))).toBe(false);
  });

  test("too large: one file, many files; the neighbour comes", async () => {
    source.commit({
      "large/SKILL.md": skill("large", "Large."),
      "large/big.bin": Buffer.alloc(60 * 1024 * 1024),
      "many/SKILL.md": skill("many", "Many."),
      ...Object.fromEntries(Array.from({ length: 2100 }, (_, index) => [`many/n/${index}`, "x"])),
      "good/SKILL.md": skill("good", "Good."),
    });
    const done = await add();
    const report = done.json() as Report;
    expect(report.changes.map(({ name }) => name)).toEqual(["good"]);
    expect(report.diagnostics.map(({ code }) => code)).toEqual([
      "install/too-large",
      "install/too-large",
      "install/only-here",
    ]);
  });

  test("only the skill's folder is taken", async () => {
    source.commit({
      "skills/a/SKILL.md": skill("a", "A."),
      Makefile: "all:\n",
      ".mcp.json": "{}",
      ".claude/settings.json": "{}",
    });
    expect((await add()).code).toBe(0);
    expect(readdirSync(place.project).sort()).toEqual([".agents", ".git", "skillet.lock"]);
  });
});

describe("what moves", () => {
  test("a branch that moved, a commit that is gone: the lock keeps what was there", async () => {
    const first = source.commit({ "a/SKILL.md": skill("a", "First.") });
    await add();
    source.git("commit", "-q", "--amend", "-m", "rewritten", "--allow-empty");
    source.commit({ "a/SKILL.md": skill("a", "Second.") });
    expect(JSON.parse(readFileSync(join(place.project, "skillet.lock"), "utf8")).skills.a.revision).toBe(
      first,
    );
    const planned = await place.run(["update", "--dry-run"]);
    expect(planned.stdout).toContain('+description: "Second."');
    expect(readFileSync(installed("a/SKILL.md"), "utf8")).toContain("First.");
  });

  test("a name that is not there ends, without a question", async () => {
    const done = await place.run(["add", `${source.path}-gone`, "--yes"]);
    expect(done.code).toBe(3);
  });
});

describe("the environment git runs in", () => {
  const environment = (variables: Readonly<Record<string, string>>) =>
    createEnvironment({ processEnv: { HOME: tmpdir(), PATH: "/bin", ...variables } }).value;

  test("nothing asks, nothing of GIT_* gets through, only safe protocols", () => {
    const given = environment({
      GIT_DIR: "/x",
      GIT_WORK_TREE: "/x",
      GIT_EXTERNAL_DIFF: "touch",
      GIT_CONFIG_PARAMETERS: "'core.hooksPath'='/x'",
      GIT_PROXY_COMMAND: "touch",
      GIT_EXEC_PATH: "/x",
      GIT_TEMPLATE_DIR: "/x",
      https_proxy: "http://proxy.example:3128",
      SSL_CERT_FILE: "/own/ca.pem",
    });
    const made = gitEnvironment(given, gitAccess("https://host.example/r.git", given));
    expect(
      Object.keys(made).filter((name) => /^GIT_(?:DIR|WORK|EXT|CONFIG_P|PROXY|EXEC|TEMPLATE)/.test(name)),
    ).toEqual([]);
    expect(made).toMatchObject({
      GIT_TERMINAL_PROMPT: "0",
      GIT_ALLOW_PROTOCOL: "https:ssh",
      https_proxy: "http://proxy.example:3128",
      GIT_SSL_CAINFO: "/own/ca.pem",
      GIT_SSH_COMMAND: "ssh -oBatchMode=yes",
    });
  });

  test("http and local repositories only where the address itself says so", () => {
    const access = (url: string) => gitAccess(url, environment({})).protocols;
    expect(access("http://host.example/r.git")).toBe("https:ssh");
    expect(access("http://127.0.0.1:3000/r.git")).toBe("https:ssh:http");
    expect(access("file:///r.git")).toBe("https:ssh:file");
    expect(access("git@host.example:r.git")).toBe("https:ssh");
  });

  test("a token goes to GitHub alone and never onto a command line", () => {
    const given = environment({ GITHUB_TOKEN: "ghp_secret" });
    const made = gitEnvironment(given, gitAccess("https://github.com/o/r.git", given));
    expect(made.GIT_CONFIG_KEY_0).toBe("http.https://github.com/.extraHeader");
    for (const url of [
      "https://github.com.evil.example/o/r.git",
      "https://host.example/r.git",
      "git@github.com:o/r.git",
    ]) {
      expect(JSON.stringify(gitEnvironment(given, gitAccess(url, given)))).not.toContain("secret");
    }
    const own = environment({ GITHUB_TOKEN: "ghp_secret", SKILLET_GITHUB_URL: "https://git.example" });
    expect(gitEnvironment(own, gitAccess("https://github.com/o/r.git", own)).GIT_CONFIG_COUNT).toBe(
      undefined,
    );
    expect(gitEnvironment(own, gitAccess("https://git.example/o/r.git", own)).GIT_CONFIG_COUNT).toBe("1");
  });

  test("a server that never answers ends with the caller, and leaves nothing", async () => {
    const { createServer } = await import("node:net");
    const server = createServer(() => undefined);
    const port = await new Promise<number>((done) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address();
        done(typeof address === "object" && address !== null ? address.port : 0);
      });
    });
    const own = mkdtempSync(join(tmpdir(), "skillet-tmp-"));
    const before = process.env.TMPDIR;
    process.env.TMPDIR = own;
    try {
      const fetching = fetchGit(
        {
          kind: "git",
          text: "slow",
          skill: null,
          url: `http://127.0.0.1:${port}/r.git`,
          ref: null,
          path: null,
          tree: null,
        },
        {
          environment: environment({ PATH: process.env.PATH ?? "" }),
          limits: archiveLimits,
          signal: AbortSignal.timeout(1500),
        },
      );
      await expect(fetching).rejects.toMatchObject({ code: "cancelled" });
      expect(readdirSync(own)).toEqual([]);
    } finally {
      process.env.TMPDIR = before;
      if (before === undefined) delete process.env.TMPDIR;
      server.close();
    }
  });
});
