import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Outcome, type Sandbox, sandbox, skill } from "../cli/run-skillet.ts";
import { type Upstream, upstream } from "./git-ground.ts";

let place: Sandbox;
let source: Upstream;

beforeEach(() => {
  place = sandbox();
  source = upstream(place.folder);
  source.commit({
    "skills/hoe/SKILL.md": skill("hoe", "Use when hoeing a bed.", "# Hoe\n\none\ntwo\nthree\nfour\nfive\n"),
    "skills/hoe/scripts/run.sh": "#!/bin/sh\necho hoe\n",
    "skills/rake/SKILL.md": skill("rake", "Use when raking leaves."),
    "README.md": "# Garden\n",
  });
});
afterEach(() => place.remove());

const inProject = (...parts: readonly string[]): string => join(place.project, ...parts);
const read = (...parts: readonly string[]): string => readFileSync(inProject(...parts), "utf8");
interface Report {
  readonly changes: readonly {
    readonly name: string;
    readonly action: string;
    readonly agents: string[];
    readonly files: readonly { path: string; action: string; diff: string[] }[];
    readonly findings: readonly { readonly code: string; readonly message: string }[];
  }[];
  readonly diagnostics: readonly { readonly code: string }[];
  readonly written: boolean;
  readonly lock: string;
}
const report = (outcome: Outcome): Report => outcome.json() as Report;
const actions = (outcome: Outcome): Record<string, string> =>
  Object.fromEntries(report(outcome).changes.map(({ name, action }) => [name, action]));
const add = (...more: readonly string[]): Promise<Outcome> =>
  place.run(["add", source.path, "--json", "--yes", ...more]);

describe("add", () => {
  test("shows first and writes nothing where nobody can be asked", async () => {
    const shown = await place.run(["add", source.path]);
    expect(shown.code).toBe(1);
    expect(shown.stdout).toContain("hoe  would be added");
    expect(shown.stdout).toMatch(/scripts\/run\.sh +22 B|scripts\/run\.sh +\d+ B +may be run/);
    expect(shown.stdout).toContain("It brings scripts: scripts/run.sh.");
    expect(shown.stderr).toContain("Nothing was written");
    expect(readdirSync(place.project)).toEqual([".git"]);
  });

  test("--dry-run writes nothing, not even into the cache", async () => {
    const planned = await add("--dry-run");
    expect(planned.code).toBe(0);
    expect(actions(planned)).toEqual({ hoe: "added", rake: "added" });
    expect(report(planned).written).toBe(false);
    expect(readdirSync(place.project)).toEqual([".git"]);
    expect(existsSync(join(place.data, "cache/trees-v1"))).toBe(false);
  });

  test("installs into the store, links agents and writes a lock without times", async () => {
    const done = await add("--agents", "claude,agents");
    expect(done.code).toBe(0);
    expect(read(".agents/skills/hoe/scripts/run.sh")).toContain("echo hoe");
    expect(lstatSync(inProject(".agents/skills/hoe/scripts/run.sh")).mode & 0o111).not.toBe(0);
    expect(readlinkSync(inProject(".claude/skills/hoe"))).toBe("../../.agents/skills/hoe");
    const lock = read("skillet.lock");
    expect(JSON.parse(lock).skills.hoe).toMatchObject({
      kind: "git",
      path: "skills/hoe",
      agents: ["claude"],
    });
    expect(lock).not.toMatch(/20\d\d-|\btime|\bdate/i);
    expect((await place.run(["verify"])).code).toBe(0);
    expect((await place.run(["list", "--json", "--trust"])).stdout).toContain('"name": "rake"');
    // The same again changes nothing.
    expect(actions(await add("--agents", "claude"))).toEqual({ hoe: "unchanged", rake: "unchanged" });
    expect(read("skillet.lock")).toBe(lock);
  });

  test("one skill of a source, for the user, as copies", async () => {
    const done = await place.run([
      "add",
      source.path,
      "--to",
      "user",
      "--agents",
      "codex",
      "--copy",
      "--yes",
      "--json",
    ]);
    expect(done.code).toBe(0);
    expect(lstatSync(join(place.home, ".codex/skills/hoe")).isDirectory()).toBe(true);
    expect(report(done).lock).toBe(join(place.home, ".config/skillet/skillet.lock"));
    expect(existsSync(inProject("skillet.lock"))).toBe(false);
    expect((await place.run(["verify", "--to", "user"])).code).toBe(0);
  });

  test("the home folder is no project", async () => {
    const done = await place.run(["add", source.path, "--yes", "--json", "--cwd", place.home]);
    expect(report(done).lock).toBe(join(place.home, ".config/skillet/skillet.lock"));
  });

  test("what stands there and is not ours is left alone; the others come", async () => {
    place.write({ ".agents/skills/hoe/SKILL.md": skill("hoe", "My own.") });
    const done = await add();
    expect(done.code).toBe(1);
    expect(actions(done)).toEqual({ hoe: "conflict", rake: "added" });
    expect(read(".agents/skills/hoe/SKILL.md")).toContain("My own.");
    expect(actions(await add("--take", "new"))).toMatchObject({ hoe: "updated" });
    expect(read(".agents/skills/hoe/SKILL.md")).toContain("hoeing");
  });

  test("a folder in an agent's place is left alone and nothing of that skill is written", async () => {
    place.write({ ".claude/skills/hoe/SKILL.md": skill("hoe", "My own.") });
    const done = await add("--agents", "claude");
    expect(actions(done)).toEqual({ hoe: "conflict", rake: "added" });
    expect(existsSync(inProject(".agents/skills/hoe"))).toBe(false);
  });

  test("a link out of the project is not written through", async () => {
    mkdirSync(join(place.folder, "outside"));
    const { symlinkSync } = await import("node:fs");
    symlinkSync(join(place.folder, "outside"), inProject(".agents"));
    const refused = await add();
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain("denied");
    expect(readdirSync(join(place.folder, "outside"))).toEqual([]);
  });

  test("branches with slashes, folders and names in an address", async () => {
    source.commit({ "extra/spade/SKILL.md": skill("spade", "Use when digging.") }, "feature/new/tools");
    const url = `file://${source.path}`;
    const { fetchGit } = await import("../../src/remote/install/fetch-git.ts");
    const { archiveLimits } = await import("../../src/remote/archive/limits.ts");
    const { createEnvironment } = await import("../../src/host/environment.ts");
    const environment = createEnvironment({ home: place.home }).value;
    const fetched = await fetchGit(
      { kind: "git", text: "x", skill: null, url, ref: null, path: null, tree: "feature/new/tools/extra" },
      { environment, limits: archiveLimits },
    );
    expect(fetched.ref).toBe("feature/new/tools");
    expect(fetched.skills.map(({ name, path }) => [name, path])).toEqual([["spade", "extra/spade"]]);
  });

  test("skill.md in any case becomes SKILL.md, from a repository and from a folder", async () => {
    source.commit({
      "skills/sieve/skill.md": skill("sieve", "Use when sieving."),
      "skills/sieve/a.md": "a\n",
    });
    place.write({ "~/own/spade/Skill.MD": skill("spade", "Use when digging.") });
    const added = await add();
    expect([added.code, actions(added)]).toEqual([0, expect.objectContaining({ sieve: "added" })]);
    const found = report(added).changes.find(({ name }) => name === "sieve")?.findings;
    expect(found?.map(({ message }) => message)).toContain(
      "The file is named skill.md; it is installed as SKILL.md.",
    );
    expect(readdirSync(inProject(".agents/skills/sieve")).sort()).toEqual(["SKILL.md", "a.md"]);
    const own = await place.run(["add", join(place.home, "own"), "--yes", "--json"]);
    expect([own.code, actions(own)]).toEqual([0, { spade: "added" }]);
    expect(readdirSync(inProject(".agents/skills/spade"))).toEqual(["SKILL.md"]);
    expect((await place.run(["verify"])).code).toBe(0);
    expect(actions(await place.run(["update", "--yes", "--json"]))).toMatchObject({ sieve: "unchanged" });
  });

  test("archives, single files and folders", async () => {
    const { writeTarGz } = await import("../../src/remote/archive/write-archive.ts");
    const file = (path: string, text: string) => ({ path, bytes: Buffer.from(text), executable: false });
    place.write({
      "in/rake.tgz": await writeTarGz([
        file("rake-main/SKILL.md", skill("rake", "Use when raking.")),
        file("rake-main/a.md", "a"),
      ]),
      "in/solo/SKILL.md": skill("solo", "Use when alone."),
      "in/folder/two/SKILL.md": skill("two", "Use when two."),
    });
    const done = await place.run([
      "add",
      "./in/rake.tgz",
      "./in/solo/SKILL.md",
      "./in/folder",
      "--yes",
      "--json",
    ]);
    expect(actions(done)).toEqual({ rake: "added", solo: "added", two: "added" });
    const { skills } = JSON.parse(read("skillet.lock"));
    expect(skills.two).toMatchObject({ kind: "folder", source: "./in/folder", path: "two" });
    expect(skills.rake).toMatchObject({ kind: "archive", source: "./in/rake.tgz", path: "rake-main" });
    expect((await place.run(["update", "--json", "--yes"])).code).toBe(0);
  });

  test("a skill that the policy refuses is not installed", async () => {
    place.write({ "~/.config/skillet/skillet.jsonc": '{"policy": {"scripts": "deny"}}' });
    const done = await add();
    expect(done.code).toBe(1);
    expect(actions(done)).toEqual({ hoe: "failed", rake: "added" });
    expect(report(done).changes[0]?.findings.map(({ code }) => code)).toContain("policy/script");
    expect(existsSync(inProject(".agents/skills/hoe"))).toBe(false);
  });

  test("takes over a lock of the skills command", async () => {
    mkdirSync(inProject("garden/hoe"), { recursive: true });
    writeFileSync(inProject("garden/hoe/SKILL.md"), skill("hoe", "Use when hoeing."));
    place.write({
      "skills-lock.json": JSON.stringify({
        version: 1,
        skills: {
          hoe: { source: "./garden", sourceType: "local", computedHash: "x" },
          "../evil": { source: "a/b" },
        },
      }),
    });
    const done = await place.run(["add", "skills-lock.json", "--yes", "--json"]);
    expect(actions(done)).toEqual({ hoe: "added" });
    expect(done.stderr).toContain("../evil");
  });
});

describe("update", () => {
  const change = (text: string, by: string): string =>
    skill("hoe", "Use when hoeing a bed.", "# Hoe\n\none\ntwo\nthree\nfour\nfive\n").replace(text, by);

  test("takes what is new and shows the difference", async () => {
    await add();
    source.commit({ "skills/hoe/SKILL.md": change("two", "TWO"), "skills/hoe/new.md": "new\n" });
    const planned = await place.run(["update", "--dry-run"]);
    expect(planned.stdout).toContain("-two");
    expect(planned.stdout).toContain("+TWO");
    expect(read(".agents/skills/hoe/SKILL.md")).toContain("two");
    const done = await place.run(["update", "--yes", "--json"]);
    expect(actions(done)).toEqual({ hoe: "updated", rake: "unchanged" });
    expect(read(".agents/skills/hoe/SKILL.md")).toContain("TWO");
    expect(read(".agents/skills/hoe/new.md")).toBe("new\n");
    expect((await place.run(["verify"])).code).toBe(0);
  });

  test("keeps the user's edits: other files, other lines", async () => {
    await add();
    writeFileSync(inProject(".agents/skills/hoe/SKILL.md"), change("five", "five, mine"));
    writeFileSync(inProject(".agents/skills/hoe/notes.md"), "my notes\n");
    source.commit({ "skills/hoe/SKILL.md": change("one", "ONE") });
    const done = await place.run(["update", "--yes", "--json"]);
    expect(done.code).toBe(0);
    const files = report(done).changes[0]?.files.map(({ path, action }) => [path, action]);
    expect(files).toEqual([
      ["SKILL.md", "merged"],
      ["notes.md", "kept"],
    ]);
    expect(read(".agents/skills/hoe/SKILL.md")).toContain("ONE");
    expect(read(".agents/skills/hoe/SKILL.md")).toContain("five, mine");
    expect(read(".agents/skills/hoe/notes.md")).toBe("my notes\n");
    const verified = await place.run(["verify", "--json"]);
    expect(verified.code).toBe(0);
    expect(actions(verified)).toEqual({ hoe: "kept", rake: "unchanged" });
  });

  test("changes of the same lines are a conflict; --take decides", async () => {
    await add();
    writeFileSync(inProject(".agents/skills/hoe/SKILL.md"), change("two", "2 mine"));
    source.commit({ "skills/hoe/SKILL.md": change("two", "2 theirs") });
    const before = read("skillet.lock");
    const refused = await place.run(["update", "--yes", "--json"]);
    expect(refused.code).toBe(1);
    expect(actions(refused)).toEqual({ hoe: "conflict", rake: "unchanged" });
    expect(read(".agents/skills/hoe/SKILL.md")).toContain("2 mine");
    expect(read("skillet.lock")).toBe(before);
    await place.run(["update", "--yes", "--take", "mine"]);
    expect(read(".agents/skills/hoe/SKILL.md")).toContain("2 mine");
    expect(actions(await place.run(["update", "--json", "--yes"]))).toEqual({
      hoe: "unchanged",
      rake: "unchanged",
    });
    source.commit({ "skills/hoe/SKILL.md": change("two", "2 theirs again") });
    await place.run(["update", "--yes", "--take", "new"]);
    expect(read(".agents/skills/hoe/SKILL.md")).toContain("2 theirs again");
  });

  test("follows a skill that moved; keeps one that is gone", async () => {
    await add();
    source.commit({
      "skills/hoe": null,
      "skills/rake": null,
      "tools/hoe/SKILL.md": change("two", "TWO"),
      "tools/hoe/scripts/run.sh": "#!/bin/sh\necho hoe\n",
    });
    const done = await place.run(["update", "--yes", "--json"]);
    expect(actions(done)).toEqual({ hoe: "updated", rake: "kept" });
    expect(report(done).changes.flatMap(({ findings }) => findings.map(({ code }) => code))).toEqual(
      expect.arrayContaining(["install/moved-upstream", "install/gone-upstream"]),
    );
    expect(JSON.parse(read("skillet.lock")).skills.hoe.path).toBe("tools/hoe");
    expect(existsSync(inProject(".agents/skills/rake/SKILL.md"))).toBe(true);
  });

  test("a source that is not there costs nothing", async () => {
    await add();
    rmSync(source.path, { recursive: true });
    const done = await place.run(["update", "--yes", "--json"]);
    expect(done.code).toBe(1);
    expect(read(".agents/skills/hoe/SKILL.md")).toContain("two");
  });
});

describe("ci and verify", () => {
  test("after a checkout everything comes from the cache, without the source", async () => {
    await add("--agents", "claude");
    const lock = read("skillet.lock");
    rmSync(source.path, { recursive: true });
    for (const name of [".agents", ".claude"]) rmSync(inProject(name), { recursive: true });
    const verified = await place.run(["verify", "--json"]);
    expect(verified.code).toBe(1);
    expect(actions(verified)).toEqual({ hoe: "missing", rake: "missing" });
    const done = await place.run(["ci", "--json"]);
    expect(done.code).toBe(0);
    expect(actions(done)).toEqual({ hoe: "restored", rake: "restored" });
    expect((await place.run(["verify"])).code).toBe(0);
    expect(read("skillet.lock")).toBe(lock);
    expect(lstatSync(inProject(".agents/skills/hoe/scripts/run.sh")).mode & 0o111).not.toBe(0);
  });

  test("without the cache it comes from the source at the locked commit", async () => {
    await add();
    source.commit({ "skills/hoe/SKILL.md": skill("hoe", "Newer.") });
    rmSync(join(place.data, "cache"), { recursive: true });
    rmSync(inProject(".agents"), { recursive: true });
    expect((await place.run(["ci", "--json"])).code).toBe(0);
    expect(read(".agents/skills/hoe/SKILL.md")).toContain("hoeing");
    expect((await place.run(["verify"])).code).toBe(0);
  });

  test("content that is not what the lock says is refused", async () => {
    await add();
    const lock = JSON.parse(read("skillet.lock"));
    lock.skills.hoe.digest = `sha256:${"0".repeat(64)}`;
    writeFileSync(inProject("skillet.lock"), JSON.stringify(lock));
    rmSync(inProject(".agents"), { recursive: true });
    const done = await place.run(["ci", "--json"]);
    expect(done.code).toBe(1);
    expect(actions(done)).toEqual({ hoe: "failed", rake: "restored" });
    expect(existsSync(inProject(".agents/skills/hoe"))).toBe(false);
  });

  test("a digest in the lock that does not follow from its files is an error, though the disk fits", async () => {
    await add();
    const lock = JSON.parse(read("skillet.lock"));
    lock.skills.hoe.digest = `sha256:${"0".repeat(64)}`;
    writeFileSync(inProject("skillet.lock"), JSON.stringify(lock));
    const verified = await place.run(["verify", "--json"]);
    expect(verified.code).toBe(1);
    const codes = report(verified).changes.map(({ name, findings }) => [
      name,
      findings.map(({ code }) => code),
    ]);
    expect(codes).toEqual([
      ["hoe", ["lock/digest"]],
      ["rake", []],
    ]);
    expect((await place.run(["verify"])).stdout).toContain("does not follow from the files");
    expect((await place.run(["doctor"])).stdout).toMatch(/"hoe": the digest in the lock does not follow/);
  });

  test("an edited skill stays and is an error; --yes takes the locked one", async () => {
    await add();
    writeFileSync(inProject(".agents/skills/hoe/SKILL.md"), skill("hoe", "Edited."));
    expect((await place.run(["ci"])).code).toBe(1);
    expect(read(".agents/skills/hoe/SKILL.md")).toContain("Edited.");
    expect((await place.run(["ci", "--yes"])).code).toBe(0);
    expect(read(".agents/skills/hoe/SKILL.md")).toContain("hoeing");
  });

  test("verify --fix puts back what is missing and leaves edits", async () => {
    await add("--agents", "claude");
    rmSync(inProject(".agents/skills/rake"), { recursive: true });
    unlinkSync(inProject(".claude/skills/hoe"));
    writeFileSync(inProject(".agents/skills/hoe/SKILL.md"), skill("hoe", "Edited."));
    const done = await place.run(["verify", "--fix", "--json"]);
    expect(actions(done)).toEqual({ hoe: "edited", rake: "unchanged" });
    expect(existsSync(inProject(".agents/skills/rake/SKILL.md"))).toBe(true);
    expect(existsSync(inProject(".claude/skills/hoe/SKILL.md"))).toBe(true);
  });

  test("doctor says what differs from the lock", async () => {
    await add();
    writeFileSync(inProject(".agents/skills/hoe/SKILL.md"), skill("hoe", "Edited."));
    rmSync(inProject(".agents/skills/rake"), { recursive: true });
    const { findings } = (await place.run(["doctor", "--json"])).json() as {
      findings: readonly { code: string }[];
    };
    const codes = findings.map(({ code }) => code);
    expect(codes).toContain("install/edited");
    expect(codes).toContain("install/missing");
  });

  test("a damaged cache is a miss, never an install", async () => {
    await add();
    const folder = join(place.data, "cache/trees-v1");
    for (const inner of readdirSync(folder)) {
      for (const name of readdirSync(join(folder, inner)))
        writeFileSync(join(folder, inner, name), "damaged");
    }
    rmSync(inProject(".agents"), { recursive: true });
    expect((await place.run(["ci"])).code).toBe(0);
    expect((await place.run(["verify"])).code).toBe(0);
  });

  test("add --frozen refuses a lock that would change", async () => {
    const refused = await add("--frozen");
    expect(refused.code).toBe(1);
    expect(readdirSync(place.project)).toEqual([".git"]);
  });

  test("a lock of a newer version, or with a conflict in one skill, is not written", async () => {
    for (const text of [
      '{"version": 2, "skills": {}}',
      "<<<<<<< a\n{}\n=======\n[]\n>>>>>>> b\n",
      "nonsense",
    ]) {
      writeFileSync(inProject("skillet.lock"), text);
      expect((await add()).code).toBe(2);
      expect(read("skillet.lock")).toBe(text);
    }
  });

  test("conflict marks of two branches that added different skills are resolved", async () => {
    await place.run(["add", source.path, "--yes"]);
    const all = JSON.parse(read("skillet.lock"));
    const one = (name: string): string =>
      `    ${JSON.stringify(name)}: ${JSON.stringify(all.skills[name])}\n`;
    writeFileSync(
      inProject("skillet.lock"),
      `{\n  "version": 1,\n  "skills": {\n<<<<<<< HEAD\n${one("hoe")}=======\n${one("rake")}>>>>>>> other\n  }\n}\n`,
    );
    const verified = await place.run(["verify", "--json"]);
    expect(verified.code).toBe(0);
    expect(report(verified).diagnostics.map(({ code }) => code)).toContain("lock/merged");
  });
});

describe("remove", () => {
  test("takes everything back that add made", async () => {
    await add("--agents", "claude");
    expect((await place.run(["remove", "hoe", "rake"])).code).toBe(0);
    expect(readdirSync(place.project)).toEqual([".git"]);
  });

  test("names that are not installed", async () => {
    const none = await place.run(["remove", "ghost"]);
    expect(none.code).toBe(3);
    await add();
    expect((await place.run(["remove", "ghost"])).stderr).toContain("Installed: hoe, rake");
  });

  test("an edited skill stays unless told", async () => {
    await add();
    writeFileSync(inProject(".agents/skills/hoe/SKILL.md"), skill("hoe", "Edited."));
    expect((await place.run(["remove", "hoe"])).code).toBe(1);
    expect(existsSync(inProject(".agents/skills/hoe/SKILL.md"))).toBe(true);
    expect((await place.run(["remove", "hoe", "--yes"])).code).toBe(0);
    expect(existsSync(inProject(".agents/skills/hoe"))).toBe(false);
  });

  test("reset takes back what was installed for the user, not what was edited", async () => {
    await add("--to", "user", "--agents", "claude");
    writeFileSync(join(place.home, ".agents/skills/hoe/SKILL.md"), skill("hoe", "Edited."));
    const planned = (await place.run(["reset", "--dry-run", "--json"])).json() as {
      toRemove: readonly { path: string }[];
    };
    expect(planned.toRemove.map(({ path }) => path)).toContain(join(place.home, ".agents/skills/rake"));
    expect(existsSync(join(place.home, ".agents/skills/rake"))).toBe(true);
    expect((await place.run(["reset"])).code).toBe(0);
    expect(existsSync(join(place.home, ".agents/skills/rake"))).toBe(false);
    expect(existsSync(join(place.home, ".claude/skills/rake"))).toBe(false);
    expect(existsSync(join(place.home, ".agents/skills/hoe/SKILL.md"))).toBe(true);
  });
});
