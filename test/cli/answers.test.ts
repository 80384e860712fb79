import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { textWidth } from "../../src/cli/output/text-width.ts";
import { controlCharacters, makePipe, sandbox, skill } from "./run-skillet.ts";

const hostile =
  "\u001b[31mred\u001b[0m \u0007\u009b2J\u202edrow\u202c\u200b one\r\ntwo\u2028three \u001b]0;title\u0007";
const place = sandbox();

beforeAll(() => {
  place.write({
    ".agents/skills/pdf/SKILL.md": skill("pdf", "Convert Word documents to PDF. Use when a PDF is wanted."),
    ".agents/skills/pdf/scripts/fill.py": "print('\u001b[2J')\n",
    ".agents/skills/evil/SKILL.md": `---\nname: evil\ndescription: ${JSON.stringify(hostile)}\nlicense: ${JSON.stringify(hostile)}\n---\n${hostile}\n`,
    ".agents/skills/chinese/SKILL.md": skill(
      "会议纪要",
      "把会议记录整理成纪要：结论、待办事项、负责人和截止日期。".repeat(3),
    ),
    ".agents/skills/party/SKILL.md": skill(
      "party",
      "🎉 Plan a party 👩‍👩‍👧 with family and 🇩🇪 flags and much more than fits, a constructor too",
    ),
    ".agents/skills/manual/SKILL.md":
      "---\nname: manual\ndescription: By hand.\ndisable-model-invocation: true\n---\nHi\n",
    ".claude/skills/pdf/SKILL.md": skill("pdf", "Another one."),
    "~/.agents/skills/mine/SKILL.md": skill("mine", "Of the user."),
  });
  if (process.platform !== "win32") makePipe(join(place.project, ".agents/skills/pipe/SKILL.md"));
});
afterAll(() => place.remove());

const trusted = (args: readonly string[], terminal?: Parameters<typeof place.run>[1]) =>
  place.run(["--trust", ...args], terminal);

const everything = [
  [],
  ["list"],
  ["list", "--all"],
  ["show", "evil"],
  ["show", "pdf", "--file", "scripts/fill.py"],
  ["why", "evil"],
  ["why", "nothing"],
  ["search", "red", "--explain"],
  ["catalog"],
  ["catalog", "--report"],
  ["commands"],
  ["check"],
  ["check", "--format", "github"],
  ["check", "--format", "sarif"],
  ["doctor"],
  ["doctor", "--json"],
  ["list", "--json"],
  ["show", "evil", "--json"],
  ["paths"],
  ["config", "list"],
  ["red words"],
  ["show", hostile],
  ["load", "evil", "--json"],
];

describe("no control byte reaches a terminal", () => {
  it.each(everything.map((args) => [args]))("%j", async (args) => {
    const { stdout, stderr } = await trusted(args);
    expect(stdout).not.toMatch(controlCharacters);
    expect(stderr).not.toMatch(controlCharacters);
  });
});

describe("every row fits its terminal", () => {
  const human = everything.filter(
    (args) => !args.includes("--json") && !["github", "sarif"].some((one) => args.includes(one)),
  );
  // Commands to be copied, data for machines and raw catalog text are never cut.
  const uncut = /^ {2}skillet |^\s*(sha256:|\S*$)/;
  it.each(human.filter((args) => args[0] !== "catalog").map((args) => [args]))("%j", async (args) => {
    for (const columns of [100, 60, 40, 20]) {
      const { stdout, stderr } = await trusted(["--no-color", ...args], { columns });
      const long = `${stdout}${stderr}`
        .split("\n")
        .filter((line) => textWidth(line) > columns && !uncut.test(line));
      expect(long).toEqual([]);
    }
  });
});

it("a request may hold a word that objects inherit", async () => {
  const { code, stdout } = await trusted(["search", "constructor party", "--explain"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ +constructor +\d\.\d\d +description \d\.\d\d/m);
});

describe("list", () => {
  it("has one row a skill, aligned by display width", async () => {
    const { stdout } = await trusted(["list", "--no-color"], { columns: 80 });
    const rows = stdout.trimEnd().split("\n");
    expect(rows).toHaveLength(6);
    const column = (row: string) => textWidth(row.slice(0, row.search(/project|user/)));
    expect(new Set(rows.map(column)).size).toBe(1);
    expect(Math.max(...rows.map(textWidth))).toBeLessThanOrEqual(80);
  });

  it("cuts nothing where there is no terminal", async () => {
    const { stdout } = await trusted(["list", "party"]);
    expect(stdout).toContain("much more than fits");
  });

  it("filters by name, description and pattern", async () => {
    expect((await trusted(["list", "PDF"])).stdout.match(/^✓ +\S+/gm)).toEqual(["✓  pdf"]);
    expect((await trusted(["list", "*arty"])).stdout).toMatch(/^✓ {2}party/);
    expect((await trusted(["list", "会议"])).stdout).toContain("会议纪要");
    const none = await trusted(["list", "zzz"]);
    expect([none.code, none.stdout]).toEqual([0, ""]);
    expect(none.stderr).toContain('No skill matches "zzz"');
  });

  it("shows losers and rejects with --all", async () => {
    const { stdout } = await trusted(["list", "--all"]);
    expect(stdout).toContain("Shadowed\n✗  pdf  .claude/skills/pdf/SKILL.md\n");
  });

  it("marks what waits for trust", async () => {
    const { stdout } = await place.run(["list"]);
    expect(stdout).toMatch(/^! +pdf/m);
    expect(stdout).toMatch(/^✓ +mine/m);
  });

  it("uses plain symbols where the terminal does not speak Unicode", async () => {
    const { stdout } = await place.run(["list", "mine"], { env: { LC_ALL: "C" } });
    expect(stdout).toMatch(/^\+ {2}mine/);
  });

  it("is quiet with -q", async () => {
    const { stderr } = await place.run(["list", "-q"]);
    expect(stderr).toBe("");
  });
});

describe("load", () => {
  it("gives the tool's output and nothing else", async () => {
    const { stdout, code } = await trusted(["load", "pdf"]);
    expect(stdout).toMatch(/^<skill_content name="pdf">[\s\S]*<\/skill_content>$/);
    expect(code).toBe(0);
  });

  it.each([
    [["load", "nothing"], 3, /nothing/, /./],
    [["load", "nothing", "--by", "model"], 3, /nothing/, /^$/],
    [["load", "manual"], 0, /Hi/, /^A model would not get this: .*only a person/],
    [["load", "manual", "--by", "model"], 1, /manual/, /^$/],
  ])("%j", async (args, code, stdout, stderr) => {
    const outcome = await trusted(args);
    expect(outcome.stdout).toMatch(stdout);
    expect(outcome.stderr).toMatch(stderr);
    expect(outcome.code).toBe(code);
  });

  it("says when a model would not get it", async () => {
    const { code, stdout, stderr } = await place.run(["load", "pdf"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("<skill_content")]);
    expect(stderr).toMatch(/^A model would not get this: Its project is not trusted yet/);
  });

  it("answers a model the same for denied and for unknown", async () => {
    place.write({ "skillet.jsonc": '{ "permission": { "skill": { "mine": "deny" } } }' });
    const denied = await trusted(["load", "mine", "--by", "model"]);
    const unknown = await trusted(["load", "mune", "--by", "model"]);
    expect(denied.stdout.replaceAll("mine", "X")).toBe(unknown.stdout.replaceAll("mune", "X"));
    expect([denied.code, unknown.code]).toEqual([3, 3]);
    const user = await trusted(["load", "mine"]);
    expect([user.code, user.stdout]).toEqual([1, ""]);
    expect(user.stderr).toContain("denies it");
    place.write({ "skillet.jsonc": "{}" });
  });
});

describe("why", () => {
  it("begins with the answer and ends with the next command", async () => {
    const { stdout, code } = await trusted(["why", "pdf", "--for", "make a pdf"]);
    expect(stdout).toMatch(/^✓ "pdf" is offered, from \.agents\/skills\/pdf\/SKILL\.md/);
    for (const title of ["Searched", "Found", "Precedence", "Visibility", "Catalog", "Search"])
      expect(stdout).toContain(`\n${title}\n`);
    expect(stdout).toMatch(/\nNext\n {2}skillet load pdf\n$/);
    expect(code).toBe(0);
  });

  it("tells where was looked for a name that does not exist", async () => {
    const { stdout, code } = await trusted(["why", "pdff"]);
    expect(stdout).toMatch(/Did you mean\s+pdf\?/);
    expect(stdout.match(/^ {2}· .*skills?$/gm)).toEqual([
      "  · .skillet/skills",
      "  · .codex/skills",
      "  · .opencode/skills",
      "  · ~/.config/skillet/skills",
      "  · ~/.skillet/skills",
      "  · ~/.config/agents/skills",
    ]);
    expect(stdout).toMatch(/\n {2}· \d+ more places do not exist \(-v names them\)\n/);
    expect((await trusted(["why", "pdff", "-v"])).stdout).toContain("~/.claude/skills");
    expect(code).toBe(3);
  });

  it("sets no check mark before a finding", async () => {
    place.write({
      "~/.agents/skills/Odd_Name/SKILL.md": "---\nname: odd\ndescription: Odd.\nfoo: 1\nname: odd\n---\nHi\n",
    });
    const { stdout } = await trusted(["why", "odd"]);
    expect(stdout).toMatch(/^ {4}· Line 2: the name odd differs/m);
    expect(stdout).not.toMatch(/✓ Line /);
  });

  it("suggests commands for the same profile", async () => {
    const { stdout } = await trusted(["why", "pdf", "--as", "opencode"]);
    expect(stdout).toMatch(/Next\n {2}skillet \S.* --as opencode/);
  });
});

describe("a request", () => {
  it("answers with the skill, the reason, what is told and what is given", async () => {
    const { stdout } = await trusted(["turn this Word file into a PDF"]);
    expect(stdout).toMatch(/^pdf (serves|may serve) this\.\n/);
    for (const title of [
      "Skills that would serve it",
      "What a model is told",
      "What it is given on load",
      "Next",
    ])
      expect(stdout).toContain(`\n${title}\n`);
    expect(stdout).toContain('<skill name="pdf">');
    expect(stdout).toContain('<skill_content name="pdf">');
  });

  it("says what was not considered", async () => {
    const { stdout } = await place.run(["turn this Word file into a PDF"]);
    expect(stdout).toContain(
      "Not considered: 5 skills of this project wait until you trust it: skillet trust",
    );
  });
});

describe("from a subfolder", () => {
  it("paths of the project are named by ../ where that is shorter", async () => {
    place.write({ "sub/deep/notes.txt": "" });
    const cwd = join(place.project, "sub/deep");
    const { stdout } = await trusted(["list", "-v", "--cwd", cwd]);
    expect(stdout).toContain("\n   ../../.agents/skills/pdf/SKILL.md\n");
    expect(stdout).toContain("\n   ~/.agents/skills/mine/SKILL.md\n");
    const why = await trusted(["why", "../../.agents/skills/pdf", "--cwd", cwd]);
    expect(why.stdout).toMatch(/^✓ "pdf" is offered, from \.\.\/\.\.\/\.agents\/skills\/pdf\/SKILL\.md/);
  });
});

describe("what a name may be", () => {
  it.each([
    [["show", "/pdf"], /^✓ {2}pdf /],
    [["show", ".agents/skills/pdf"], /^✓ {2}pdf /],
    [["show", "./.agents/skills/pdf/SKILL.md"], /^✓ {2}pdf /],
    [["load", "/manual"], /Hi/],
    [["load", ".agents/skills/manual/SKILL.md"], /Hi/],
    [["why", "/pdf"], /^✓ "pdf" is offered/],
    [["why", "../.agents/skills/mine/"], /^✓ "mine" is offered/],
  ])("%j", async (args, stdout) => {
    const outcome = await trusted(args);
    expect(outcome.stdout).toMatch(stdout);
    expect(outcome.code).toBe(0);
  });

  it.each([["show"], ["enable"], ["disable"], ["load"]])(
    "%s says why a file cannot be read",
    async (verb) => {
      place.write({ ".agents/skills/broken/SKILL.md": "---\nname: broken\ndescription: [a\n---\nHi\n" });
      for (const name of ["broken", "/broken", ".agents/skills/broken"]) {
        const { code, stderr } = await trusted([verb, name]);
        expect(stderr.replace(/\s+/g, " ")).toMatch(
          /"broken" cannot be read: .+ \(\.agents\/skills\/broken\/SKILL\.md:3\)/,
        );
        expect(code).toBe(3);
      }
    },
  );
});

describe("catalog", () => {
  it("adds a newline, but none with --raw", async () => {
    const { json } = await trusted(["catalog", "--json"]);
    const { text } = json() as { text: string };
    expect((await trusted(["catalog"])).stdout).toBe(`${text}\n`);
    expect((await trusted(["catalog", "--raw"])).stdout).toBe(text);
  });

  it("reports what does not fit", async () => {
    const { stdout, stderr } = await trusted(["catalog", "--budget", "90", "--report"]);
    expect(stdout).toMatch(/left out|by name only|shortened/);
    expect(stderr).toMatch(/of 90 tokens/);
  });
});
