import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Outcome, type Sandbox, sandbox, skill } from "../cli/run-skillet.ts";

// What a user keeps in an installed folder is never lost, whatever the digest sees of it.
let place: Sandbox;
beforeEach(async () => {
  place = sandbox();
  publish("one");
  await run("add", "./garden", "--agents", "claude", "--yes");
});
afterEach(() => place.remove());

const run = (...args: readonly string[]): Promise<Outcome> => place.run(args);
const inProject = (...parts: readonly string[]): string => join(place.project, ...parts);
const installed = (...parts: readonly string[]): string => inProject(".agents/skills", ...parts);
const read = (...parts: readonly string[]): string => readFileSync(installed(...parts), "utf8");
function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
function publish(version: string, folder = "garden"): void {
  place.write({
    [`${folder}/hoe/SKILL.md`]: skill("hoe", `Version ${version}.`),
    [`${folder}/hoe/d/a.txt`]: "a\n",
    [`${folder}/rake/SKILL.md`]: skill("rake", `Version ${version}.`),
  });
}
interface Report {
  readonly changes: readonly {
    readonly name: string;
    readonly action: string;
    readonly findings: readonly { readonly code: string; readonly message: string }[];
  }[];
  readonly diagnostics: readonly { readonly code: string; readonly message: string }[];
}
const report = (outcome: Outcome): Report => outcome.json() as Report;
const actions = (outcome: Outcome): Record<string, string> =>
  Object.fromEntries(report(outcome).changes.map(({ name, action }) => [name, action]));
const codes = (outcome: Outcome, name: string): readonly string[] =>
  report(outcome)
    .changes.filter((change) => change.name === name)
    .flatMap(({ findings }) => findings.map(({ code }) => code));

describe("what no digest sees", () => {
  const things: Readonly<Record<string, () => void>> = {
    "a .git": () => put(installed("hoe/.git/HEAD"), "ref: refs/heads/mine\n"),
    "a .git further down": () => put(installed("hoe/d/.git/HEAD"), "ref: refs/heads/mine\n"),
    "a file .git": () => put(installed("hoe/.git"), "gitdir: elsewhere\n"),
    "an empty folder": () => mkdirSync(installed("hoe/plans/later"), { recursive: true }),
    "a folder with a name of the system": () => put(installed("hoe/.DS_Store/mine.md"), "mine\n"),
    "a folder __MACOSX": () => put(installed("hoe/__MACOSX/mine.md"), "mine\n"),
  };
  const commands: Readonly<Record<string, readonly string[]>> = {
    update: ["update", "--yes"],
    "update --take new": ["update", "--yes", "--take", "new"],
    "update --take mine": ["update", "--yes", "--take", "mine"],
    "add --take mine": ["add", "./other", "--yes", "--take", "mine"],
    remove: ["remove", "hoe"],
    "remove --yes": ["remove", "hoe", "--yes"],
  };
  test.each(Object.keys(things))("%s keeps its folder as it is", async (thing) => {
    things[thing]?.();
    publish("two");
    publish("three", "other");
    for (const [name, args] of Object.entries(commands)) {
      const done = await run(...args, "--json");
      expect(done.code, name).toBe(1);
      expect(actions(done).hoe, name).toBe("conflict");
      expect(codes(done, "hoe"), name).toContain("install/own-files");
      expect(read("hoe/SKILL.md"), name).toContain("Version one.");
      expect(existsSync(inProject(".claude/skills/hoe/SKILL.md")), name).toBe(true);
    }
    expect(read("rake/SKILL.md")).toContain("Version three.");
    const path = ["hoe/.git/HEAD", "hoe/d/.git/HEAD", "hoe/.git", "hoe/plans/later"].concat(
      "hoe/.DS_Store/mine.md",
      "hoe/__MACOSX/mine.md",
    )[Object.keys(things).indexOf(thing)] as string;
    expect(existsSync(installed(path))).toBe(true);
    // Moved away, it all goes on.
    rmSync(installed(path.replace(/\/(HEAD|later|mine\.md)$/, "")), { recursive: true });
    expect(actions(await run("update", "--yes", "--json")).hoe).toBe("updated");
  });

  test("ci --yes puts nothing back over it", async () => {
    things["a .git"]?.();
    writeFileSync(installed("hoe/d/a.txt"), "edited\n");
    const done = await run("ci", "--yes", "--json");
    expect([done.code, actions(done).hoe]).toEqual([1, "conflict"]);
    expect(codes(done, "hoe")).toContain("install/own-files");
    expect([read("hoe/.git/HEAD"), read("hoe/d/a.txt")]).toEqual(["ref: refs/heads/mine\n", "edited\n"]);
    const text = await run("ci", "--yes");
    expect(text.stdout.replace(/\s+/g, " ")).toContain("It holds .git, which is no part of the skill");
  });

  test("in an agent's copy it keeps the skill too", async () => {
    await run("add", "./garden", "--agents", "codex", "--copy", "--yes");
    put(inProject(".codex/skills/hoe/.git/HEAD"), "mine\n");
    publish("two");
    for (const args of [
      ["update", "--yes"],
      ["remove", "hoe", "--yes"],
      ["remove", "hoe", "--agents", "codex"],
    ]) {
      const done = await run(...args, "--json");
      expect([done.code, actions(done).hoe], args.join(" ")).toEqual([1, "conflict"]);
      expect(readFileSync(inProject(".codex/skills/hoe/.git/HEAD"), "utf8")).toBe("mine\n");
      expect(read("hoe/SKILL.md")).toContain("Version one.");
    }
  });

  test("a system's small files, and folders that the skill's own files left empty, are in nobody's way", async () => {
    put(installed("hoe/.DS_Store"), "x");
    put(installed("hoe/._SKILL.md"), "x");
    put(installed("hoe/desktop.ini"), "x");
    rmSync(installed("hoe/d/a.txt"));
    publish("two");
    expect(actions(await run("update", "--yes", "--json")).hoe).toBe("updated");
    put(installed("hoe/.DS_Store"), "x");
    expect((await run("remove", "hoe", "--yes")).code).toBe(0);
    expect(existsSync(installed("hoe"))).toBe(false);
  });
});

describe("a file where the other side has a folder", () => {
  const mine = (): void => put(installed("hoe/d/mine.txt"), "mine\n");
  const fileForFolder = (): void => {
    publish("two");
    rmSync(join(place.project, "garden/hoe/d"), { recursive: true });
    place.write({ "garden/hoe/d": "their file\n" });
  };

  test("is a conflict of that skill alone", async () => {
    mine();
    fileForFolder();
    const done = await run("update", "--yes", "--json");
    expect([done.code, actions(done)]).toEqual([1, { hoe: "conflict", rake: "updated" }]);
    expect(report(done).changes[0]?.findings[0]?.message).toBe(
      "One of you has a file where the other has a folder: d.",
    );
    expect([read("hoe/d/mine.txt"), read("rake/SKILL.md").includes("two")]).toEqual(["mine\n", true]);
  });

  test("--take says whose it is", async () => {
    mine();
    fileForFolder();
    expect(actions(await run("update", "--yes", "--take", "mine", "--json")).hoe).toBe("updated");
    expect([read("hoe/d/mine.txt"), read("hoe/d/a.txt")]).toEqual(["mine\n", "a\n"]);
    expect(read("hoe/SKILL.md")).toContain("Version two.");
    publish2("three");
    expect(actions(await run("update", "--yes", "--take", "new", "--json")).hoe).toBe("updated");
    expect(read("hoe/SKILL.md")).toContain("Version three.");
  });

  test("--take new gives their file", async () => {
    mine();
    fileForFolder();
    expect(actions(await run("update", "--yes", "--take", "new", "--json")).hoe).toBe("updated");
    expect(read("hoe/d")).toBe("their file\n");
  });

  test.each(["mine", "new"])("the other way round, --take %s", async (take) => {
    rmSync(installed("hoe/d"), { recursive: true });
    writeFileSync(installed("hoe/d"), "my file\n");
    publish("two");
    place.write({ "garden/hoe/d/b.txt": "b\n" });
    const stopped = await run("update", "--yes", "--json");
    expect([stopped.code, actions(stopped).hoe]).toEqual([1, "conflict"]);
    expect(actions(await run("update", "--yes", "--take", take, "--json")).hoe).toBe("updated");
    if (take === "mine") expect(read("hoe/d")).toBe("my file\n");
    else expect([read("hoe/d/a.txt"), read("hoe/d/b.txt")]).toEqual(["a\n", "b\n"]);
  });

  function publish2(version: string): void {
    place.write({ "garden/hoe/SKILL.md": skill("hoe", `Version ${version}.`) });
  }
});

describe("several sources", () => {
  test("of two with one name the first counts, and both are named", async () => {
    place.write({
      "left/spade/SKILL.md": skill("spade", "Left."),
      "right/spade/SKILL.md": skill("spade", "Right."),
    });
    const done = await run("add", "./left", "./right", "--yes", "--json");
    expect(read("spade/SKILL.md")).toContain("Left.");
    const twice = report(done).diagnostics.filter(({ code }) => code === "install/twice");
    expect(twice.map(({ message }) => message)).toEqual([
      '"spade" is in ./left (spade) and in ./right (spade); the first was taken.',
    ]);
    expect(report(await run("add", "./left", "./left", "--yes", "--json")).diagnostics).toEqual([]);
  });

  test("a change of source is named", async () => {
    publish("two", "other");
    const planned = await run("add", "./other", "--dry-run");
    expect(planned.stdout.replace(/\s+/g, " ")).toContain(
      "It came from ./garden until now; ./other is another source.",
    );
    const done = await run("add", "./other", "--yes", "--json");
    expect(codes(done, "hoe")).toContain("install/other-source");
    expect(codes(await run("add", "./other", "--yes", "--json"), "hoe")).not.toContain(
      "install/other-source",
    );
  });
});
