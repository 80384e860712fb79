import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Sandbox, sandbox, skill } from "./run-skillet.ts";

let place: Sandbox;
beforeEach(() => {
  place = sandbox();
  place.write({
    ".agents/skills/pdf/SKILL.md": skill("pdf", "Fill in PDF forms."),
    "~/.agents/skills/mine/SKILL.md": skill("mine", "Of the user."),
  });
});
afterEach(() => place.remove());

async function offered(...flags: readonly string[]): Promise<readonly string[]> {
  const { json } = await place.run(["list", "--json", ...flags]);
  const { skills } = json() as { skills: { name: string; modelInvocable: boolean }[] };
  return skills.filter(({ modelInvocable }) => modelInvocable).map(({ name }) => name);
}

describe("trust", () => {
  it("lets a project's skills through, and back", async () => {
    expect(await offered()).toEqual(["mine"]);
    expect((await place.run(["list"])).stderr).toContain(
      "1 skill of this project waits until you trust it: skillet trust",
    );
    const { code, stdout } = await place.run(["trust"]);
    expect([code, stdout.split("\n")[0]]).toEqual([
      0,
      "✓ ~/project is trusted: 1 skill may be offered to models; changed skills will wait for you again.",
    ]);
    expect((await offered()).toSorted()).toEqual(["mine", "pdf"]);
    expect((await place.run(["untrust"])).code).toBe(0);
    expect(await offered()).toEqual(["mine"]);
  });

  it("is for what is there now, unless --folder is given", async () => {
    await place.run(["trust"]);
    place.write({ ".agents/skills/late/SKILL.md": skill("late", "Added later.") });
    expect((await offered()).toSorted()).toEqual(["mine", "pdf"]);
    place.write({ ".agents/skills/pdf/SKILL.md": skill("pdf", "Not what was trusted.") });
    expect((await place.run(["list"])).stderr).toContain(
      "2 skills wait: 1 is new and 1 changed since you trusted this project. If that is fine: skillet trust",
    );
    await place.run(["trust", "--folder"]);
    place.write({ ".agents/skills/later/SKILL.md": skill("later", "Added still later.") });
    expect((await offered()).toSorted()).toEqual(["late", "later", "mine", "pdf"]);
  });

  it.each([
    ["a script", ".agents/skills/pdf/scripts/run.sh"],
    ["a dependency", ".agents/skills/pdf/node_modules/x/e.js"],
    ["what a link inside the project leads to", "shared/tool.sh"],
  ])("covers %s: list, why and load agree when it changes", async (_, path) => {
    place.write({ [path]: "one\n" });
    if (path.startsWith("shared/"))
      symlinkSync("../../../shared", join(place.project, ".agents/skills/pdf/shared"));
    await place.run(["trust"]);
    expect((await offered()).toSorted()).toEqual(["mine", "pdf"]);
    place.write({ [path]: "two\n" });
    expect(await offered()).toEqual(["mine"]);
    expect((await place.run(["why", "pdf"])).stdout).toContain("changed");
    expect((await place.run(["load", "pdf", "--by", "model"])).code).not.toBe(0);
  });

  it("says what was taken back, though a changed skill waited already", async () => {
    await place.run(["trust"]);
    place.write({ ".agents/skills/pdf/SKILL.md": skill("pdf", "Not what was trusted.") });
    const list = await place.run(["list", "-v"]);
    expect(list.stdout).toMatch(/^.* pdf +project +changed .*\n.*\.agents\/skills\/pdf\/SKILL\.md/m);
    expect(list.stderr.replace(/\s+/g, " ")).toContain("1 skill waits: it changed since you trusted it.");
    const first = await place.run(["untrust"]);
    expect(first.stdout).toContain("✓ ~/project is no longer trusted: 1 skill of it waits.");
    expect((await place.run(["untrust"])).stdout).toContain("is already not trusted");
    expect((await place.run(["untrust", "--json"])).json()).toMatchObject({ trusted: false, changed: false });
  });

  it("in a whole folder stays when only the content is asked for", async () => {
    await place.run(["trust", "--folder"]);
    const { stdout, stderr } = await place.run(["trust"]);
    expect(stdout).toContain(
      "already trusted: 1 skill may be offered to models, and whatever is added later",
    );
    expect(stderr).toContain("skillet untrust, then skillet trust");
    place.write({ ".agents/skills/late/SKILL.md": skill("late", "Added later.") });
    expect(await offered()).toContain("late");
  });

  it("counts what a model may use now", async () => {
    place.write({
      ".agents/skills/hand/SKILL.md":
        "---\nname: hand\ndescription: By hand.\ndisable-model-invocation: true\n---\nHi\n",
    });
    expect((await place.run(["trust"])).stdout).toContain("1 skill may be offered");
  });

  it("takes a folder, and says so when there is no project", async () => {
    const other = join(place.folder, "other");
    mkdirSync(join(other, ".agents/skills/x"), { recursive: true });
    writeFileSync(join(other, ".agents/skills/x/SKILL.md"), skill("x", "Another project's."));
    const { code, json } = await place.run(["trust", other, "--json"]);
    expect([code, json()]).toEqual([
      0,
      { version: 1, folder: other, trusted: true, changed: true, skills: 1 },
    ]);
    const nothing = await place.run(["trust", place.home]);
    expect([nothing.code, nothing.stdout]).toEqual([1, ""]);
    const absent = await place.run(["trust", "nowhere"]);
    expect([absent.code, absent.stderr]).toEqual([3, "skillet: There is no folder nowhere.\n"]);
  });
});

describe("trust in a linked worktree", () => {
  const at = (path: string): string => join(place.home, path);
  const run = async (tree: string, ...line: readonly string[]) => place.run([...line, "--cwd", at(tree)]);
  const seen = async (tree: string): Promise<readonly string[]> => {
    const { skills } = (await run(tree, "list", "--json")).json() as {
      skills: { name: string; trusted: boolean }[];
    };
    return skills.filter(({ name, trusted }) => name !== "mine" && trusted).map(({ name }) => name);
  };
  beforeEach(() =>
    place.write({
      "~/main/.git/HEAD": "ref: refs/heads/main\n",
      "~/main/.git/objects/.keep": "",
      "~/main/.git/refs/.keep": "",
      "~/main/.git/worktrees/wt/HEAD": "ref: refs/heads/wt\n",
      "~/main/.git/worktrees/wt/commondir": "../..\n",
      "~/main/.git/worktrees/wt/gitdir": `${at("wt/.git")}\n`,
      "~/main/.agents/skills/local/SKILL.md": skill("local", "Only in the main checkout."),
      "~/main/.agents/skills/both/SKILL.md": skill("both", "Of the main checkout."),
      "~/wt/.git": `gitdir: ${at("main/.git/worktrees/wt")}\n`,
      "~/wt/.agents/skills/both/SKILL.md": skill("both", "Of the worktree."),
    }),
  );

  it("is for what only the main checkout has too, and is taken back with it", async () => {
    const { code, stdout } = await run("wt", "trust");
    expect([code, stdout.split("\n")[0]]).toEqual([0, expect.stringContaining("2 skills may be offered")]);
    expect([await seen("wt"), await seen("main")]).toEqual([["both", "local"], ["local"]]);
    place.write({ "~/main/.agents/skills/local/SKILL.md": skill("local", "Not what was trusted.") });
    expect(await seen("wt")).toEqual(["both"]);
    expect((await run("wt", "trust", "--json")).json()).toMatchObject({ trusted: true, changed: true });
    expect((await run("wt", "untrust")).code).toBe(0);
    expect([await seen("wt"), await seen("main")]).toEqual([[], []]);
  });

  it("of a whole folder asks again for what is new in the main checkout", async () => {
    expect((await run("wt", "trust", "--folder")).code).toBe(0);
    place.write({ "~/main/.agents/skills/later/SKILL.md": skill("later", "Added later.") });
    expect(await seen("wt")).toEqual(["both", "local"]);
    expect((await run("wt", "trust")).code).toBe(0);
    expect(await seen("wt")).toEqual(["both", "later", "local"]);
    place.write({ "~/wt/.agents/skills/new/SKILL.md": skill("new", "Covered by the folder.") });
    expect(await seen("wt")).toContain("new");
  });

  it("leaves what was decided in the main checkout", async () => {
    expect((await run("main", "trust")).code).toBe(0);
    expect((await run("wt", "trust")).code).toBe(0);
    expect(await seen("main")).toEqual(["both", "local"]);
  });
});

describe("enable and disable", () => {
  it("keep the decision", async () => {
    const off = await place.run(["disable", "mine"]);
    expect([off.code, off.stdout]).toEqual([0, "✓ mine is off  ~/.agents/skills/mine/SKILL.md\n"]);
    expect(await offered()).toEqual([]);
    const { json } = await place.run(["list", "--json"]);
    expect(json()).toMatchObject({ hidden: [{ name: "mine", reason: "disabled" }] });
    expect((await place.run(["why", "mine"])).stdout).toContain("skillet enable mine");
    expect((await place.run(["disable", "mine"])).stdout).toContain("already off");
    expect((await place.run(["enable", "mine"])).stdout).toContain("mine is on");
    expect(await offered()).toEqual(["mine"]);
  });

  it("take a location, and refuse what does not exist", async () => {
    const { code, json } = await place.run(["disable", "../.agents/skills/mine", "--json"]);
    expect([code, json()]).toMatchObject([0, { name: "mine", enabled: false, changed: true }]);
    const { code: absent, stderr } = await place.run(["enable", "mien"]);
    expect(absent).toBe(3);
    expect(stderr).toContain("Did you mean mine?");
  });

  it("leave the copy in use alone when the path of a shadowed one is given", async () => {
    place.write({ "~/.agents/skills/pdf/SKILL.md": skill("pdf", "Of the user.") });
    for (const path of ["../.agents/skills/pdf", "../.agents/skills/pdf/SKILL.md"]) {
      const { code, stdout, stderr } = await place.run(["disable", path]);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain("In use is .agents/skills/pdf/SKILL.md");
    }
    expect((await place.run(["--trust", "list", "pdf"])).stdout).toContain("Fill in PDF forms.");
  });

  it("are named where a skill that is off is loaded", async () => {
    await place.run(["disable", "mine"]);
    const { code, stderr } = await place.run(["load", "mine"]);
    expect(code).toBe(1);
    expect(stderr).toContain("Switch it on: skillet enable mine");
  });

  it("are refused for a profile without such decisions", async () => {
    const { code, stderr } = await place.run(["disable", "mine", "--as", "opencode"]);
    expect(code).toBe(2);
    expect(stderr).toContain("keeps no such decision");
  });
});

describe("new", () => {
  it("begins a skill that passes the strict check", async () => {
    const { code, stdout } = await place.run(["new", "csv-cleanup"]);
    expect(code).toBe(0);
    expect(stdout.split("\n")[0]).toBe("✓ .agents/skills/csv-cleanup/SKILL.md");
    expect(stdout).toContain("skillet trust");
    const check = await place.run(["check", "--strict", "--max-warnings", "0", ".agents/skills/csv-cleanup"]);
    expect(check.stdout).toContain("1 file, 0 errors, 0 warnings");
    expect(check.code).toBe(0);
  });

  it("takes a description that YAML would misread", async () => {
    await place.run(["new", "notes", 'Use when: "notes" are # wanted']);
    const { json } = await place.run(["show", "notes", "--json"]);
    expect(json()).toMatchObject({ description: 'Use when: "notes" are # wanted' });
  });

  it("never overwrites", async () => {
    const before = readFileSync(join(place.project, ".agents/skills/pdf/SKILL.md"), "utf8");
    const { code, stderr } = await place.run(["new", "pdf"]);
    expect(code).toBe(1);
    expect(stderr).toContain("already there");
    expect(readFileSync(join(place.project, ".agents/skills/pdf/SKILL.md"), "utf8")).toBe(before);
  });

  it("goes to the home folder with --user", async () => {
    await place.run(["new", "own", "--user"]);
    expect(existsSync(join(place.home, ".agents/skills/own/SKILL.md"))).toBe(true);
  });

  it("writes nothing through a link out of the project", async () => {
    const outside = join(place.folder, "outside");
    mkdirSync(outside);
    mkdirSync(join(place.project, "sub/.git"), { recursive: true });
    writeFileSync(join(place.project, "sub/.git/HEAD"), "ref: refs/heads/main\n");
    symlinkSync(outside, join(place.project, "sub/.agents"));
    const { code } = await place.run(["new", "escape", "--cwd", join(place.project, "sub")]);
    expect(code).toBe(1);
    expect(existsSync(join(outside, "skills"))).toBe(false);
  });
});

describe("config", () => {
  it("sets, shows and takes out a setting; comments stay", async () => {
    place.write({ "~/.config/skillet/skillet.jsonc": '// mine\n{ "search": { "limit": 7 } }\n' });
    expect((await place.run(["config", "set", "catalog.budget", "3000"])).code).toBe(0);
    expect(readFileSync(join(place.home, ".config/skillet/skillet.jsonc"), "utf8")).toContain("// mine");
    expect((await place.run(["config", "get", "catalog.budget"])).stdout).toBe("3000\n");
    expect((await place.run(["config", "get", "search.limit"])).stdout).toBe("7\n");
    expect((await place.run(["catalog", "--json"])).json()).toMatchObject({ budget: 3000 });
    const { stdout } = await place.run(["config", "list", "--origin"]);
    expect(stdout).toMatch(/catalog\.budget +user ~\/\.config\/skillet\/skillet\.jsonc +3000/);
    expect(stdout).toMatch(/catalog\.share +default /);
    await place.run(["config", "unset", "catalog.budget"]);
    expect((await place.run(["config", "get", "catalog.budget"])).stdout).toBe("null\n");
  });

  it("refuses what would not count", async () => {
    for (const [key, value] of [
      ["catalog.budget", "many"],
      ["catalog.bugdet", "3"],
      ["permission.skill.pdf", "perhaps"],
    ] as const) {
      const { code } = await place.run(["config", "set", key, value]);
      expect([key, code]).toEqual([key, 2]);
    }
    expect(existsSync(join(place.home, ".config/skillet/skillet.jsonc"))).toBe(false);
  });

  it("takes rules and lists", async () => {
    await place.run(["config", "set", "permission.skill.m*", "deny"]);
    await place.run(["config", "set", "skills.pins", "pdf,notes"]);
    expect(await offered("--trust")).toEqual(["pdf"]);
    expect((await place.run(["config", "get", "skills.pins", "--json"])).json()).toMatchObject({
      value: ["pdf", "notes"],
      origin: { layer: "user" },
    });
    const denied = await place.run(["load", "mine"]);
    expect([denied.code, denied.stdout]).toEqual([1, ""]);
    expect(denied.stderr).toContain("denies it");
  });

  it("names what was meant", async () => {
    const { code, stderr } = await place.run(["config", "get", "catalog.bugdet"]);
    expect(code).toBe(3);
    expect(stderr).toContain("Did you mean catalog.budget?");
  });

  it("gives a schema", async () => {
    expect((await place.run(["config", "schema"])).json()).toMatchObject({ type: "object" });
  });
});

describe("reset", () => {
  it("shows, then removes, what Skillet wrote", async () => {
    await place.run(["disable", "mine"]);
    const plan = await place.run(["reset", "--dry-run"]);
    expect(plan.stdout).toContain("Would be removed");
    expect(existsSync(join(place.data, "state/state.json"))).toBe(true);
    expect((await place.run(["reset"])).code).toBe(0);
    expect(existsSync(place.data)).toBe(false);
    expect((await place.run(["reset"])).stdout).toContain("nothing to remove");
    expect(await offered()).toEqual(["mine"]);
  });
});

describe("a name that is denied or switched off", () => {
  const taker = {
    ".agents/skills/helper/SKILL.md": "---\nname: helper\ndescription: Helps.\naliases: [mine]\n---\nEVIL\n",
  };

  it.each(["mine", "Mine"])("is not taken over by another skill's alias (%s)", async (asked) => {
    place.write(taker);
    expect((await place.run(["--trust", "disable", "mine"])).code).toBe(0);
    const { code, stdout } = await place.run(["--trust", "load", asked, "--by", "model"]);
    expect([code, stdout.includes("EVIL")]).toEqual([3, false]);
  });

  it("gives its text to nobody, also not by show", async () => {
    place.write({
      "~/.config/skillet/skillet.jsonc": JSON.stringify({ permission: { skill: { mine: "deny" } } }),
    });
    expect((await place.run(["show", "mine"])).stdout).not.toContain("Do it.");
    expect((await place.run(["show", "mine", "--file", "SKILL.md"])).code).toBe(1);
  });
});
