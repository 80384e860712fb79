import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Explanation } from "../core/explain/explanation.ts";
import { openSkills } from "./open-skills.ts";
import type { OpenOptions } from "./skills.ts";

const places: string[] = [];

afterEach(() => {
  for (const place of places.splice(0))
    rmSync(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});

/** What `why` says of a name in a project with these files; `$` in the answer stands for the project. */
function why(name: string, files: Readonly<Record<string, string>>, options: OpenOptions = {}): Explanation {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "skillet-why-")));
  places.push(place);
  const [cwd, home] = [join(place, "repo"), join(place, "home")];
  for (const folder of [join(cwd, ".git"), home]) mkdirSync(folder, { recursive: true });
  for (const [path, text] of Object.entries({ ".git/HEAD": "ref: refs/heads/main\n", ...files })) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  const skills = openSkills({ cwd, home, data: join(place, "data"), trust: true, ...options });
  try {
    return JSON.parse(JSON.stringify(skills.explain(name)).replaceAll(cwd, "$"));
  } finally {
    skills.close();
  }
}

const skill = (name: string, more = ""): string =>
  `---\nname: ${name}\ndescription: What ${name} does.\n${more}---\n\nDo it.\n`;
const at = (name: string, text: string) => ({ [`.claude/skills/${name}/SKILL.md`]: text });
const step = ({ steps }: Explanation, reason: string) => steps.find((one) => one.reason === reason);

describe("as OpenCode", () => {
  const opencode: OpenOptions = { profile: "opencode" };

  test("a skill without description is told as such, in head, code and step", () => {
    const told = why("bare", at("bare", "---\nname: bare\n---\nDo it.\n"), opencode);
    expect(told).toMatchObject({ verdict: "offered", catalog: "omitted", next: "skillet load bare" });
    expect(told.summary).toBe(
      '"bare", from $/.claude/skills/bare/SKILL.md, is not shown to a model: it has no description; it can be loaded by name.',
    );
    expect(step(told, "no-description")?.outcome).toBe("omitted");
    expect(step(told, "budget")).toBeUndefined();
  });

  test("a misspelt key is said to be ignored", () => {
    const told = why("slip", at("slip", "---\nname: slip\ndescripton: D\n---\nDo it.\n"), opencode);
    expect(step(told, "frontmatter/misspelt-key")?.message).toBe(
      "OpenCode does not know the key `descripton` and ignores it: did you mean `description`?",
    );
  });

  test("frontmatter that is never closed is called that", () => {
    const told = why("open", at("open", "---\nname: open\ndescription: D\n\n# Title\nDo it.\n"), opencode);
    expect(told.verdict).toBe("skipped");
    expect(told.summary).toContain("is never closed");
    expect(JSON.stringify(told)).not.toContain("neither a key");
  });

  test("a key that it ignores is a step, and notes about other things are left out", () => {
    const told = why("wipe", at("wipe", skill("wipe", "disable-model-invocation: true\n")), opencode);
    expect(told.verdict).toBe("offered");
    expect(step(told, "ignored-key")?.message).toMatch(/^OpenCode ignores `disable-model-invocation`/);
    expect(told.notes.join(" ")).not.toMatch(/scanned last|leads back|JavaScript/);
    const plain = why("wipe", at("wipe", skill("wipe")), opencode);
    expect(step(plain, "ignored-key")).toBeUndefined();
    const twice = why(
      "wipe",
      { ...at("wipe", skill("wipe")), ".agents/skills/wipe/SKILL.md": skill("wipe") },
      opencode,
    );
    expect(twice.notes.join(" ")).toContain("scanned last");
  });

  test("a skill in another agent's folder is found there", () => {
    const told = why("far", { ".cursor/skills/far/SKILL.md": skill("far") }, opencode);
    expect(told.verdict).toBe("absent");
    expect(step(told, "near-miss-other-agent")?.path).toBe("$/.cursor/skills/far/SKILL.md");
    expect(told.summary).toContain("a folder of Cursor, where OpenCode 1.18.33 does not look");
  });
});

test("everything that keeps a skill back is named, and no command promises too much", () => {
  const told = why("wipe", at("wipe", skill("wipe", "disable-model-invocation: true\n")), { trust: false });
  expect(told.summary).toContain("Two things keep it back: Its project is not trusted yet");
  expect(told.summary).toContain("`disable-model-invocation` is set");
  expect(told.summary).toContain("No command makes it offered");
  expect(told.summary).not.toContain("changes that");
  expect(told.next).toBe("skillet load wipe --by user");
  const one = why("wipe", at("wipe", skill("wipe")), { trust: false });
  expect(one.summary).toMatch(/Its project is not trusted yet.* `skillet trust` changes that\.$/);
  expect(one.next).toBe("skillet trust");
  const tied = why("wipe", at("wipe", skill("wipe", "paths: '*.sql'\n")), { trust: false });
  expect(tied.summary).toMatch(/Two things keep it back.*`skillet trust` alone does not make it offered\.$/);
});

test("the default rule has no number", () => {
  const told = why("plan", at("plan", skill("plan")));
  expect(step(told, "allowed")?.message).not.toMatch(/Rule \d/);
});

const deep = ".claude/skills/a/b/c/d/e/f/g/h/NAME/SKILL.md";

test.each([
  ["flat-file", ".claude/skills/NAME.md"],
  ["file-name", ".claude/skills/NAME/SKILLS.md"],
  ["file-name", ".claude/skills/NAME/skill.markdown"],
  ["file-name", ".claude/skills/NAME/readme.md"],
  ["folder-name", ".claude/skill/NAME/SKILL.md"],
  ["too-high", ".claude/NAME/SKILL.md"],
  ["inside-skill", ".claude/skills/other/NAME/SKILL.md"],
  ["ignored-folder", ".claude/skills/node_modules/NAME/SKILL.md"],
  ["ignored-folder", ".claude/skills/.off/NAME/SKILL.md"],
  ["ignored-folder", ".claude/skills/vendor/deep/NAME/SKILL.md"],
  ["too-deep", deep],
  ["no-skill-file", ".claude/skills/NAME/notes.txt"],
  ["plain-folder", "skills/NAME/SKILL.md"],
  ["package", "packages/web/.claude/skills/NAME/SKILL.md"],
])("a name that is nowhere: %s, %s", (reason, path) => {
  const file = path.replace("NAME", "deploy");
  const told = why("deploy", {
    [file]: "# Deploy\n",
    ".claude/skills/other/SKILL.md": skill("other"),
  });
  const found = reason === "no-skill-file" ? dirname(file) : file;
  expect(told.verdict).toBe("absent");
  const near = told.steps.filter((one) => one.reason.startsWith("near-miss-"));
  expect(near).toMatchObject([
    { stage: "scan", outcome: "skipped", reason: `near-miss-${reason}`, path: `$/${found}` },
  ]);
  expect(told.summary).toContain(`. Found $/${found}, which looks like it, but `);
});

test("a name that its file declares and that is not allowed", () => {
  for (const name of ["team/deploy", "-lead", "a<b>c"]) {
    const file = `---\nname: ${name}\ndescription: Use when wiping.\n---\nText\n`;
    const told = why(name, at("wipe", file));
    expect(told.verdict).toBe("absent");
    expect(step(told, "near-miss-refused-name")?.path).toBe("$/.claude/skills/wipe/SKILL.md");
    expect(told.summary).toContain(`the name "${name}" is not allowed`);
    expect(told.summary).toContain("the folder's name wipe is used instead");
  }
});

test("a name that is nowhere: the project itself", () => {
  const told = why("repo", { "SKILL.md": skill("repo") });
  expect(step(told, "near-miss-project-itself")?.path).toBe("$/SKILL.md");
});

test("a name that is nowhere: a brand that is switched off", () => {
  const place = mkdtempSync(join(tmpdir(), "skillet-why-"));
  places.push(place);
  const configFile = join(place, "config.jsonc");
  writeFileSync(configFile, '{"brands": ["agents"]}');
  const told = why("deploy", { ".cursor/skills/deploy/SKILL.md": skill("deploy") }, { configFile });
  expect(told.verdict).toBe("absent");
  expect(step(told, "near-miss-brand-off")?.message).toContain(
    "folders of Cursor are switched off by `brands`",
  );
});

test("a name that is really nowhere has no near miss", () => {
  const told = why("deploy", at("other", skill("other")));
  expect(told.steps.filter(({ reason }) => reason.startsWith("near-miss-"))).toEqual([]);
});
