import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makePipe, type Outcome, type Sandbox, sandbox, skill } from "./run-skillet.ts";

let place: Sandbox;
beforeEach(() => {
  place = sandbox();
});
afterEach(() => place.remove());

interface Report {
  readonly findings: readonly {
    readonly code: string;
    readonly severity: string;
    readonly path: string | null;
    readonly range: { readonly line: number; readonly column: number } | null;
    readonly fix?: { readonly description: string; readonly edits: readonly object[] };
  }[];
  readonly summary: string;
}

const report = (outcome: Outcome) => outcome.json() as Report;
const codes = (outcome: Outcome) => report(outcome).findings.map(({ code }) => code);

describe("what is looked at", () => {
  it("is the project by default, losers and broken ones too, but not the user's", async () => {
    place.write({
      ".agents/skills/a/SKILL.md": skill("a", "One."),
      ".claude/skills/a/SKILL.md": skill("a", "Another."),
      ".agents/skills/bad/SKILL.md": new Uint8Array([0, 1, 2]),
      "~/.agents/skills/mine/SKILL.md": skill("mine", "Mine."),
    });
    const outcome = await place.run(["check", "--json"]);
    expect(report(outcome).summary).toMatch(/^3 files, 1 error,/);
    expect(outcome.code).toBe(1);
  });

  it("says so when the project has none", async () => {
    const { code, stdout, stderr } = await place.run(["check"]);
    expect([code, stdout]).toEqual([0, "0 files, 0 errors, 0 warnings\n"]);
    expect(stderr).toContain("This project has no skills.");
  });

  it("is a file, a folder or a tree; each file once", async () => {
    place.write({
      "packs/a/SKILL.md": skill("a", "One."),
      "packs/b/skill.md": skill("b", "Two."),
      "packs/node_modules/c/SKILL.md": skill("c", "Never."),
      "packs/.git/d/SKILL.md": skill("d", "Never."),
      "loose.md": skill("loose", "A flat one."),
    });
    const count = async (...paths: readonly string[]) =>
      report(await place.run(["check", "--json", ...paths])).summary.split(",")[0];
    expect(await count("packs")).toBe("2 files");
    expect(codes(await place.run(["check", "--json", "packs/b"]))).toEqual(["discovery/skill-file-case"]);
    expect(await count("packs/a")).toBe("1 file");
    expect(await count("packs/a/SKILL.md", "packs/a", "packs")).toBe("2 files");
    expect(await count("loose.md")).toBe("1 file");
  });

  it("must exist", async () => {
    mkdirSync(join(place.project, "empty"));
    for (const path of ["nowhere", "empty"]) {
      const { code, stderr } = await place.run(["check", path]);
      expect([code, stderr]).toEqual([3, expect.stringContaining("There is no")]);
    }
  });
});

describe("what is found", () => {
  it("stands at file, line and column", async () => {
    place.write({ "x/notes/SKILL.md": "---\nname: notes\ndescription: Use when: wanted\n---\nText\n" });
    const { stdout, code } = await place.run(["check", "x"]);
    expect(stdout).toMatch(/^x\/notes\/SKILL\.md:3:\d+\n {2}! .+ {2}frontmatter\/unquoted-colon\n/);
    expect(stdout).toMatch(/\n1 file, 0 errors, 1 warning\n$/);
    expect(code).toBe(0);
  });

  it("includes links to nothing and out of the folder, but no addresses, anchors or code", async () => {
    const body = [
      "[gone](references/gone.md) and [here](references/here.md#part) and [out](../other/x.md)",
      "[web](https://example.com/a.md) [anchor](#a) [mail](mailto:a@b.c) `[code](nope.md)` ![gone](<my picture.png>)",
      "```\n[fenced](nope.md)\n```",
      "[ref]: scripts/gone.sh",
    ].join("\n");
    place.write({ "x/links/SKILL.md": skill("links", "Has links.", body), "x/links/references/here.md": "" });
    const { findings } = report(await place.run(["check", "x", "--json"]));
    expect(findings.map(({ code, range }) => `${code}:${range?.line}:${range?.column}`)).toEqual([
      "link/missing:6:8",
      "link/outside:6:74",
      "link/missing:7:94",
      "link/missing:11:8",
    ]);
  });

  it("includes twins that differ in case only", async () => {
    place.write({ "x/a/SKILL.md": skill("a", "One."), "x/a/skill.md": skill("a", "Two.") });
    expect(codes(await place.run(["check", "x", "--json"]))).toContain("file/case-twins");
  });

  it.skipIf(process.platform === "win32")("includes pipes and links out of the tree, unread", async () => {
    mkdirSync(join(place.project, "x/link"), { recursive: true });
    mkdirSync(join(place.project, "x/dangling"), { recursive: true });
    makePipe(join(place.project, "x/pipe/SKILL.md"));
    writeFileSync(join(place.folder, "secret"), "root:secret");
    symlinkSync(join(place.folder, "secret"), join(place.project, "x/link/SKILL.md"));
    symlinkSync("/nowhere", join(place.project, "x/dangling/SKILL.md"));
    const outcome = await place.run(["check", "x", "--json"]);
    expect(codes(outcome).toSorted()).toEqual([
      "discovery/link-broken",
      "discovery/link-outside",
      "file/not-a-file",
    ]);
    expect(outcome.stdout).not.toContain('secret"');
    expect(outcome.code).toBe(1);
  });

  it.skipIf(process.getuid?.() === 0)("includes unreadable files [not as root]", async () => {
    place.write({ "x/a/SKILL.md": skill("a", "One.") });
    chmodSync(join(place.project, "x/a/SKILL.md"), 0);
    expect(codes(await place.run(["check", "x", "--json"]))).toEqual(["file/unreadable"]);
  });

  it("is the published standard too with --strict", async () => {
    place.write({ "x/notes/SKILL.md": "---\nname: Notes\ndescription: Fine.\nowner: me\n---\nText\n" });
    expect((await place.run(["check", "x"])).code).toBe(0);
    const outcome = await place.run(["check", "x", "--strict", "--json"]);
    expect(codes(outcome)).toEqual(expect.arrayContaining(["standard/name-case", "standard/unknown-key"]));
    expect(outcome.code).toBe(1);
  });

  it("is too much above --max-warnings", async () => {
    place.write({ "x/notes/SKILL.md": "---\nname: notes\ndescription: Use when: wanted\n---\nText\n" });
    expect((await place.run(["check", "x", "--max-warnings", "1"])).code).toBe(0);
    expect((await place.run(["check", "x", "--max-warnings", "0"])).code).toBe(1);
  });
});

describe("--fix", () => {
  it("mends the file and nothing else, once", async () => {
    place.write({
      "x/notes/SKILL.md": "---\nname: notes\ndescription: Use when: wanted\n---\nText  \r\nlast",
    });
    const path = join(place.project, "x/notes/SKILL.md");
    const first = await place.run(["check", "x", "--fix", "--max-warnings", "0"]);
    expect([first.code, first.stdout]).toEqual([0, "1 file, 0 errors, 0 warnings\n"]);
    expect(first.stderr).toContain("1 file mended.");
    const mended = readFileSync(path, "utf8");
    expect(mended).toBe('---\nname: notes\ndescription: "Use when: wanted"\n---\nText  \r\nlast');
    const second = await place.run(["check", "x", "--fix"]);
    expect(second.stderr).toBe("");
    expect(readFileSync(path, "utf8")).toBe(mended);
  });

  it("shows with --dry-run what it would mend, and writes nothing", async () => {
    const text = "---\nname: notes\ndescription: Use when: wanted\n---\nText\n";
    place.write({ "x/notes/SKILL.md": text });
    const plan = await place.run(["check", "x", "--fix", "--dry-run"]);
    expect(plan.stdout).toContain("would mend x/notes/SKILL.md");
    expect(readFileSync(join(place.project, "x/notes/SKILL.md"), "utf8")).toBe(text);
    expect((await place.run(["check", "x"])).stderr).toBe(
      "1 problem can be repaired: skillet check --fix x\nskillet help CODE explains a code.\n",
    );
  });

  it("says what waits for trust again, and what needs a hand", async () => {
    place.write({
      ".agents/skills/notes/SKILL.md": "---\nname: notes\ndescription: Use when: wanted\n---\nText\n",
      ".agents/skills/gone/SKILL.md": skill("gone", "Links.", "[gone](gone.md)\n"),
    });
    await place.run(["trust"]);
    const { stderr } = await place.run(["check", "--fix"]);
    expect(stderr).toContain("1 mended skill waits again: skillet trust\n");
    expect(stderr).toContain("1 needs your hand: .agents/skills/gone/SKILL.md:6 (link/missing)\n");
  });

  it("is offered in the JSON", async () => {
    place.write({ "x/notes/SKILL.md": "---\nname: notes\ndescription: Use when: wanted\n---\nText\n" });
    const [finding] = report(await place.run(["check", "x", "--json"])).findings;
    expect(finding?.fix).toEqual({
      description: expect.any(String),
      edits: [
        {
          range: { line: 3, column: 1, endLine: 4, endColumn: 1 },
          newText: 'description: "Use when: wanted"\n',
        },
      ],
    });
  });
});

describe("formats", () => {
  const name = "a,b:c%0A::error::x";
  beforeEach(() => {
    place.write({ [`x/${name}/SKILL.md`]: "---\nname: n\ndescription: Use when: wanted\n---\nText\n" });
  });

  it("github escapes what could end a command or start another", async () => {
    const { stdout, stderr } = await place.run(["check", "x", "--format", "github"]);
    const lines = stdout.trimEnd().split("\n");
    expect(lines).not.toEqual([]);
    for (const line of lines)
      expect(line).toMatch(/^::(warning|notice) file=x\/a%2Cb%3Ac%250A%3A%3Aerror%3A%3Ax\/SKILL\.md,/);
    expect(stderr).toMatch(/^1 file, /);
  });

  it("sarif is version 2.1.0 with relative addresses and a rule for every code", async () => {
    const sarif = (await place.run(["check", "x", "--format", "sarif"])).json() as {
      version: string;
      runs: {
        tool: { driver: { rules: { id: string; help: { text: string } }[] } };
        results: SarifResult[];
      }[];
    };
    interface SarifResult {
      ruleId: string;
      ruleIndex: number;
      level: string;
      locations: { physicalLocation: { artifactLocation: object; region?: object } }[];
    }
    expect(sarif.version).toBe("2.1.0");
    const [run] = sarif.runs;
    const { rules } = run?.tool.driver ?? { rules: [] };
    for (const result of run?.results ?? []) {
      expect(rules[result.ruleIndex]?.id).toBe(result.ruleId);
      expect(rules[result.ruleIndex]?.help.text).not.toBe("");
      expect(result.locations[0]?.physicalLocation.artifactLocation).toEqual({
        uri: "x/a%2Cb%3Ac%250A%3A%3Aerror%3A%3Ax/SKILL.md",
        uriBaseId: "CWD",
      });
    }
    const colon = run?.results.find(({ ruleId }) => ruleId === "frontmatter/unquoted-colon");
    expect(colon).toMatchObject({ level: "warning" });
    expect(colon?.locations[0]?.physicalLocation.region).toMatchObject({ startLine: 3 });
  });

  it("json is what --json gives, and no other goes with it", async () => {
    expect((await place.run(["check", "x", "--format", "json"])).stdout).toBe(
      (await place.run(["check", "x", "--json"])).stdout,
    );
    expect((await place.run(["check", "x", "--json", "--format", "sarif"])).code).toBe(2);
  });
});

describe("doctor", () => {
  it("has nothing to say where all is well", async () => {
    place.write({ "~/.agents/skills/mine/SKILL.md": skill("mine", "Mine.") });
    const { code, stdout } = await place.run(["doctor"]);
    expect([code, stdout]).toEqual([0, "Nothing to mend. 1 file, 0 errors, 0 warnings\n"]);
  });

  it("finds what only the whole shows, each with a way out", async () => {
    place.write({
      ".agents/skills/a/SKILL.md": skill("a", "One. ".repeat(80)),
      "~/.agents/skills/b/SKILL.md": skill("b", "Same."),
      "~/.claude/skills/b/SKILL.md": skill("b", "Same."),
      "~/.claude/skills/c/SKILL.md": skill("c", "Links. ".repeat(60), "[gone](gone.md)"),
      "~/.claude/skills/c/skill.md": skill("c", "Of another time."),
      "skillet.jsonc": '{ "catlog": {} }',
      "~/.config/skillet/skillet.jsonc": '{ "catalog": { "budget": 70 } }',
    });
    symlinkSync("/nowhere", join(place.home, ".agents/skills/dangling"));
    const outcome = await place.run(["doctor", "--json"]);
    expect(codes(outcome)).toEqual(
      expect.arrayContaining([
        "doctor/untrusted",
        "doctor/catalog-budget",
        "precedence/identical-copy",
        "link/missing",
        "config/unknown-key",
        "discovery/link-broken",
        "file/case-twins",
      ]),
    );
    for (const { hint } of report(outcome).findings as unknown as { hint: string | null }[])
      expect(hint).toBeTruthy();
    expect(outcome.code).toBe(1);
  });

  it("shows what --fix would do, then does it", async () => {
    place.write({
      "~/.agents/skills/notes/SKILL.md": "---\nname: notes\ndescription: Use when: wanted\n---\nText\n",
    });
    const path = join(place.home, ".agents/skills/notes/SKILL.md");
    const before = readFileSync(path, "utf8");
    const plan = await place.run(["doctor", "--fix", "--dry-run"]);
    expect(plan.stdout).toContain("would mend ~/.agents/skills/notes/SKILL.md");
    expect(readFileSync(path, "utf8")).toBe(before);
    const done = await place.run(["doctor", "--fix"]);
    expect(done.stdout).toContain("mended ~/.agents/skills/notes/SKILL.md");
    expect([done.code, (await place.run(["doctor"])).code]).toEqual([0, 0]);
  });

  it("starts a broken state over, and keeps a copy", async () => {
    mkdirSync(join(place.data, "state"), { recursive: true });
    writeFileSync(join(place.data, "state/state.json"), "{ broken");
    expect((await place.run(["list"])).stderr).toContain("The stored state cannot be read");
    expect((await place.run(["doctor", "--fix"])).code).toBe(0);
    expect(readFileSync(join(place.data, "state/state.json.corrupt-1"), "utf8")).toBe("{ broken");
  });
});
