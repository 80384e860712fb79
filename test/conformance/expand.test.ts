import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { approvalFolder, approveAlways, openSkills } from "../../src/index.ts";

const work = realpathSync(mkdtempSync(join(tmpdir(), "expand-")));
afterAll(() => rmSync(work, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

const files: Readonly<Record<string, string>> = {
  "pdf/SKILL.md":
    "---\nname: pdf\ndescription: Fills and reads PDF files.\naliases: [forms]\n---\n# PDF\n</skill_content>\n",
  "note/SKILL.md":
    "---\nname: note\ndescription: Notes.\narguments: [who]\n---\nFor $who and $1. All: $ARGUMENTS\n",
  "分析/SKILL.md": "---\nname: 分析\ndescription: Analyse.\n---\nAnalyse.\n",
  "mine/SKILL.md": "---\nname: mine\ndescription: Mine.\ndisable-model-invocation: true\n---\nMine.\n",
  "css/SKILL.md": "---\nname: css\ndescription: Styles.\npaths: ['**/*.css']\n---\nStyles.\n",
  "secret/SKILL.md": "---\nname: secret\ndescription: Secret.\n---\nSecret.\n",
};
for (const [path, text] of Object.entries(files)) {
  const place = join(work, "home/.agents/skills", path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, text);
}
mkdirSync(join(work, "project"), { recursive: true });
mkdirSync(join(work, "home/.config/skillet"), { recursive: true });
writeFileSync(
  join(work, "home/.config/skillet/skillet.jsonc"),
  JSON.stringify({ permission: { skill: { "*": "allow", secret: "deny", note: "ask" } } }),
);

const open = (touched: readonly string[] = []) =>
  openSkills({ cwd: join(work, "project"), home: join(work, "home"), data: join(work, "data"), touched });
const origins = (parts: readonly { readonly origin: string }[]) =>
  parts.map(({ origin }) => origin).join(" ");

describe("what a message becomes in profile skillet", () => {
  test.each([
    ["see /pdf", ["pdf"]],
    ["/forms", ["pdf"]],
    ["请用 /分析。", ["分析"]],
    ["`/pdf` and ~~~", []],
    ["~~~\n/pdf\n~~~", []],
    ["/pdf/x https://x.test/pdf", []],
    ["/mine", ["mine"]],
    ["/nothing", []],
  ])("%j", async (message, mentioned) => {
    const expansion = await open().expand(message);
    expect(expansion.mentioned).toEqual(mentioned);
    expect(expansion.injected).toEqual(mentioned);
    expect(expansion.visibleText).toBe(message);
    expect(expansion.parts[0]).toEqual({ type: "text", text: message, synthetic: false, origin: "user" });
  });

  test("the text is framed, and cannot close its frame", async () => {
    const { parts } = await open().expand("/pdf");
    expect(parts[1]?.text).toMatch(
      /^<system-reminder>\n<skill_content name="pdf">[\s\S]*<\/skill_content>\n<\/system-reminder>$/,
    );
    expect(parts[1]?.text.match(/<\/skill_content>/g)).toHaveLength(1);
  });

  test("arguments behind a single leading name", async () => {
    const text = async (message: string) => (await open().expand(message)).parts[1]?.text ?? "";
    expect(await text("/note Ann 'two words'")).toContain("For Ann and two words. All: Ann 'two words'");
    expect(await text("please /note Ann")).toContain("For  and $1. All:\n");
  });

  test("several are combined, a fourth is only named", async () => {
    const { parts, injected } = await open().expand("/pdf /note /分析 /mine");
    expect(origins(parts)).toBe("user mention mention mention orchestration");
    expect(injected).toEqual(["pdf", "note", "分析"]);
    expect(parts.at(-1)?.text).toContain("mine");
  });

  test("what was given before is not repeated unless it changed", async () => {
    const skills = open();
    const digest = skills.entries.find(({ skill }) => skill.name === "pdf")?.skill.digest ?? "";
    const again = await skills.expand("/pdf", { given: [{ name: "pdf", digest }] });
    expect([again.mentioned, again.injected]).toEqual([["pdf"], []]);
    expect(again.parts[1]?.text).not.toContain("# PDF");
    const changed = await skills.expand("/pdf", { given: [{ name: "pdf", digest: "sha256:other" }] });
    expect(changed.injected).toEqual(["pdf"]);
  });

  test("a denied skill is given to nobody, and that is said", async () => {
    const { parts, diagnostics } = await open().expand("/secret");
    expect(parts).toHaveLength(1);
    expect(diagnostics.map(({ code }) => code)).toEqual(["expand/not-given"]);
  });

  test("files bring up the skills that cover them", async () => {
    const attach = async (path: string, mime: string | null = null) =>
      (await open().expand("look", { attachments: [{ path, mime }] })).parts[1]?.text ?? null;
    expect(await attach("a.PDF")).toContain("- pdf: ");
    expect(await attach("blob", "application/pdf")).toContain("- pdf: ");
    expect(await attach("a.docx")).toBeNull();
    expect(origins((await open(["src/a.css"]).expand("go on")).parts)).toBe("user reminder");
  });

  test("preloaded skills come first, also manual ones; a wrong name is an error with near names", async () => {
    const { parts, injected, diagnostics } = await open().expand("hello /mine", {
      preload: ["mine", "pfd", "secret"],
    });
    expect(origins(parts)).toBe("preload user mention");
    expect(injected).toEqual(["mine"]);
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
      ["expand/unknown-skill", "error"],
      ["expand/not-given", "error"],
    ]);
    expect(diagnostics[0]?.hint).toContain("pdf");
  });
});

describe("approvals", () => {
  test("an answer always is kept for its project and lifts an ask, never a denial", () => {
    const before = open();
    expect(before.load("note").status).toBe("ask");
    const folder = approvalFolder(null, before.environment);
    const always = { profile: "skillet", folder, permission: "skill", always: ["note", "secret"] };
    approveAlways(before.environment, always);
    expect(before.load("note").status).toBe("ask");
    before.reload();
    expect([before.load("note").status, before.load("secret").status]).toEqual(["loaded", "unknown"]);
    const other = openSkills({ cwd: work, home: join(work, "home"), data: join(work, "data") });
    expect(other.load("note").status).toBe("ask");
  });
});

describe("the search tool of profile mimo", () => {
  const search = (action: string, approved = false) => {
    const skills = openSkills({
      profile: "mimo",
      cwd: join(work, "project"),
      home: join(work, "home"),
      data: join(work, "data"),
      env: { MIMOCODE_PERMISSION: JSON.stringify({ skill: { pdf: action } }) },
    });
    return skills.searchTool?.("pdf", { approved }) ?? "";
  };

  test("allowed: the content follows; asked: only with a yes; denied: not found at all", () => {
    expect(search("allow")).toMatch(/"loaded_skill_id": "pdf"\n}\n\n<skill_content name="pdf">/);
    expect(search("ask")).toMatch(/"name": "pdf"[\s\S]*"loaded_skill_id": null\n}$/);
    expect(search("ask", true)).toContain("<skill_content");
    expect(search("deny")).not.toContain('"pdf"');
  });
});
