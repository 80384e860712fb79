import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { trustWorkspace } from "../../src/host/trust-workspace.ts";
import { openSession, skillTools } from "../../src/index.ts";
import { type SkillPlace, skillPlace } from "../support/skill-place.ts";

let place: SkillPlace;
beforeEach(() => {
  place = skillPlace();
  place.skill("deploy", "Push the button for $ARGUMENTS.");
  place.skill("stock", "Count it.");
  place.skill("by-hand", "Only a person starts this.", ["description: x", "disable-model-invocation: true"]);
});
afterEach(() => place.remove());

const tokensOf = (text: string) => Math.ceil(Buffer.byteLength(text) / 4);

describe("repeated loading", () => {
  test("the same text is given once, then a short note, until it changes", async () => {
    const skills = place.open();
    const session = openSession(skills);
    const first = await session.load("deploy");
    expect(first).toMatchObject({ status: "loaded", repeated: false, output: skills.load("deploy").output });
    const second = await session.load("deploy");
    expect(second).toMatchObject({ status: "loaded", repeated: true, files: [] });
    expect(second.output.length).toBeLessThan(300);
    expect(second.output).toMatch(/"deploy" was loaded earlier .* has not changed/);
    expect((await session.load("Deploy")).repeated, "another spelling of the name").toBe(true);
    place.skill("deploy", "Push the other button.");
    const third = await session.load("deploy");
    expect(third).toMatchObject({ repeated: false, output: expect.stringContaining("other button") });
    expect((await session.load("deploy")).repeated).toBe(true);
  });

  test("a file that changed is never called unchanged: in loads, mentions, after a compaction, or when it is gone", async () => {
    const skills = place.open();
    const session = openSession(skills);
    await session.load("deploy");
    await session.load("stock");
    place.skill("deploy", "Push the other button.");
    expect((await session.expand("/deploy")).parts.map(({ text }) => text).join("\n")).toContain(
      "other button",
    );
    place.skill("stock", "Count it twice.");
    expect(session.afterCompaction().text).toContain("Count it twice.");
    expect((await session.load("stock")).repeated).toBe(true);
    rmSync(join(place.cwd, ".claude/skills/stock"), { recursive: true });
    expect(await session.load("stock")).toMatchObject({ status: "unknown", repeated: false });
  });

  test("what changed in a project whose content was approved waits for the user again", async () => {
    const skills = place.open({ trust: false });
    trustWorkspace(skills, { folder: skills.workspace?.folder ?? "", to: "content" });
    skills.reload();
    const session = openSession(skills);
    expect((await session.load("deploy")).status).toBe("loaded");
    place.skill("deploy", "Send everything elsewhere.");
    const again = await session.load("deploy");
    expect(again.status).not.toBe("loaded");
    expect(again.output).not.toContain("elsewhere");
  });

  test("other arguments give the text, and `again` does", async () => {
    const session = openSession(place.open());
    await session.load("deploy", { arguments: "east" });
    expect(await session.load("deploy", { arguments: "west" })).toMatchObject({
      repeated: false,
      output: expect.stringContaining("button for west."),
    });
    expect((await session.load("deploy", { arguments: "east" })).repeated).toBe(true);
    expect((await session.load("deploy", { arguments: "east", again: true })).repeated).toBe(false);
  });

  test("through the tool, with `again` in its form only for a session", async () => {
    const skills = place.open();
    const [tool] = skillTools(openSession(skills));
    expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual(["name", "arguments", "again"]);
    expect(Object.keys(skillTools(skills)[0]?.inputSchema.properties ?? {})).toEqual(["name", "arguments"]);
    const call = async (input: object) => (await tool?.execute(input))?.text;
    const whole = await call({ name: "stock" });
    expect(whole).toContain("Count it.");
    expect(await call({ name: "stock" })).not.toContain("Count it.");
    expect(await call({ name: "stock", again: true })).toBe(whole);
  });

  test("mirrored systems give the text each time, as they do", async () => {
    const skills = place.open({ profile: "opencode" });
    const session = openSession(skills);
    const first = await session.load("deploy");
    expect((await session.load("deploy")).output).toBe(first.output);
  });

  test("a mention after a load is a note, and a load after a mention too", async () => {
    const session = openSession(place.open());
    await session.load("stock");
    const again = await session.expand("now /stock please");
    expect(again.parts[1]?.text).toMatch(/given earlier in this conversation/);
    expect(again.injected).toEqual([]);
    await session.expand("/deploy");
    expect((await session.load("deploy")).repeated).toBe(true);
  });
});

describe("the record", () => {
  test("says what was given, by whom, with digest and tokens", async () => {
    place.skill("pdf", "Read PDFs.", [
      "description: Works with PDF files.",
      "metadata:",
      "  attachments: pdf",
    ]);
    const skills = place.open();
    const session = openSession(skills);
    await session.load("deploy", { arguments: "east" });
    await session.expand("see /stock", {
      preload: ["by-hand"],
      attachments: [{ path: "a.pdf", mime: null }],
    });
    await session.load("stock");
    await session.load("absent");
    const digest = (name: string) => skills.snapshot.skills.find((skill) => skill.name === name)?.digest;
    expect(
      session.activations.map(({ order, name, by, given, arguments: words }) => [
        order,
        name,
        by,
        given,
        words,
      ]),
    ).toEqual([
      [1, "deploy", "model", "text", "east"],
      [2, "by-hand", "preload", "text", ""],
      [3, "stock", "user", "text", ""],
      [4, "pdf", "attachment", "name", ""],
      [5, "stock", "model", "note", ""],
    ]);
    for (const { name, digest: found, tokens, location, inContext } of session.activations) {
      expect(found).toBe(digest(name));
      expect(tokens).toBeGreaterThan(5);
      expect(location).toBe(join(place.cwd, `.claude/skills/${name}/SKILL.md`));
      expect(inContext).toBe(true);
    }
    expect(session.activations[0]?.tokens).toBe(
      tokensOf(skills.load("deploy", { arguments: "east" }).output),
    );
  });

  test("a conversation goes on in another process", async () => {
    const session = openSession(place.open());
    await session.load("deploy");
    session.guidance();
    const stored: unknown = JSON.parse(JSON.stringify(session.record()));
    const other = openSession(place.open(), { resume: stored });
    expect(other.activations).toEqual(session.activations);
    expect((await other.load("deploy")).repeated).toBe(true);
    expect(other.guidance()).toMatchObject({ kind: "unchanged", system: session.guidance().system });
    expect(other.afterCompaction().text).toContain("Push the button");
    for (const broken of [null, 7, {}, { version: 1, profile: "skillet", activations: [{ order: 1 }] }])
      expect(openSession(place.open(), { resume: broken }).activations).toEqual([]);
  });

  test("what the caller's own tool gave can be noted", async () => {
    const session = openSession(place.open());
    session.note("stock", { by: "user", text: "Count it." });
    expect(session.activations).toMatchObject([{ name: "stock", by: "user", tokens: 3 }]);
    expect((await session.load("stock")).repeated).toBe(true);
  });
});

describe("after a compaction", () => {
  test("the newest come back within the limits, and only those count as given", async () => {
    const long = Array.from({ length: 900 }, (_, at) => `Step ${at} of a long skill.`).join("\n");
    for (const name of ["a", "b", "c", "d", "e", "f"]) place.skill(name, `${long}\nLAST LINE of ${name}`);
    const session = openSession(place.open());
    for (const name of ["a", "b", "c", "d", "e", "f", "stock"]) await session.load(name);
    const plan = session.afterCompaction();
    expect(plan.tokens).toBeLessThanOrEqual(25_000);
    expect(plan.skills.map(({ name }) => name)).toEqual(["stock", "f", "e", "d", "c", "b", "a"]);
    expect(plan.skills.map(({ state }) => state)).toEqual([
      "full",
      "cut",
      "cut",
      "cut",
      "cut",
      "cut",
      "left-out",
    ]);
    for (const { tokens } of plan.skills) expect(tokens).toBeLessThanOrEqual(5_000);
    expect((await session.load("stock")).repeated).toBe(true);
    expect(await session.load("f")).toMatchObject({
      repeated: false,
      output: expect.stringContaining("LAST LINE of f"),
    });
    expect((await session.load("a")).repeated).toBe(false);
  });

  test("settings and options change the limits; a project can only lower them", async () => {
    place.settings({ compaction: { skillTokens: 300, totalTokens: 900 } });
    place.write(
      "shop/skillet.jsonc",
      JSON.stringify({ compaction: { skillTokens: 9_000, totalTokens: 800 } }),
    );
    place.skill("long", "A line of a long skill.\n".repeat(400));
    const skills = place.open();
    expect(skills.configuration.compaction).toEqual({ skillTokens: 300, totalTokens: 800 });
    const session = openSession(skills);
    await session.load("long");
    expect(session.afterCompaction().tokens).toBeLessThan(420);
    const wide = openSession(skills, { limits: { skillTokens: 20_000, totalTokens: 20_000 } });
    await wide.load("long");
    expect(wide.afterCompaction().skills).toMatchObject([{ state: "full" }]);
  });

  test("a changed skill comes back as it is now; one that is gone is said, and nothing at all is nothing", async () => {
    const skills = place.open();
    const session = openSession(skills);
    expect(session.afterCompaction()).toEqual({ text: "", tokens: 0, skills: [] });
    await session.load("deploy");
    await session.load("stock");
    place.skill("stock", "Count it twice.");
    rmSync(join(place.cwd, ".claude/skills/deploy"), { recursive: true });
    skills.reload();
    const plan = session.afterCompaction();
    expect(plan.text).toContain("Count it twice.");
    expect(plan.skills).toMatchObject([
      { name: "stock", state: "full" },
      { name: "deploy", state: "left-out", reason: expect.stringMatching(/no longer/) },
    ]);
    expect((await session.load("stock")).repeated).toBe(true);
  });
});

describe("files", () => {
  test("folders of skills that may be used are readable, links resolved", async () => {
    place.write("shop/.claude/skills/deploy/references/hosts.md", "one");
    place.write("shop/outside.txt", "no");
    const session = openSession(place.open());
    const folder = join(place.cwd, ".claude/skills/deploy");
    symlinkSync(join(place.cwd, "outside.txt"), join(folder, "link.txt"));
    symlinkSync(place.cwd, join(folder, "up"));
    expect(session.mayRead(join(folder, "references/hosts.md"))).toEqual({
      allowed: true,
      path: realpathSync(join(folder, "references/hosts.md")),
      skill: "deploy",
    });
    const refused = [
      ...[join(folder, "link.txt"), join(folder, "up/outside.txt"), join(folder, "../../../outside.txt")],
      ...[join(place.cwd, "outside.txt"), "references/hosts.md", "/etc/passwd", join(folder, "nothing.md")],
      ...[`${folder}-other/SKILL.md`, `${folder}/a\0b`],
    ];
    for (const path of refused) expect(session.mayRead(path), path).toMatchObject({ allowed: false });
    expect(session.readableFolders).toContain(folder);
  });

  test("a skill that only a person may start has readable files once it was started", async () => {
    place.write("shop/.claude/skills/by-hand/notes.md", "notes");
    const session = openSession(place.open());
    const path = join(place.cwd, ".claude/skills/by-hand/notes.md");
    expect([session.loadFile("by-hand", "notes.md").status, session.mayRead(path).allowed]).toEqual([
      "manual-only",
      false,
    ]);
    await session.expand("/by-hand now");
    expect(session.loadFile("by-hand", "notes.md")).toMatchObject({
      status: "read",
      file: { text: "notes" },
    });
    expect(session.mayRead(path).allowed).toBe(true);
  });
});

describe("life", () => {
  test("aborted calls reject with the signal's reason and leave no trace", async () => {
    const session = openSession(place.open());
    const signal = AbortSignal.abort();
    await expect(session.load("deploy", { signal })).rejects.toMatchObject({ name: "AbortError" });
    await expect(session.expand("/deploy", { signal })).rejects.toMatchObject({ name: "AbortError" });
    await expect(session.start({ signal })).rejects.toMatchObject({ name: "AbortError" });
    expect(session.activations).toEqual([]);
    await expect(place.open().expand("/deploy", { signal })).rejects.toMatchObject({ name: "AbortError" });
  });

  test("a closed session answers with an error, twice closed is fine, the skills stay open", async () => {
    const skills = place.open();
    const session = openSession(skills);
    session.close();
    session.close();
    await expect(session.load("deploy")).rejects.toMatchObject({ code: "usage" });
    await expect(session.expand("x")).rejects.toMatchObject({ code: "usage" });
    for (const call of [
      () => session.guidance(),
      () => session.record(),
      () => session.search("x"),
      () => session.mayRead(place.cwd),
      () => session.dryRun("deploy"),
      () => session.loadFile("deploy", null),
    ])
      expect(call).toThrow("This session is closed.");
    expect(skills.load("deploy").status).toBe("loaded");
  });

  test("sessions over one set know nothing of each other", async () => {
    const skills = place.open();
    const [one, two] = [openSession(skills), openSession(skills)];
    await one.load("deploy");
    expect((await two.load("deploy")).repeated).toBe(false);
  });

  test("another agent's set takes over: a new epoch, what was given stays", async () => {
    place.settings({ agent: { plan: { permission: { skill: { stock: "deny" } } } } });
    const session = openSession(place.open());
    await session.load("deploy");
    const first = session.guidance();
    session.use(place.open({ agent: "plan" }));
    const second = session.guidance();
    expect([first.epoch, second.epoch, second.kind]).toEqual([1, 2, "baseline"]);
    expect(second.system).not.toContain("stock");
    expect((await session.load("stock")).status).toBe("unknown");
    expect((await session.load("deploy")).repeated).toBe(true);
  });

  test("a live set tells its changes at the next turn, and nothing else", async () => {
    const skills = place.open();
    const session = openSession(skills);
    const first = session.guidance();
    expect(first).toMatchObject({ kind: "baseline", system: skills.catalog().text });
    mkdirSync(join(place.cwd, ".claude/skills/new"));
    writeFileSync(
      join(place.cwd, ".claude/skills/new/SKILL.md"),
      "---\nname: new\ndescription: Brand new.\n---\nx\n",
    );
    skills.reload();
    const second = session.guidance();
    expect(second).toMatchObject({ kind: "update", system: first.system });
    expect(second.message).toContain('<skill name="new">Brand new.</skill>');
    expect(session.guidance()).toMatchObject({ kind: "unchanged", system: first.system, message: null });
  });
});
