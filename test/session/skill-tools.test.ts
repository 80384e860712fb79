import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { callSkillTool, openSkills, type Skills, skillTools } from "../../src/index.ts";

let place = "";
let open: Skills[] = [];

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "skillet-tools-")));
  write("home/.keep", "");
  write(
    "shop/.claude/skills/deploy/SKILL.md",
    skill("deploy", "Deploy the shop to the servers.", "Push the button."),
  );
  write("shop/.claude/skills/deploy/references/hosts.md", "one\ntwo\n");
  write("shop/.claude/skills/deploy/logo.png", Buffer.from([0x89, 0x50, 0, 1, 2]));
  write("shop/.claude/skills/stock/SKILL.md", skill("stock", "Count what is in stock.", "Count."));
  write("shop/.claude/skills/secret/SKILL.md", skill("secret", "Not for models.", "x"));
  write(
    "shop/.claude/skills/by-hand/SKILL.md",
    skill("by-hand", "By hand.\ndisable-model-invocation: true", "x"),
  );
  write("shop/secret.txt", "outside");
  write(
    "home/.config/skillet/skillet.jsonc",
    JSON.stringify({ permission: { skill: { stock: "ask", secret: "deny" } } }),
  );
});
afterEach(() => {
  for (const skills of open) skills.close();
  open = [];
  rmSync(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});

function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(place, path)), { recursive: true });
  writeFileSync(join(place, path), content);
}

function skill(name: string, description: string, body: string): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;
}

function shop(): Skills {
  const skills = openSkills({
    cwd: join(place, "shop"),
    home: join(place, "home"),
    data: join(place, "data"),
    trust: true,
  });
  open.push(skills);
  return skills;
}

describe("skill", () => {
  test("the name is an enum of what a model may load, while there are few", () => {
    const [tool] = skillTools(shop());
    expect(tool?.inputSchema.properties.name?.enum).toEqual(expect.arrayContaining(["deploy", "stock"]));
    expect(tool?.inputSchema.properties.name?.enum).not.toContain("secret");
    expect(tool?.inputSchema.properties.name?.enum).not.toContain("by-hand");
    expect(skillTools(shop(), { enumLimit: 1 })[0]?.inputSchema.properties.name?.enum).toBeUndefined();
    expect(skillTools(shop(), { names: "text" })[0]?.inputSchema.properties.name?.enum).toBeUndefined();
  });

  test("what it gives is the profile's own text", async () => {
    const skills = shop();
    const result = await callSkillTool(skillTools(skills), { name: "skill", input: { name: "deploy" } });
    expect(result).toEqual({
      text: skills.load("deploy").output,
      isError: false,
      status: "loaded",
      skill: "deploy",
    });
  });

  test("failures are results that say what to do next", async () => {
    const tools = skillTools(shop());
    const call = (input: unknown) => callSkillTool(tools, { name: "skill", input });
    expect(await call({ name: "deplyo" })).toMatchObject({
      isError: true,
      status: "unknown",
      text: expect.stringContaining("Did you mean deploy?"),
    });
    expect((await call({ name: "secret" })).status).toBe("unknown");
    expect(await call({ name: "by-hand" })).toMatchObject({ isError: true, status: "manual-only" });
    expect(await call({ name: "stock" })).toMatchObject({
      isError: true,
      status: "ask",
      text: expect.stringMatching(/Go on without it or tell the user/),
    });
    for (const input of [null, [], "deploy", 7, {}, { name: 3 }, { name: ["deploy"] }, { name: "" }])
      expect(await call(input)).toMatchObject({
        isError: true,
        status: "invalid-input",
        text: expect.stringContaining('Call `skill` with "name"'),
      });
    for (const name of [
      "__proto__",
      "constructor",
      "x".repeat(100_000),
      "x".repeat(1_000),
      "\u0000",
      "../deploy",
    ]) {
      const result = await call({ name });
      expect(result.isError).toBe(true);
      expect(result.text.length).toBeLessThan(2_000);
    }
    expect(await callSkillTool(tools, { name: "__proto__", input: {} })).toMatchObject({
      isError: true,
      text: expect.stringContaining("skill, skill_search, read_skill_file"),
    });
  });

  test("the user is asked where a rule says so, once and for what is loaded", async () => {
    const asked: unknown[] = [];
    const tools = skillTools(shop(), {
      allow: (request) => {
        asked.push(request);
        return true;
      },
    });
    const result = await callSkillTool(tools, { name: "skill", input: { name: "Stock" } });
    expect(result).toMatchObject({ status: "loaded", text: expect.stringContaining("Count.") });
    expect(asked).toEqual([{ permission: "skill", patterns: ["stock"], always: ["stock"] }]);
  });

  test("a no is told as a no, for a skill and for its files", async () => {
    const tools = skillTools(shop(), { allow: () => false });
    for (const [name, input] of [
      ["skill", { name: "stock" }],
      ["read_skill_file", { name: "stock", path: "SKILL.md" }],
    ] as const)
      expect(await callSkillTool(tools, { name, input })).toEqual({
        isError: true,
        status: "ask",
        skill: null,
        text: 'The user was asked and did not allow "stock". Go on without it.',
      });
  });

  test("a caller's question that fails is a result; an aborted call rejects", async () => {
    const tools = skillTools(shop(), {
      allow: () => {
        throw new Error("nobody there");
      },
    });
    expect(await callSkillTool(tools, { name: "skill", input: { name: "stock" } })).toMatchObject({
      isError: true,
      status: "failed",
      text: expect.stringContaining("nobody there"),
    });
    for (const tool of tools)
      await expect(
        tool.execute({ name: "deploy", query: "deploy" }, { signal: AbortSignal.abort() }),
      ).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("skill_search", () => {
  test("gives names and descriptions as the catalog writes them", async () => {
    const result = await callSkillTool(skillTools(shop()), {
      name: "skill_search",
      input: { query: "put the shop on the servers" },
    });
    expect(result.text).toMatch(
      /^<found_skills>\n<skill name="deploy">Deploy the shop to the servers\.<\/skill>\n/,
    );
    expect(result.text).not.toContain("secret");
  });

  test("nothing found is an answer, not an error", async () => {
    const result = await callSkillTool(skillTools(shop()), {
      name: "skill_search",
      input: { query: "zzzz qqqq" },
    });
    expect(result).toMatchObject({ isError: false, status: "nothing-found" });
    expect(result.text).toContain("go on without a skill");
  });
});

describe("read_skill_file", () => {
  const read = (input: unknown, skills = shop()) =>
    callSkillTool(skillTools(skills), { name: "read_skill_file", input });

  test("lists and reads what lies in the skill's folder", async () => {
    expect(await read({ name: "deploy" })).toMatchObject({
      status: "listed",
      text: "SKILL.md\nlogo.png\nreferences/hosts.md",
    });
    expect((await read({ name: "deploy", path: "references/hosts.md" })).text).toBe("one\ntwo\n");
    expect((await read({ name: "deploy", path: "references/hosts.md", offset: 2 })).text).toBe(
      "two\n\n\n[Lines 2 to 2 of 2. This is the end.]",
    );
    expect(await read({ name: "deploy", path: "logo.png" })).toMatchObject({
      isError: true,
      status: "refused",
    });
  });

  test("everything outside is refused: dots, absolute paths, backslashes, links", async () => {
    const folder = join(place, "shop/.claude/skills/deploy");
    symlinkSync(join(place, "shop/secret.txt"), join(folder, "link.txt"));
    symlinkSync(join(place, "shop"), join(folder, "up"));
    const paths = [
      ...["../../../secret.txt", "../stock/SKILL.md", "references/../../stock/SKILL.md", ".."],
      ...[join(place, "shop/secret.txt"), "/etc/passwd", "~/secret.txt", "file:///etc/passwd"],
      ...["link.txt", "up/secret.txt", "..\\..\\..\\secret.txt", "C:\\secret.txt", "\\\\host\\share\\x"],
      ...["a\0b", "%2e%2e/secret.txt", "x".repeat(5_000)],
    ];
    for (const path of paths) {
      const result = await read({ name: "deploy", path });
      expect(result, path).toMatchObject({ isError: true, status: "refused" });
      expect(result.text).not.toContain("outside\n");
      expect(result.text.length).toBeLessThan(1_000);
    }
  });

  test("who may not load the skill does not get its files", async () => {
    expect((await read({ name: "secret", path: "SKILL.md" })).status).toBe("unknown");
    expect((await read({ name: "by-hand", path: "SKILL.md" })).status).toBe("manual-only");
    expect((await read({ name: "stock", path: "SKILL.md" })).status).toBe("ask");
  });
});
