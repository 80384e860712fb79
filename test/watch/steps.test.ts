import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { openSkills } from "../../src/host/open-skills.ts";
import { layOut } from "../conformance/cases/lay-out.ts";
import { calm, type Ground, ground, shownBy, skill, until, type Watching, watching } from "./ground.ts";

// Case w-reload with a watcher (test/conformance/reload.test.ts does the same without), and the places that are watched.

const fixture = fileURLToPath(new URL("../fixtures/cases/w-reload/", import.meta.url));
let open: Watching | null = null;
const left: (() => void)[] = [];
afterEach(() => {
  open?.skills.close();
  open = null;
  for (const end of left.splice(0)) end();
});

function place(options: Parameters<typeof ground>[0] = {}): Ground {
  const made = ground(options);
  left.push(made.end);
  return made;
}

it("w-reload: every step is followed by an event", async () => {
  const laid = layOut({ from: fixture, setup: { cwd: "repo" } });
  left.push(laid.remove);
  const watched = await watching(laid.options);
  open = watched;
  const { skills, changes } = watched;
  const root = join(laid.folder, "repo/.agents/skills");
  const [first, third] = [join(root, "first/SKILL.md"), join(root, "third")];
  const step = async (act: () => void, expected: Readonly<Record<string, string>>): Promise<void> => {
    const before = changes.length;
    act();
    await watched.shows(expected);
    expect(changes.length).toBeGreaterThan(before);
    expect(changes.at(-1)?.cause.length).toBeGreaterThan(0);
    expect(shownBy(openSkills(laid.options))).toEqual(expected);
  };
  await watched.shows({ first: "Version one." });
  await step(() => writeFileSync(first, skill("first", "Version two.")), { first: "Version two." });
  await step(
    () => {
      writeFileSync(`${first}.tmp`, skill("first", "Version six."));
      renameSync(`${first}.tmp`, first);
    },
    { first: "Version six." },
  );
  mkdirSync(third);
  const added = { first: "Version six.", third: "New." };
  await step(() => writeFileSync(join(third, "SKILL.md"), skill("third", "New.")), added);
  const linked = { ...added, second: "Behind a link." };
  await step(() => symlinkSync("../../../store/second", join(root, "second")), linked);
  const real = join(laid.folder, "store/second/SKILL.md");
  await step(() => writeFileSync(real, skill("second", "Edited.")), { ...added, second: "Edited." });
  expect(changes.at(-1)?.cause).toContain(real);

  await step(() => writeFileSync(first, "---\nname: first\n"), { third: "New.", second: "Edited." });
  expect(changes.at(-1)?.removed).toMatchObject([{ name: "first", reason: "broken", location: first }]);
  expect(changes.at(-1)?.diagnosticsAdded.map(({ path }) => path)).toContain(first);
  expect(skills.explain("first")).toMatchObject({ verdict: "skipped" });
  expect(skills.load("first")).toMatchObject({
    status: "unknown",
    diagnostics: [{ code: "skill/departed" }],
  });
  expect(skills.load("first").output).toContain("can no longer be used");

  await step(() => rmSync(third, { recursive: true }), { second: "Edited." });
  expect(skills.load("third").output).toContain("It was removed.");
  expect(skills.load("fifth").output).toContain("There is no skill");
  const fourth = join(laid.folder, "repo/.claude/skills/fourth");
  await step(
    () => {
      mkdirSync(fourth, { recursive: true });
      writeFileSync(join(fourth, "SKILL.md"), skill("fourth", "Late."));
    },
    { fourth: "Late.", second: "Edited." },
  );

  await calm(() => changes.length);
  const count = changes.length;
  const listed = JSON.stringify(skills.snapshot.skills);
  utimesSync(real, new Date(), new Date());
  await calm(() => changes.length);
  expect(skills.reload()).toBe(false);
  expect(changes.length).toBe(count);
  expect(JSON.stringify(skills.snapshot.skills.map(({ digest }) => digest))).toBe(
    JSON.stringify((JSON.parse(listed) as { digest: string }[]).map(({ digest }) => digest)),
  );
  expect(readFileSync(join(fixture, "steps.json"), "utf8").match(/"do"/g)).toHaveLength(9);
});

describe.each(["skillet", "opencode", "opencode-v2", "mimo", "minimax"])("profile %s", (profile) => {
  it("notices a skill that is added, edited and removed, in a root that did not exist", async () => {
    const made = place({ profile });
    const name = { skillet: ".agents", opencode: ".claude", mimo: ".claude", minimax: ".agents" }[profile];
    const root = `${name ?? ".opencode"}/skills`;
    const watched = await watching(made.options);
    open = watched;
    made.write(`${root}/late/SKILL.md`, skill("late", "One."));
    await until(() => watched.shown().late === "One.", "late is listed");
    made.replace(`${root}/late/SKILL.md`, skill("late", "Two."));
    await until(() => watched.shown().late === "Two.", "late is edited");
    made.remove(root.split("/")[0] ?? root);
    await until(() => watched.shown().late === undefined, "late is gone");
    made.write(`${root}/late/SKILL.md`, skill("late", "Three."));
    await until(() => watched.shown().late === "Three.", "late is back");
  });
});

describe("what is noticed", () => {
  it("a root that is moved away and made again, a link that is led elsewhere, a link whose target comes later", async () => {
    const made = place();
    made.write("~/.agents/skills/a/SKILL.md", skill("a", "One."));
    made.write("~/.store/x/SKILL.md", skill("linked", "Old target."));
    made.write("~/.store/y/SKILL.md", skill("linked", "New target."));
    symlinkSync(made.path("~/.store/x"), made.path("~/.store/hop"));
    symlinkSync(made.path("~/.store/hop"), made.path("~/.agents/skills/linked"));
    symlinkSync(made.path("~/.store/late"), made.path("~/.agents/skills/late"));
    const watched = await watching(made.options);
    open = watched;
    await watched.shows({ a: "One.", linked: "Old target." });

    unlinkSync(made.path("~/.store/hop"));
    symlinkSync(made.path("~/.store/y"), made.path("~/.store/hop"));
    await watched.shows({ a: "One.", linked: "New target." });
    made.write("~/.store/late/SKILL.md", skill("late", "There now."));
    await watched.shows({ a: "One.", linked: "New target.", late: "There now." });

    renameSync(made.path("~/.agents"), made.path("~/.agents-off"));
    await watched.shows({});
    made.write("~/.agents/skills/b/SKILL.md", skill("b", "Two."));
    await watched.shows({ b: "Two." });
    made.replace("~/.agents/skills/b/SKILL.md", skill("b", "Three."));
    await watched.shows({ b: "Three." });
  });

  it("settings, stored decisions and a name that changes hands", async () => {
    const made = place();
    made.write("~/.agents/skills/a/SKILL.md", skill("a", "Of the user."));
    const watched = await watching(made.options);
    open = watched;
    made.write(".agents/skills/a/SKILL.md", skill("a", "Of the project."));
    await watched.shows({ a: "Of the project." });
    expect(watched.changes.at(-1)?.winnerChanged).toMatchObject([
      {
        name: "a",
        from: made.path("~/.agents/skills/a/SKILL.md"),
        to: made.path(".agents/skills/a/SKILL.md"),
      },
    ]);
    made.write(".claude/skills/a/SKILL.md", skill("a", "A third."));
    await until(() => (watched.changes.at(-1)?.shadowed.length ?? 0) > 0, "a copy is shadowed");
    made.write("~/.config/skillet/skillet.jsonc", '{ "permission": { "skill": { "a": "deny" } } }');
    await watched.shows({});
    expect(watched.changes.at(-1)?.changed).toMatchObject([{ name: "a", what: ["visibility"] }]);
    made.write("~/.config/skillet/skillet.jsonc", "{}");
    await watched.shows({ a: "Of the project." });
  });
});
