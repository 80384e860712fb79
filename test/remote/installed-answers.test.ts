import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createEnvironment } from "../../src/host/environment.ts";
import { installScope, usualScope } from "../../src/remote/install/install-scope.ts";
import { type Sandbox, sandbox, skill } from "../cli/run-skillet.ts";
import { type Upstream, upstream } from "./git-ground.ts";

// What the commands about installed skills say, and whose skills they mean.

let place: Sandbox;
let source: Upstream;
let first: string;
beforeEach(() => {
  place = sandbox();
  source = upstream(place.folder);
  first = source.commit({
    "hoe/SKILL.md": skill("hoe", "Use when hoeing a bed."),
    "rake/SKILL.md": skill("rake", "Use when raking leaves."),
  });
});
afterEach(() => place.remove());

const add = (...more: readonly string[]) => place.run(["add", source.path, "--yes", ...more]);
const stands = (...parts: readonly string[]): boolean => existsSync(join(place.project, ...parts));

describe("remove --agents", () => {
  test("takes the skill from that agent and says that it stays installed", async () => {
    await add("--agents", "claude,codex");
    const done = await place.run(["remove", "hoe", "--agents", "codex"]);
    expect(done.code).toBe(0);
    expect(done.stdout).toMatch(/hoe {2}removed from codex .*\n +stays installed in \.agents\/skills\/hoe\n/);
    expect([stands(".codex/skills/hoe"), stands(".claude/skills/hoe"), stands(".agents/skills/hoe")]).toEqual(
      [false, true, true],
    );
    const again = await place.run(["remove", "hoe", "--agents", "codex"]);
    expect(again.stdout).toContain('"hoe" is not in a folder of codex.');
    expect(again.stdout).not.toContain("removed");
  });

  test.each(["agents", ""])("an agent without a folder of its own (%j) removes nothing", async (agent) => {
    await add("--agents", "claude");
    const refused = await place.run(["remove", "hoe", "--yes", `--agents=${agent}`]);
    expect(refused.code).toBe(2);
    expect([stands(".claude/skills/hoe"), stands(".agents/skills/hoe")]).toEqual([true, true]);
  });

  test("the last removal says that the lock is gone, and leaves no empty folder", async () => {
    await add("--agents", "codex");
    const done = await place.run(["remove", "hoe", "rake"]);
    expect(done.stderr).toContain("skillet.lock was removed");
    expect(done.stderr).not.toContain("Lock:");
    for (const name of [".agents", ".codex", "skillet.lock"]) expect(stands(name)).toBe(false);
  });
});

describe("whose skills are meant", () => {
  test("ci means the project's lock alone; the others say when they take the user's", async () => {
    await add("--to", "user");
    const ci = await place.run(["ci"]);
    expect([ci.code, ci.stderr]).toEqual([3, expect.stringContaining("skillet ci --user")]);
    expect((await place.run(["ci", "--user"])).code).toBe(0);
    for (const args of [["verify"], ["update", "--dry-run"], ["remove", "hoe", "--dry-run"]]) {
      const outcome = await place.run(args);
      expect(outcome.stderr, args.join(" ")).toContain("no skillet.lock in this project");
      expect((await place.run([...args, "--user"])).stderr).not.toContain("no skillet.lock");
    }
    await add();
    expect((await place.run(["verify"])).stderr).not.toContain("no skillet.lock");
  });

  test("an operation of the project that was cut off before its first lock is the project's", async () => {
    await add("--to", "user");
    await add();
    const state = join(place.data, "state");
    const environment = createEnvironment({
      ...{ cwd: place.project, home: place.home, data: place.data, processEnv: {} },
    }).value;
    const scope = installScope("project", environment);
    rmSync(scope.lockPath);
    expect(usualScope(environment).name).toBe("user");
    mkdirSync(state, { recursive: true });
    writeFileSync(scope.journal, "{}");
    expect(usualScope(environment).name).toBe("workspace");
  });
});

describe("where a skill comes from", () => {
  test("show and why name source, revision and edits", async () => {
    await add("--agents", "claude");
    const short = first.slice(0, 12);
    for (const args of [
      ["show", "hoe"],
      ["why", "hoe"],
      ["why", "hoe", "--as", "opencode"],
    ]) {
      const { stdout } = await place.run(args, { columns: 400 });
      expect(stdout, args.join(" ")).toContain(`upstream.git @ ${short}`);
      expect(stdout).toContain("as it came");
    }
    writeFileSync(join(place.project, ".agents/skills/hoe/own.md"), "own\n");
    const shown = (await place.run(["show", "hoe", "--json"])).json() as { installed: object };
    expect(shown.installed).toMatchObject({ revision: first, edited: "yes", edits: "own.md (added)" });
    expect((await place.run(["why", "hoe", "--json"])).stdout).toContain("edited by hand: own.md (added)");
    await place.run(["update", "hoe", "--take", "mine", "--yes"]);
    expect((await place.run(["show", "hoe"])).stdout).toMatch(
      /with your edits, which the lock\s[^\n]*knows: own\.md/,
    );
    place.write({ ".agents/skills/own/SKILL.md": skill("own", "Use when it is mine.") });
    expect(
      ((await place.run(["show", "own", "--json"])).json() as { installed: unknown }).installed,
    ).toBeNull();
  });

  test("update names the revision until now", async () => {
    await add();
    source.commit({ "hoe/more.md": "more\n" });
    expect((await place.run(["update", "--dry-run"])).stdout).toContain(`until now ${first.slice(0, 12)}`);
  });

  test("a lock of the project that names another place of this machine warns", async () => {
    place.write({
      "~/own/rake/SKILL.md": skill("rake", "Mine."),
      "inside/hoe/SKILL.md": skill("hoe", "Mine."),
    });
    const outside = await place.run(["add", "~/own", "--dry-run", "--json"]);
    expect(outside.stdout).toContain("install/only-here");
    expect((await place.run(["add", "./inside", "--dry-run", "--json"])).stdout).not.toContain("only-here");
    expect((await place.run(["add", "~/own", "--to", "user", "--dry-run", "--json"])).stdout).not.toContain(
      "only-here",
    );
  });
});

describe("words", () => {
  test("an agent named with --to is told about --agents", async () => {
    const refused = await add("--to", "claude");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("--agents claude")]);
  });

  test("verify --fix says what it put back", async () => {
    await add();
    rmSync(join(place.project, ".agents/skills/hoe"), { recursive: true });
    const planned = await place.run(["verify", "--fix", "--dry-run"]);
    expect([planned.code, planned.stdout]).toEqual([1, expect.stringContaining("hoe  would be put back")]);
    const fixed = await place.run(["verify", "--fix"]);
    expect([fixed.code, fixed.stdout]).toEqual([0, expect.stringContaining("hoe  put back")]);
  });

  test("publish says where it wrote, and which skill it refused", async () => {
    place.write({
      "own/rake/SKILL.md": skill("rake", "Mine."),
      "own/bad/SKILL.md": skill("bad", "Mine."),
      "own/bad/a:b.md": "x\n",
    });
    const done = await place.run(["publish", "own", "--out", "site"]);
    expect(done.code).toBe(1);
    expect(done.stdout).toMatch(/Written to site: \d+ files of 1 skill\./);
    expect(done.stdout).toMatch(/bad: The path "a:b\.md" is refused/);
  });

  test("a place that is not there is said in words", async () => {
    const refused = await place.run(["publish", "nothing-here", "--out", "site"]);
    expect(refused.stderr).toBe("skillet: There is no folder nothing-here.\n");
  });
});
