import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { treeDigest } from "../../src/host/sync/tree-digest.ts";
import { runSkillet, type Sandbox, sandbox, skill } from "./run-skillet.ts";

let place: Sandbox;
beforeEach(() => {
  place = sandbox();
  place.write({
    "~/.config/skillet/skillet.jsonc": `{ "skills": { "builtin": false } }`,
    ".agents/skills/pdf/SKILL.md": skill("pdf", "Fill in PDF forms."),
    ".agents/skills/pdf/scripts/fill.py": "print('fill')\n",
    "~/.agents/skills/mine/SKILL.md": skill("mine", "Of the user."),
  });
});
afterEach(() => place.remove());

interface Change {
  readonly name: string;
  readonly action: string;
  readonly agent: string;
  readonly findings: readonly { readonly code: string }[];
}

async function sync(...args: readonly string[]): Promise<{ code: number; changes: Record<string, string> }> {
  const { code, json } = await place.run(["sync", "--json", "--trust", ...args]);
  const { changes } = json() as { changes: readonly Change[] };
  return { code, changes: Object.fromEntries(changes.map(({ name, action }) => [name, action])) };
}

const claude = (...path: readonly string[]): string => join(place.project, ".claude/skills", ...path);

describe("sync", () => {
  it("links what is offered, brings it up to date, and takes it back", async () => {
    expect(await sync("--to", "claude", "--dry-run")).toEqual({
      code: 0,
      changes: { mine: "linked", pdf: "linked" },
    });
    expect(existsSync(join(place.project, ".claude"))).toBe(false);
    expect(await sync("--to", "claude")).toEqual({ code: 0, changes: { mine: "linked", pdf: "linked" } });
    expect(readlinkSync(claude("pdf"))).toBe("../../.agents/skills/pdf");
    expect(readFileSync(claude("pdf/scripts/fill.py"), "utf8")).toBe("print('fill')\n");
    expect(await sync()).toEqual({ code: 0, changes: { mine: "unchanged", pdf: "unchanged" } });
    rmSync(join(place.home, ".agents/skills/mine"), { recursive: true });
    expect((await sync()).changes).toEqual({ mine: "removed", pdf: "unchanged" });
    expect(await sync("--undo")).toEqual({ code: 0, changes: { pdf: "removed" } });
    expect(existsSync(join(place.project, ".claude"))).toBe(false);
    expect(existsSync(join(place.project, ".agents/skills/pdf/SKILL.md"))).toBe(true);
  });

  it("copies on demand, and replaces copies when their skill changes", async () => {
    expect((await sync("--to", "claude", "--copy")).changes).toEqual({ mine: "copied", pdf: "copied" });
    expect(lstatSync(claude("pdf")).isDirectory()).toBe(true);
    expect((await sync("--to", "claude")).changes).toEqual({ mine: "unchanged", pdf: "unchanged" });
    place.write({ ".agents/skills/pdf/scripts/fill.py": "print('more')\n" });
    expect((await sync()).changes).toEqual({ mine: "unchanged", pdf: "updated" });
    expect(readFileSync(claude("pdf/scripts/fill.py"), "utf8")).toBe("print('more')\n");
    rmSync(join(place.home, ".agents/skills/mine"), { recursive: true });
    expect((await sync()).changes).toEqual({ mine: "removed", pdf: "unchanged" });
    expect((await sync("--link")).changes).toEqual({ pdf: "updated" });
    expect(lstatSync(claude("pdf")).isSymbolicLink()).toBe(true);
    expect((await sync("--undo")).changes).toEqual({ pdf: "removed" });
    expect(existsSync(join(place.project, ".claude"))).toBe(false);
  });

  it.each([["--link"], ["--copy"]])(
    "a project that was moved is still ours, and its record names no place of a machine (%s)",
    async (how) => {
      expect((await sync("--to", "claude", how)).changes).toEqual({
        mine: expect.any(String),
        pdf: expect.any(String),
      });
      const record = readFileSync(claude(".skillet-sync.json"), "utf8");
      expect(record).not.toContain(place.folder);
      expect(record).toContain('"from": "../../.agents/skills/pdf"');
      const moved = join(place.home, "elsewhere/deeper/project");
      mkdirSync(dirname(moved), { recursive: true });
      renameSync(place.project, moved);
      const run = async (...args: readonly string[]) => {
        const flags = ["--home", place.home, "--data", place.data, "--trust", "--json"];
        const { code, json } = await runSkillet(["sync", ...args, ...flags], moved);
        const { changes } = json() as { changes: readonly Change[] };
        return { code, changes: Object.fromEntries(changes.map(({ name, action }) => [name, action])) };
      };
      expect(await run()).toEqual({
        code: 0,
        changes: { mine: how === "--link" ? "updated" : "unchanged", pdf: "unchanged" },
      });
      expect(readFileSync(join(moved, ".claude/skills/mine/SKILL.md"), "utf8")).toContain("Of the user.");
      expect(await run("--undo")).toEqual({ code: 0, changes: { mine: "removed", pdf: "removed" } });
      expect(existsSync(join(moved, ".claude"))).toBe(false);
    },
  );

  it("a folder that takes nothing: the dry run says what the run would say, and no other folder is changed", async () => {
    mkdirSync(claude(), { recursive: true });
    writeFileSync(join(place.project, ".codex"), "a file where a folder should be");
    const dry = await place.run(["sync", "--to", "claude,codex", "--dry-run", "--trust"]);
    const real = await place.run(["sync", "--to", "claude,codex", "--trust"]);
    expect(dry.code).not.toBe(0);
    expect([real.code, real.stderr]).toEqual([dry.code, dry.stderr]);
    expect(readdirSync(claude())).toEqual([]);
  });

  it("a folder without the right to write: the dry run fails as the run does", () => {
    place.write({ ".claude/skills/.keep": "" });
    const program = join(fileURLToPath(new URL("../..", import.meta.url)), "src/bin/skillet.ts");
    const flags = ["--home", place.home, "--data", place.data, "--cwd", place.project, "--trust"];
    const ask = (...args: readonly string[]) =>
      spawnSync(process.execPath, ["--import", "tsx", program, "sync", ...args, ...flags], {
        cwd: fileURLToPath(new URL("../..", import.meta.url)),
        encoding: "utf8",
        // Root may write everywhere.
        ...(process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}),
      });
    chmodSync(place.folder, 0o755);
    mkdirSync(place.data, { recursive: true });
    chmodSync(place.data, 0o777);
    chmodSync(claude(), 0o555);
    const [dry, real] = [ask("--to", "claude", "--dry-run"), ask("--to", "claude")];
    chmodSync(claude(), 0o755);
    for (const { status, stderr } of [dry, real]) {
      expect(stderr.replace(/\s+/g, " ")).toMatch(
        /Cannot put skills into the folder: you have no permission \(EACCES\)/,
      );
      expect(status).toBe(2);
    }
    expect(readdirSync(claude())).toEqual([".keep"]);
  });

  it("keeps what was edited, and says so; undo leaves it to the user", async () => {
    await sync("--to", "claude", "--copy");
    writeFileSync(claude("pdf/SKILL.md"), skill("pdf", "My own words."));
    place.write({ ".agents/skills/pdf/scripts/fill.py": "print('more')\n" });
    const again = await place.run(["sync", "--trust"]);
    expect(again.code).toBe(1);
    expect(again.stderr.replace(/\s+/g, " ")).toContain(
      '"pdf": It was changed since sync put it there, so it stays.',
    );
    expect(await sync("--undo")).toEqual({ code: 0, changes: { mine: "removed", pdf: "kept" } });
    expect(readFileSync(claude("pdf/SKILL.md"), "utf8")).toContain("My own words.");
    expect(readdirSync(claude())).toEqual(["pdf"]);
  });

  it.each([
    ["a file added", (): void => writeFileSync(claude("pdf/notes.md"), "mine")],
    ["a folder added", (): void => void mkdirSync(claude("pdf/drafts"))],
    ["a link added", (): void => symlinkSync("SKILL.md", claude("pdf/link"))],
    ["a file taken away", (): void => rmSync(claude("pdf/scripts/fill.py"))],
  ])("takes a copy with %s for edited", async (_, edit) => {
    await sync("--to", "claude", "--copy");
    edit();
    const before = treeDigest(claude("pdf"));
    expect((await sync("--undo")).changes).toEqual({ mine: "removed", pdf: "kept" });
    expect(treeDigest(claude("pdf"))).toBe(before);
  });

  it("never touches what was there before", async () => {
    place.write({
      ".claude/skills/pdf/SKILL.md": skill("other", "Of somebody."),
      ".claude/skills/mine": "a file",
    });
    const { code, changes } = await sync("--to", "claude");
    expect([code, changes]).toEqual([1, { mine: "kept", other: "unchanged", pdf: "kept" }]);
    expect(await sync("--undo", "--to", "claude")).toEqual({ code: 0, changes: {} });
    expect(readFileSync(claude("mine"), "utf8")).toBe("a file");
  });

  it("does not follow a link that replaced a copy, and does not remove it", async () => {
    await sync("--to", "claude", "--copy");
    const outside = join(place.folder, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "keep"), "");
    rmSync(claude("pdf"), { recursive: true });
    symlinkSync(outside, claude("pdf"));
    expect((await sync("--undo")).changes).toEqual({ mine: "removed", pdf: "kept" });
    expect(readdirSync(outside)).toEqual(["keep"]);
  });

  it("puts only the user's own skills into the user's folders", async () => {
    expect((await sync("--to", "codex,gemini", "--user")).changes).toEqual({ mine: "linked" });
    expect(readlinkSync(join(place.home, ".codex/skills/mine"))).toBe("../../.agents/skills/mine");
    expect(existsSync(join(place.home, ".gemini/skills/mine/SKILL.md"))).toBe(true);
    expect((await sync("--to", "agents", "--user")).changes).toEqual({ mine: "unchanged" });
    await sync("--undo", "--user");
    expect(existsSync(join(place.home, ".codex"))).toBe(false);
  });

  it("leaves out what is denied, asks first, waits for trust or is switched off", async () => {
    place.write({
      "~/.config/skillet/skillet.jsonc": `{ "skills": { "builtin": false }, "permission": { "skill": { "pdf": "ask", "no": "deny" } } }`,
      "~/.agents/skills/no/SKILL.md": skill("no", "Denied."),
      "~/.agents/skills/off/SKILL.md": skill("off", "Off."),
    });
    await place.run(["disable", "off"]);
    const { stdout } = await place.run(["sync", "--to", "claude", "--json", "--trust"]);
    const { changes, diagnostics } = JSON.parse(stdout);
    expect(changes.map(({ name }: Change) => name)).toEqual(["mine"]);
    expect(diagnostics).toMatchObject([{ code: "sync/left-out" }]);
    await sync("--undo");
    const untrusted = await place.run(["sync", "--to", "claude", "--json"]);
    expect(JSON.parse(untrusted.stdout).changes.map(({ name }: Change) => name)).toEqual(["mine"]);
  });

  it("writes once where two agents share one real folder", async () => {
    mkdirSync(join(place.project, ".shared"));
    mkdirSync(join(place.project, ".claude"));
    mkdirSync(join(place.project, ".codex"));
    symlinkSync("../.shared", join(place.project, ".claude/skills"));
    symlinkSync("../.shared", join(place.project, ".codex/skills"));
    const { json } = await place.run(["sync", "--to", "claude", "codex", "--json", "--trust"]);
    const { changes } = json() as { changes: readonly Change[] };
    expect(changes.map(({ agent, name }) => `${agent} ${name}`)).toEqual(["claude mine", "claude pdf"]);
    await sync("--undo");
    expect(readdirSync(join(place.project, ".shared"))).toEqual([]);
  });

  it.each([
    ["no JSON", "{"],
    ["a list", "[]"],
    ["of a newer version", `{"version":2,"skills":{}}`],
    ["leading out", `{"version":1,"made":0,"skills":{"../../x":{"from":"","links":[],"digests":[]}}}`],
    ["with a damaged entry", `{"version":1,"made":0,"skills":{"pdf":{"from":"","links":"x","digests":[]}}}`],
  ])("refuses a record that is %s and changes nothing", async (_, text) => {
    place.write({ ".claude/skills/.skillet-sync.json": text });
    const { code, stderr } = await place.run(["sync", "--trust", "--to", "claude"]);
    expect([code, readdirSync(claude())]).toEqual([1, [".skillet-sync.json"]]);
    expect(stderr.replace(/\s+/g, " ")).toContain("Nothing was changed");
  });

  it("says what is wrong with the call", async () => {
    expect((await place.run(["sync"])).code).toBe(2);
    const near = await place.run(["sync", "--to", "claud"]);
    expect([near.code, near.stderr.replace(/\s+/g, " ")]).toMatchObject([
      2,
      expect.stringContaining("Did you mean claude"),
    ]);
    expect((await place.run(["sync", "--to", "claude", "--copy", "--link"])).code).toBe(2);
  });

  it("has every agent's folder", async () => {
    const agents = ["opencode", "claude", "agents", "codex", "gemini", "cursor", "github", "mimo", "minimax"];
    const { json } = await place.run(["sync", "--to", agents.join(","), "--dry-run", "--json"]);
    const { folders } = json() as { folders: readonly { path: string }[] };
    expect(folders.map(({ path }) => dirname(path).slice(place.project.length + 1))).toEqual([
      ".opencode",
      ".claude",
      ".agents",
      ".codex",
      ".gemini",
      ".cursor",
      ".github",
      ".mimocode",
      ".minimax",
    ]);
  });
});

describe("a link that the project ships", () => {
  const put = ["--to", "claude"] as const;

  it.skipIf(process.platform === "win32").each([
    ["the folder to the user's own", ".claude/skills", "~/.claude/skills"],
    ["the agent's folder to elsewhere", ".claude", "../elsewhere"],
    ["the agent's folder to nowhere yet", ".claude", "../nowhere"],
  ])("that leads %s carries nothing out", async (_what, link, target) => {
    const to = target.replace("~", place.home);
    mkdirSync(join(place.project, "../elsewhere/skills"), { recursive: true });
    mkdirSync(join(place.home, ".claude/skills"), { recursive: true });
    mkdirSync(dirname(join(place.project, link)), { recursive: true });
    symlinkSync(to, join(place.project, link));
    const done = await place.run(["sync", "--json", "--trust", ...put]);
    expect(done.code).toBe(1);
    const { changes, diagnostics } = done.json() as {
      changes: readonly Change[];
      diagnostics: readonly { readonly code: string }[];
    };
    expect(changes.map(({ name, action }) => [name, action])).toEqual([
      ["mine", "failed"],
      ["pdf", "failed"],
    ]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["sync/outside"]);
    const undone = await place.run(["sync", "--trust", "--undo", ...put]);
    expect(undone.code).toBe(1);
    expect(undone.stdout).not.toContain("Nothing to do");
    expect(undone.stderr).toContain("outside of this project");
    expect(readdirSync(join(place.home, ".claude/skills"))).toEqual([]);
    expect(readdirSync(join(place.project, "../elsewhere/skills"))).toEqual([]);
    expect(existsSync(join(place.project, "../nowhere"))).toBe(false);
  });

  it.skipIf(process.platform === "win32")(
    "may lead elsewhere in the project; the user's own anywhere",
    async () => {
      mkdirSync(join(place.project, "shared"));
      mkdirSync(join(place.project, ".claude"));
      symlinkSync("../shared", join(place.project, ".claude/skills"));
      expect((await sync(...put)).code).toBe(0);
      expect(existsSync(join(place.project, "shared/pdf/SKILL.md"))).toBe(true);
      mkdirSync(join(place.folder, "dotfiles"));
      symlinkSync(join(place.folder, "dotfiles"), join(place.home, ".claude"));
      expect((await sync("--user", ...put)).code).toBe(0);
      expect(readdirSync(join(place.folder, "dotfiles/skills"))).toContain("mine");
    },
  );
});
