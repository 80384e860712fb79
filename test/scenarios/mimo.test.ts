import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sandbox, skill } from "../cli/run-skillet.ts";

/** One machine on which MiMo Code's own packs (fixtures with the names that its rules speak of) are used step by step. */
const place = sandbox();
const pack = join(place.folder, "pack");

beforeAll(() => {
  const files: Readonly<Record<string, string>> = {
    "general/data-analytics/SKILL.md": skill(
      "data-analytics",
      "Analyze datasets and produce quantitative findings.",
    ),
    "general/docx-official/SKILL.md": skill("docx-official", "Create, edit, and read Word documents."),
    "general/pdf-official/SKILL.md": skill("pdf-official", "Create, edit, convert, and read PDF files."),
    "general/claude-code/SKILL.md": skill("claude-code", "Drive the claude command."),
    "general/deep-research/SKILL.md": skill("deep-research", "Research a question in many sources."),
    "compose/plan/SKILL.md": skill("compose:plan", "Plan before work."),
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(pack, path)), { recursive: true });
    writeFileSync(join(pack, path), text);
  }
});

afterAll(() => place.remove());

const mimo = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  place.run([
    "--as",
    "mimo",
    "--pack",
    pack,
    ...Object.entries(env).flatMap(([name, value]) => ["--env", `${name}=${value}`]),
    ...args,
  ]);

async function names(env: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const answer = (await mimo(["list", "--json"], { PATH: "", ...env })).json() as {
    skills: { name: string }[];
  };
  return answer.skills.map(({ name }) => name).sort();
}

const everything = ["compose:plan", "data-analytics", "deep-research", "docx-official", "pdf-official"];

describe("MiMo Code in a fresh home", () => {
  test("extracts its packs at the first look", async () => {
    expect(await names()).toEqual(everything);
    const [version = ""] = readdirSync(join(place.data, "builtin_skills"));
    expect(existsSync(join(place.data, "builtin_skills", version, "skills/pdf-official/SKILL.md"))).toBe(
      true,
    );
    expect(existsSync(join(place.data, "compose"))).toBe(true);
  });

  test("offers a skill for a program only where the program is", async () => {
    const bin = join(place.folder, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "claude"), "#!/bin/sh\n");
    chmodSync(join(bin, "claude"), 0o755);
    expect(await names({ PATH: bin })).toContain("claude-code");
    expect(await names()).not.toContain("claude-code");
  });

  test.each([
    ["MIMOCODE_DISABLE_BUILTIN_SKILLS", ["compose:plan"]],
    ["MIMOCODE_DISABLE_OFFICIAL_SKILLS", ["compose:plan", "data-analytics", "deep-research"]],
    ["MIMOCODE_DISABLE_COMPOSE_SKILLS", everything.slice(1)],
  ])("%s", async (name, left) => {
    expect(await names({ [name]: "true" })).toEqual(left);
    expect(await names()).toEqual(everything);
  });

  test("hides skills from completion only with MIMOCODE_DISABLE_SLASH_SKILLS", async () => {
    expect(await names({ MIMOCODE_DISABLE_SLASH_SKILLS: "1" })).toEqual(everything);
  });

  test("a skill of the user's takes the place of a bundled one", async () => {
    place.write({ "~/.claude/skills/mine/SKILL.md": skill("deep-research", "My own way.") });
    const why = await mimo(["why", "deep-research"]);
    expect(why.stdout).toContain("~/.claude/skills/mine/SKILL.md");
    expect((await mimo(["list", "--json"])).stdout).toContain("My own way.");
    const off = await mimo(["list", "--json"], { MIMOCODE_DISABLE_EXTERNAL_SKILLS: "true" });
    expect(off.stdout).not.toContain("My own way.");
  });

  test("searches and loads in English and in Chinese", async () => {
    const english = await mimo(["search", "create edit read word documents"]);
    expect(english.stdout).toContain('"loaded_skill_id": "docx-official"');
    expect(english.stdout).toContain('<skill_content name="docx-official">');
    const chinese = await mimo(["search", "请使用数据分析技能检查销售指标"]);
    expect(chinese.stdout).toContain('"loaded_skill_id": "data-analytics"');
  });

  test("offers slash commands with Chinese names where the language is Chinese", async () => {
    const { stdout } = await mimo(["commands", "--json", "--lang", "zh-CN"]);
    const { commands } = JSON.parse(stdout) as { commands: { name: string; aliases: string[] }[] };
    expect(commands.find(({ name }) => name === "data-analytics")?.aliases).toContain("数据分析");
  });

  test("puts two mentioned skills into the message and says how to combine them", async () => {
    const answer = (await mimo(["expand", "--json", "use /pdf-official and /data-analytics"])).json() as {
      mentioned: string[];
      injected: string[];
      parts: { origin: string; text: string }[];
    };
    expect(answer.mentioned).toEqual(["pdf-official", "data-analytics"]);
    expect(answer.injected).toEqual(["pdf-official", "data-analytics"]);
    expect(answer.parts.map(({ origin }) => origin)).toContain("orchestration");
  });

  test("names the document skills for an attachment", async () => {
    const { stdout } = await mimo(["expand", "--json", "--attach", "report.pdf", "look at this"]);
    const { parts } = JSON.parse(stdout) as { parts: { origin: string; text: string }[] };
    expect(parts.find(({ origin }) => origin === "attachment")?.text).toContain("pdf-official/SKILL.md");
  });

  test("denies the workflow pack to everybody but its agent", async () => {
    const denied = await mimo(["load", "compose:plan"]);
    expect(denied.code).toBe(1);
    const allowed = await mimo(["load", "compose:plan", "--agent", "compose"]);
    expect(allowed.code).toBe(0);
    expect(allowed.stdout).toContain('<skill_content name="compose:plan">');
  });
});
