import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Outcome, type Sandbox, sandbox, skill } from "../cli/run-skillet.ts";
import { type Upstream, upstream } from "./git-ground.ts";

// What a user keeps of his own in an installed skill: how it is decided, what the lock knows, what verify and ci make of it.

let place: Sandbox;
let source: Upstream;
const lines = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
const hoe = (text = lines): string => skill("hoe", "Use when hoeing a bed.", text);

beforeEach(async () => {
  place = sandbox();
  source = upstream(place.folder);
  source.commit({
    "skills/hoe/SKILL.md": hoe(),
    "skills/hoe/notes.md": lines,
    "skills/rake/SKILL.md": skill("rake", "Use when raking leaves."),
  });
  await run("add", source.path, "--agents", "claude");
});
afterEach(() => place.remove());

const run = (...args: readonly string[]): Promise<Outcome> => place.run([...args, "--yes", "--json"]);
const verify = (...args: readonly string[]): Promise<Outcome> => place.run(["verify", "--json", ...args]);
const pathOf = (file: string): string => join(place.project, ".agents/skills/hoe", file);
const read = (file = "SKILL.md"): string => readFileSync(pathOf(file), "utf8");
const mine = (text: string, file = "SKILL.md"): void =>
  writeFileSync(pathOf(file), file === "SKILL.md" ? hoe(text) : text);
const theirs = (text: string, file = "SKILL.md"): void =>
  void source.commit({ [`skills/hoe/${file}`]: file === "SKILL.md" ? hoe(text) : text });
const lock = (): { readonly hoe: { readonly edits?: Record<string, string>; readonly revision: string } } =>
  JSON.parse(readFileSync(join(place.project, "skillet.lock"), "utf8")).skills;

interface Change {
  readonly name: string;
  readonly action: string;
  readonly files: readonly { readonly path: string; readonly action: string }[];
  readonly findings: readonly { readonly code: string; readonly hint: string | null }[];
}
const hoeIn = (outcome: Outcome): Change =>
  (outcome.json() as { readonly changes: readonly Change[] }).changes.find(
    ({ name }) => name === "hoe",
  ) as Change;
const codes = (outcome: Outcome): readonly string[] => hoeIn(outcome).findings.map(({ code }) => code);

describe("an edit that nobody decided about", () => {
  test("is an error for verify and ci, and update says how to decide", async () => {
    mine(lines.replace("two", "2"));
    expect([(await verify()).code, hoeIn(await verify()).action]).toEqual([1, "edited"]);
    expect((await place.run(["ci", "--json"])).code).toBe(1);
    const updated = await run("update");
    expect([updated.code, hoeIn(updated).action, codes(updated)]).toEqual([
      0,
      "unchanged",
      ["install/edited"],
    ]);
    expect(lock().hoe.edits).toBeUndefined();
  });

  test("becomes known by --take mine, and goes by --take source", async () => {
    mine(lines.replace("two", "2"));
    writeFileSync(pathOf("own.md"), "own\n");
    rmSync(pathOf("notes.md"));
    const kept = await run("update", "hoe", "--take", "mine");
    expect([kept.code, hoeIn(kept).action]).toEqual([0, "kept"]);
    expect(Object.keys(lock().hoe.edits ?? {})).toEqual(["SKILL.md", "notes.md", "own.md"]);
    expect(lock().hoe.edits?.["notes.md"]).toBe("removed");
    expect([(await verify()).code, hoeIn(await verify()).action]).toEqual([0, "kept"]);
    expect((await verify("--strict")).code).toBe(1);
    const exact = await place.run(["ci", "--json"]);
    expect([exact.code, codes(exact)]).toEqual([0, ["install/edits-kept"]]);
    const text = await place.run(["verify"]);
    expect(text.stdout).toContain(
      "Your edits are kept: SKILL.md (changed), notes.md (removed), own.md (added).",
    );
    expect((await place.run(["doctor", "--json"])).stdout).not.toContain('"install/edited"');

    expect((await run("update", "hoe", "--take", "source")).code).toBe(0);
    expect([read(), read("notes.md"), existsSync(pathOf("own.md"))]).toEqual([hoe(), lines, false]);
    expect(lock().hoe.edits).toBeUndefined();
  });
});

describe("edits that the lock knows", () => {
  beforeEach(async () => {
    mine(lines.replace("two", "2"));
    await run("update", "hoe", "--take", "mine");
  });

  test("a further edit is one again, and so is taking them back by hand", async () => {
    mine(lines.replace("two", "2").replace("six", "6"));
    expect([(await verify()).code, hoeIn(await verify()).action]).toEqual([1, "edited"]);
    mine(lines);
    expect([(await verify()).code, hoeIn(await verify()).action]).toEqual([1, "edited"]);
    await run("update");
    expect(lock().hoe.edits).toBeUndefined();
    expect((await verify()).code).toBe(0);
  });

  test("ci puts them back from the cache, without the source", async () => {
    rmSync(source.path, { recursive: true });
    rmSync(join(place.project, ".agents"), { recursive: true });
    const done = await run("ci");
    expect([done.code, hoeIn(done).action]).toEqual([0, "restored"]);
    expect(read()).toBe(hoe(lines.replace("two", "2")));
    expect((await verify()).code).toBe(0);
    mine(lines);
    expect((await place.run(["ci", "--json"])).code).toBe(0);
    expect(read()).toBe(hoe(lines.replace("two", "2")));
    mine("other\n");
    expect((await place.run(["ci", "--json"])).code).toBe(1);
    expect(read()).toBe(hoe("other\n"));
    expect((await run("ci")).code).toBe(0);
    expect(read()).toBe(hoe(lines.replace("two", "2")));
  });

  test("the policy judges what ci takes from the cache", async () => {
    writeFileSync(pathOf("run.sh"), "echo\n");
    await run("update", "hoe", "--take", "mine");
    place.write({ "~/.config/skillet/skillet.json": JSON.stringify({ policy: { scripts: "deny" } }) });
    expect((await verify()).code).toBe(0);
    rmSync(pathOf("run.sh"));
    expect([(await run("ci")).code, existsSync(pathOf("run.sh"))]).toEqual([1, false]);
    rmSync(join(place.project, ".agents/skills/hoe"), { recursive: true });
    const refused = await run("ci");
    expect([refused.code, hoeIn(refused).action, codes(refused)]).toEqual([1, "failed", ["policy/script"]]);
    expect(existsSync(pathOf("SKILL.md"))).toBe(false);
  });

  test("a checkout that holds them needs neither cache nor source", async () => {
    rmSync(place.data, { recursive: true });
    rmSync(source.path, { recursive: true });
    const done = await place.run(["ci", "--json"]);
    expect([hoeIn(done).action, (await verify()).code]).toEqual(["unchanged", 0]);
  });

  test("one that holds them nowhere is told so, and they can be dropped", async () => {
    rmSync(place.data, { recursive: true });
    rmSync(join(place.project, ".agents"), { recursive: true });
    const before = readFileSync(join(place.project, "skillet.lock"), "utf8");
    const refused = await run("ci");
    expect([refused.code, hoeIn(refused).action, codes(refused)]).toEqual([
      1,
      "conflict",
      ["install/edits-missing"],
    ]);
    expect(readFileSync(join(place.project, "skillet.lock"), "utf8")).toBe(before);
    expect((await run("update")).code).toBe(1);
    expect((await run("update", "hoe", "--take", "source")).code).toBe(0);
    expect([read(), lock().hoe.edits, (await verify()).code]).toEqual([hoe(), undefined, 0]);
  });

  test("the next update keeps them, and remove asks before it takes them", async () => {
    theirs(lines.replace("six", "SIX"));
    expect((await run("update")).code).toBe(0);
    expect(read()).toBe(hoe(lines.replace("two", "2").replace("six", "SIX")));
    expect((await verify()).code).toBe(0);
    expect((await place.run(["remove", "hoe"])).code).toBe(1);
    expect(existsSync(pathOf("SKILL.md"))).toBe(true);
    const gone = await run("remove", "hoe");
    expect([gone.code, codes(gone)]).toEqual([0, ["install/edited"]]);
    expect(JSON.stringify(hoeIn(gone).findings)).toContain("your changes go with it");
  });

  test("a lock whose edits are not understood is not written", async () => {
    const path = join(place.project, "skillet.lock");
    writeFileSync(path, readFileSync(path, "utf8").replace('"edits": {', '"edits": {"../out": "removed",'));
    expect((await run("update")).code).toBe(2);
  });
});

describe("a conflict", () => {
  beforeEach(() => {
    mine(lines.replace("two", "2 mine").replace("seven", "7 mine"));
    theirs(lines.replace("two", "2 theirs").replace("five", "5 theirs"));
  });

  test("is decided by the user's edit; what else the source changed comes too", async () => {
    expect((await run("update")).code).toBe(1);
    expect((await run("update")).code).toBe(1);
    mine(lines.replace("two", "2 both").replace("seven", "7 mine"));
    const done = await run("update");
    expect([done.code, codes(done)]).toEqual([0, ["install/settled"]]);
    expect(read()).toBe(
      hoe(lines.replace("two", "2 both").replace("five", "5 theirs").replace("seven", "7 mine")),
    );
    expect((await verify()).code).toBe(0);
    expect(hoeIn(await run("update")).action).toBe("unchanged");
  });

  test("that changed since then is shown again", async () => {
    await run("update");
    mine(lines.replace("two", "2 both"));
    theirs(lines.replace("two", "2 theirs again"));
    expect((await run("update")).code).toBe(1);
    expect(read()).toBe(hoe(lines.replace("two", "2 both")));
  });

  test("is not decided by an edit from before it was shown, nor by a dry run", async () => {
    await place.run(["update", "--dry-run"]);
    mine(lines.replace("two", "2 both"));
    expect((await run("update")).code).toBe(1);
  });

  test.each([
    ["mine", "2 mine"],
    ["new", "2 theirs"],
  ])("--take %s concerns only the lines in conflict", async (whose, two) => {
    expect((await run("update", "--take", whose)).code).toBe(0);
    expect(read()).toBe(
      hoe(lines.replace("two", two).replace("five", "5 theirs").replace("seven", "7 mine")),
    );
    expect((await verify()).code).toBe(0);
  });

  test("--take source takes all of theirs", async () => {
    expect((await run("update", "--take", "source")).code).toBe(0);
    expect(read()).toBe(hoe(lines.replace("two", "2 theirs").replace("five", "5 theirs")));
  });

  test("is decided file by file", async () => {
    mine("mine\n", "notes.md");
    theirs("theirs\n", "notes.md");
    expect((await run("update", "hoe", "--take", "mine=notes.md")).code).toBe(1);
    expect((await run("update", "hoe", "--take", "mine=notes.md", "--take", "new=SKILL.md")).code).toBe(0);
    expect(read("notes.md")).toBe("mine\n");
    expect(read()).toContain("2 theirs");
    expect(read()).toContain("7 mine");
  });

  test("what --take does not take", async () => {
    const before = read();
    for (const [code, ...args] of [
      [2, "update", "--take", "yours"],
      [2, "update", "--take", "mine="],
      [2, "update", "--take", "mine=SKILL.md"],
      [2, "update", "hoe", "rake", "--take", "mine=SKILL.md"],
      [3, "update", "hoe", "--take", "mine=no.md"],
    ] as const)
      expect((await run(...args)).code, args.join(" ")).toBe(code);
    expect(read()).toBe(before);
  });

  test("the way out that is named works", async () => {
    const [finding] = hoeIn(await run("update")).findings;
    const command = /skillet (update hoe --take mine)/.exec(finding?.hint ?? "")?.[1];
    expect((await run(...(command ?? "").split(" "))).code).toBe(0);
  });
});
