import { describe, expect, it } from "vitest";
import type { SkillDocument } from "./document.ts";
import { lenientReader } from "./lenient-reader.ts";
import { readSkill, skillFile, testContext, utf16 } from "./reading.fixture.ts";

/** A file in folder `seed-sort` whose frontmatter has the given lines; name and description are added if not given. */
function withLines(lines: string): string {
  const name = /^["']?name/im.test(lines) ? "" : "name: seed-sort\n";
  const description = /^["']?(description|descripton)\b/im.test(lines) ? "" : "description: Sort seeds.\n";
  return `---\n${name}${description}${lines}\n---\nBody.\n`;
}

interface Expected extends Partial<SkillDocument> {
  /** Codes of the diagnostics, without those about the name and its folder. */
  readonly codes: readonly string[];
}

function check(file: string | Uint8Array, expected: Expected): void {
  const { codes, ...fields } = expected;
  const read = readSkill(file);
  expect(read.diagnostics.map((one) => one.code)).toEqual(codes);
  expect(read.document).toMatchObject(fields);
}

describe("texts that YAML reads wrongly", () => {
  it.each<[string, Expected]>([
    [
      "description: Use when: the user says: hello",
      { description: "Use when: the user says: hello", codes: ["frontmatter/unquoted-colon"] },
    ],
    [
      "description:\n  Works with: check it",
      { description: "Works with: check it", codes: ["frontmatter/not-text"] },
    ],
    [
      "description: Water early.\n  With the helper: check it,\n  then water.",
      {
        description: "Water early. With the helper: check it, then water.",
        codes: ["frontmatter/unquoted-colon"],
      },
    ],
    [
      "description: Ends with a colon:",
      { description: "Ends with a colon:", codes: ["frontmatter/unquoted-colon"] },
    ],
    [
      "license: MIT: with notes\ntitle: One: two",
      {
        license: "MIT: with notes",
        title: "One: two",
        codes: ["frontmatter/unquoted-colon", "frontmatter/unquoted-colon"],
      },
    ],
    ["argument-hint: <bed>: north", { argumentHint: "<bed>: north", codes: ["frontmatter/unquoted-colon"] }],
    [
      "description: Fix issue #12 and others",
      { description: "Fix issue #12 and others", codes: ["frontmatter/hash"] },
    ],
    ["description: #1 tool for beds", { description: "#1 tool for beds", codes: ["frontmatter/hash"] }],
    [
      "description: Wrapped text with #12\n  and more",
      { description: "Wrapped text with #12 and more", codes: ["frontmatter/hash"] },
    ],
    ["license: MIT # see LICENSE", { license: "MIT", codes: [] }],
    ['description: "Quoted." # a real comment', { description: "Quoted.", codes: [] }],
    [
      "description: `probe` reads",
      { description: "`probe` reads", codes: ["frontmatter/reserved-character"] },
    ],
    [
      "description: @garden helper",
      { description: "@garden helper", codes: ["frontmatter/reserved-character"] },
    ],
    [
      "description: *Bold* planner",
      { description: "*Bold* planner", codes: ["frontmatter/reserved-character"] },
    ],
    [
      "description: &anchor planner",
      { description: "&anchor planner", codes: ["frontmatter/reserved-character"] },
    ],
    ["description: %moisture", { description: "%moisture", codes: ["frontmatter/reserved-character"] }],
    ["description: [WIP] notes", { description: "[WIP] notes", codes: ["frontmatter/reserved-character"] }],
    ["description: [WIP]", { description: "[WIP]", codes: ["frontmatter/not-text"] }],
    ["description: {bed} tables", { description: "{bed} tables", codes: ["frontmatter/reserved-character"] }],
    [
      "description: {{bed}} tables: all",
      { description: "{{bed}} tables: all", codes: ["frontmatter/reserved-character"] },
    ],
    [
      "description: !important planner",
      { description: "!important planner", codes: ["frontmatter/reserved-character"] },
    ],
    ["description: | tables", { description: "| tables", codes: ["frontmatter/reserved-character"] }],
    ["description: > 5 beds", { description: "> 5 beds", codes: ["frontmatter/reserved-character"] }],
    ["description: - first", { description: "- first", codes: ["frontmatter/reserved-character"] }],
    ["description: ? asks", { description: "? asks", codes: ["frontmatter/reserved-character"] }],
    ["description: , then", { description: ", then", codes: ["frontmatter/reserved-character"] }],
    [
      'description: "Quick" planner and more',
      { description: '"Quick" planner and more', codes: ["frontmatter/text-after-quote"] },
    ],
    [
      "description: 'Quick' planner and 'more'",
      { description: "'Quick' planner and 'more'", codes: ["frontmatter/text-after-quote"] },
    ],
    [
      "description: 'Use when it's needed'",
      { description: "Use when it's needed", codes: ["frontmatter/inner-quote"] },
    ],
    ['description: "Say "hi" now"', { description: 'Say "hi" now', codes: ["frontmatter/inner-quote"] }],
    ['description: "Never closed', { description: "Never closed", codes: ["frontmatter/unclosed-quote"] }],
    [
      'description: "Paths C:\\Users and \\d+"',
      { description: "Paths C:\\Users and \\d+", codes: ["frontmatter/escape"] },
    ],
    [
      "description: [never closed but a sentence",
      { description: "[never closed but a sentence", codes: ["frontmatter/unclosed-collection"] },
    ],
    ["description:No space", { description: "No space", codes: ["frontmatter/missing-space"] }],
    [
      "description：如何: 用",
      { description: "如何: 用", codes: ["frontmatter/wide-colon", "frontmatter/unquoted-colon"] },
    ],
    ["description: Wrapped\n  ---\n  text", { description: "Wrapped --- text", codes: [] }],
    ["description：宽冒号", { description: "宽冒号", codes: ["frontmatter/wide-colon"] }],
    [
      "description: Use when the beds\nare dry.\nlicense: MIT",
      { description: "Use when the beds are dry.", license: "MIT", codes: ["frontmatter/indentation"] },
    ],
    [
      'description: !!js/function "function(){}"',
      { description: '!!js/function "function(){}"', codes: ["frontmatter/tag"] },
    ],
    ["description: !!binary aGVsbG8=", { description: "aGVsbG8=", codes: ["frontmatter/tag"] }],
    ["description: 1.10", { description: "1.10", codes: ["frontmatter/not-text"] }],
    ["compatibility: [claude, codex]", { compatibility: "[claude, codex]", codes: ["frontmatter/not-text"] }],
  ])("%j", (lines, expected) => check(withLines(lines), expected));

  it("says where and how to write it", () => {
    const read = readSkill(withLines("description: Use when: asked"));
    expect(read.diagnostics[0]).toMatchObject({
      severity: "warning",
      path: "/skills/seed-sort/SKILL.md",
      range: { line: 3, column: 22 },
      message: "unquoted colon in description",
      hint: 'write it as: description: "Use when: asked" (see docs/diagnostics/frontmatter-unquoted-colon.md)',
    });
  });

  it("a torn description costs the file, with the name it declares", () => {
    const read = readSkill("---\nname: watering\ndescription: [unclosed\n---\nText.\n");
    expect(read.skip).toMatchObject({ code: "frontmatter/unclosed-collection", name: "watering" });
    expect(read.diagnostics.map((one) => [one.code, one.severity, one.range?.line])).toEqual([
      ["frontmatter/unclosed-collection", "error", 3],
    ]);
  });
});

describe("wrapped and block texts", () => {
  it.each<[string, Expected]>([
    ["description: First\n  second.", { description: "First second.", codes: [] }],
    ["description:\n  First\n  second.", { description: "First second.", codes: [] }],
    [
      "description: >\n  First\n  second.\nlicense: MIT",
      { description: "First second.", license: "MIT", codes: [] },
    ],
    ["description: >-\n  First.\n\n  Second.", { description: "First.\nSecond.", codes: [] }],
    ["description: >+\n  First.\n\n", { description: "First.", codes: [] }],
    ["description: |\n  First.\n  name: not-a-key", { description: "First.\nname: not-a-key", codes: [] }],
    ['description: |-\n  "Quoted"', { description: '"Quoted"', codes: [] }],
    [
      "description: |\nUse this: now\nand then.\nlicense: MIT",
      { description: "Use this: now\nand then.", license: "MIT", codes: ["frontmatter/indentation"] },
    ],
    [
      "description: >\n    deep\n  shallow",
      { description: "deep shallow", codes: ["frontmatter/block-text"] },
    ],
    [
      "description: >\n\tWith a tab\n\tin front",
      { description: "With a tab in front", codes: ["frontmatter/tab"] },
    ],
    ["description: > First\n  second", { description: "First second", codes: ["frontmatter/block-text"] }],
    ["description: | # note\n  Text.", { description: "Text.", codes: [] }],
  ])("%j", (lines, expected) => check(withLines(lines), expected));
});

describe("lists", () => {
  it.each<[string, Expected]>([
    ["allowed-tools: Read, Grep Bash(git:*)", { allowedTools: ["Read", "Grep", "Bash(git:*)"], codes: [] }],
    [
      "allowed-tools: Bash(git log --format=%h,%s *), Read",
      { allowedTools: ["Bash(git log --format=%h,%s *)", "Read"], codes: [] },
    ],
    ["allowed-tools: [Bash(a, b), Read]", { allowedTools: ["Bash(a, b)", "Read"], codes: [] }],
    ["allowed-tools: *", { allowedTools: ["*"], codes: ["frontmatter/reserved-character"] }],
    [
      "allowed-tools:\n  - Bash(git:*)\n  - *",
      { allowedTools: ["Bash(git:*)", "*"], codes: ["frontmatter/collection"] },
    ],
    ["allowed-tools: Bash (git *) Read", { allowedTools: ["Bash(git *)", "Read"], codes: [] }],
    ["allowed-tools: Bash(git", { allowedTools: ["Bash(git"], codes: [] }],
    ["allowed_tools: Read", { allowedTools: ["Read"], codes: ["frontmatter/key-spelling"] }],
    [
      "allowed-tools: [Read, Grep",
      { allowedTools: ["Read", "Grep"], codes: ["frontmatter/unclosed-collection"] },
    ],
    ["allowed-tools:\n- Read\n- Grep", { allowedTools: ["Read", "Grep"], codes: [] }],
    ["paths: packages/{a,b}/**, *.css", { paths: ["packages/{a,b}/**", "*.css"], codes: [] }],
    ["paths: **/*.py, *.ts", { paths: ["**/*.py", "*.ts"], codes: ["frontmatter/reserved-character"] }],
    ["paths: [**/*.py, '*.ts']", { paths: ["**/*.py", "*.ts"], codes: ["frontmatter/collection"] }],
    [
      "paths:\n  - **/*.py\n  - src/[a-z]*.ts",
      { paths: ["**/*.py", "src/[a-z]*.ts"], codes: ["frontmatter/collection"] },
    ],
    ['paths: "src/[a-"', { paths: null, codes: ["frontmatter/pattern"] }],
    ['paths:\n  - "*.py"\n  - "src/{a,b"', { paths: null, codes: ["frontmatter/pattern"] }],
    ["paths: []", { paths: null, codes: [] }],
    ["arguments: [bed, crop]", { argumentNames: ["bed", "crop"], codes: [] }],
    ["arguments: bed crop", { argumentNames: ["bed", "crop"], codes: [] }],
    ["arguments: <bed> [crop]", { argumentNames: ["bed", "crop"], codes: [] }],
    [
      "arguments:\n  - name: bed\n    description: x\n  - crop",
      { argumentNames: ["bed", "crop"], codes: [] },
    ],
    ["arguments: [1st]", { argumentNames: ["1st"], codes: ["name/argument"] }],
    ["aliases: sort, seeds", { aliases: ["sort", "seeds"], codes: [] }],
    [
      'aliases: [sort, "", ../x, /go, sort]',
      { aliases: ["sort", "go"], codes: ["name/alias", "name/alias"] },
    ],
    ["argument-hint: [bed]", { argumentHint: "[bed]", codes: ["frontmatter/not-text"] }],
    [
      "argument-hint: [bed] [--dry-run]",
      { argumentHint: "[bed] [--dry-run]", codes: ["frontmatter/reserved-character"] },
    ],
    ["argument-hint: <bed> [crop]", { argumentHint: "<bed> [crop]", codes: [] }],
    ["argument-hint: 12", { argumentHint: "12", codes: ["frontmatter/not-text"] }],
  ])("%j", (lines, expected) => check(withLines(lines), expected));
});

describe("flags", () => {
  it.each([
    ["true", true, []],
    ["True", true, []],
    ["FALSE", false, []],
    ['"true"', true, ["frontmatter/boolean-text"]],
    ["yes", true, ["frontmatter/boolean-text"]],
    ["On", true, ["frontmatter/boolean-text"]],
    ["1", true, ["frontmatter/boolean-text"]],
    ["no", false, ["frontmatter/boolean-text"]],
    ["off", false, ["frontmatter/boolean-text"]],
    ["0", false, ["frontmatter/boolean-text"]],
    ["ture", true, ["frontmatter/boolean-unclear"]],
    ["flase", true, ["frontmatter/boolean-unclear"]],
    ["", true, ["frontmatter/boolean-unclear"]],
    ["[true]", true, ["frontmatter/boolean-unclear"]],
    ["true # only me", true, []],
  ])("disable-model-invocation: %s", (text, disableModelInvocation, codes) => {
    check(withLines(`disable-model-invocation: ${text}`), { disableModelInvocation, codes });
  });

  it.each([
    ["false", false, []],
    ["no", false, ["frontmatter/boolean-text"]],
    ["flase", false, ["frontmatter/boolean-unclear"]],
    ["ture", true, ["frontmatter/boolean-unclear"]],
    ["maybe", false, ["frontmatter/boolean-unclear"]],
  ])("user-invocable: %s", (text, userInvocable, codes) => {
    check(withLines(`user-invocable: ${text}`), { userInvocable, codes });
  });

  it("of repeated flags the one that protects counts", () => {
    check(withLines("disable-model-invocation: false\ndisable-model-invocation: true"), {
      disableModelInvocation: true,
      codes: ["frontmatter/duplicate-key"],
    });
  });
});

describe("keys", () => {
  it.each<[string, Expected]>([
    ["whenToUse: In spring.", { whenToUse: "In spring.", codes: ["frontmatter/key-spelling"] }],
    ["when_to_use: In spring.", { whenToUse: "In spring.", codes: [] }],
    ["Description: Upper case.", { description: "Upper case.", codes: ["frontmatter/key-spelling"] }],
    ["disableModelInvocation: true", { disableModelInvocation: true, codes: ["frontmatter/key-spelling"] }],
    ["descripton: Misspelt.", { description: "Misspelt.", codes: ["frontmatter/misspelt-key"] }],
    [
      "description: Right.\ndescripton: Wrong.",
      { description: "Right.", extra: { descripton: "Wrong." }, codes: ["frontmatter/unknown-key"] },
    ],
    [
      "description: First.\ndescription: Second.",
      { description: "First.", codes: ["frontmatter/duplicate-key"] },
    ],
    ["description:\ndescription: Second.", { description: "Second.", codes: ["frontmatter/duplicate-key"] }],
    [
      "model: opus\nversion: 2.10\ncount: 3\nlisted: false\ncode: 007",
      { extra: { model: "opus", version: "2.10", count: 3, listed: false, code: "007" }, codes: [] },
    ],
    ["description: Text.\ndescription_en: English.", { extra: { description_en: "English." }, codes: [] }],
    ['"description": Quoted key.', { description: "Quoted key.", codes: [] }],
    ["<<: *base", { codes: ["frontmatter/alias"] }],
    ["? [a, b]\n: c", { codes: ["frontmatter/key"] }],
    ["- stray item", { description: "Sort seeds. - stray item", codes: ["frontmatter/indentation"] }],
  ])("%j", (lines, expected) => check(withLines(lines), expected));

  it("a known key that is indented below a one-word field is a field", () => {
    check("---\nname: seed-sort\n  description: Indented.\n---\n", {
      description: "Indented.",
      codes: ["frontmatter/indentation"],
    });
    check("---\nname: seed-sort\n\tdescription: Indented.\n---\n", {
      description: "Indented.",
      codes: ["frontmatter/tab"],
    });
  });

  it("merge conflicts and stray brackets are nobody's text", () => {
    check(withLines("description: D\n<<<<<<< HEAD\nlicense: MIT\n=======\nlicense: Apache\n>>>>>>> other"), {
      description: "D",
      license: "MIT",
      codes: [
        "frontmatter/stray-line",
        "frontmatter/stray-line",
        "frontmatter/stray-line",
        "frontmatter/duplicate-key",
      ],
    });
    check(withLines("description: D\n}"), { description: "D", codes: ["frontmatter/stray-line"] });
    check("---\nname: seed-sort\nstray\ndescription: D\n---\n", {
      name: "seed-sort",
      codes: ["frontmatter/stray-line"],
    });
  });

  it("one broken field does not cost the others", () => {
    check(withLines("metadata:\n  author: @me\n  version: 1.0\nitems: [a, b\npaths: *.ts\nlicense: MIT"), {
      metadata: { author: "@me", version: "1.0" },
      extra: { items: ["a", "b"] },
      paths: ["*.ts"],
      license: "MIT",
      codes: [
        "frontmatter/reserved-character",
        "frontmatter/unclosed-collection",
        "frontmatter/reserved-character",
      ],
    });
  });
});

describe("maps", () => {
  it.each<[string, Expected]>([
    [
      "metadata:\n  version: 2.10\n  internal: true\n  empty:",
      { metadata: { version: "2.10", internal: "true", empty: null }, codes: [] },
    ],
    [
      'metadata: {"openclaw":{"requires":{"bins":["gh"]},"os":["linux"]}}',
      { requires: { bins: ["gh"], os: ["linux"] } as never, codes: [] },
    ],
    [
      'metadata: {"clawdbot":{"requires":{"anyBins":["a","b"]}}',
      { requires: { anyBins: ["a", "b"] } as never, codes: ["frontmatter/unclosed-collection"] },
    ],
    [
      "metadata: {author: @me, version: 1.0}",
      { metadata: { author: "@me", version: "1.0" }, codes: ["frontmatter/collection"] },
    ],
    [
      "metadata: just text",
      { metadata: {}, extra: { metadata: "just text" }, codes: ["frontmatter/wrong-shape"] },
    ],
    ["metadata:\n  a: 1\n  a: 2", { metadata: { a: "1" }, codes: ["frontmatter/duplicate-key"] }],
    [
      "requires:\n  bins: git, jq\n  mcp-servers: [github]\n  any_bins: [rg]",
      {
        requires: {
          bins: ["git", "jq"],
          anyBins: ["rg"],
          mcpServers: ["github"],
          env: [],
          os: [],
          tools: [],
          features: [],
        },
        codes: [],
      },
    ],
    [
      "requires: [python3]",
      { requires: null, extra: { requires: ["python3"] }, codes: ["frontmatter/wrong-shape"] },
    ],
    [
      "displayNames:\n  zh-CN: 种子\n  de: Samen: Sorte",
      { displayNames: { "zh-CN": "种子", de: "Samen: Sorte" }, codes: ["frontmatter/unquoted-colon"] },
    ],
    ["descriptions: {en: Sort, zh: 排序}", { descriptions: { en: "Sort", zh: "排序" }, codes: [] }],
  ])("%j", (lines, expected) => check(withLines(lines), expected));

  it("never lets a key change a prototype", () => {
    const read = readSkill(
      withLines("__proto__:\n  polluted: true\nmetadata:\n  __proto__: {polluted: true}\n  constructor: x"),
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.keys(read.document?.metadata ?? {})).toEqual(["constructor"]);
    expect(Object.keys(read.document?.extra ?? {})).toEqual([]);
    expect(read.document?.extra.toString).toBeUndefined();
    expect(read.diagnostics.map((one) => one.code)).toEqual([
      "frontmatter/forbidden-key",
      "frontmatter/forbidden-key",
    ]);
  });
});

describe("names", () => {
  it.each([
    ["007", "007", ["frontmatter/not-text", "name/differs-from-folder"]],
    ["1e3", "1e3", ["frontmatter/not-text", "name/differs-from-folder"]],
    ["true", "true", ["frontmatter/not-text", "name/differs-from-folder"]],
    ["2026-01-02", "2026-01-02", ["frontmatter/not-text", "name/differs-from-folder"]],
    ["~", "seed-sort", ["name/missing"]],
    ["", "seed-sort", ["name/missing"]],
    ["[a, b]", "seed-sort", ["frontmatter/not-text", "name/missing"]],
    ["'../../outside'", "seed-sort", ["name/unsafe"]],
    ["/tmp/outside", "seed-sort", ["name/unsafe"]],
    ["'C:\\Temp\\x'", "seed-sort", ["name/unsafe"]],
    ["con", "seed-sort", ["name/unsafe"]],
    ["aux.md", "seed-sort", ["name/unsafe"]],
    ["..", "seed-sort", ["name/unsafe"]],
    [".git", "seed-sort", ["name/unsafe"]],
    ["'a\\b'", "seed-sort", ["name/unsafe"]],
    ['"safe\u202etxt"', "seed-sort", ["name/hidden-characters"]],
    ['"re\u200bview"', "seed-sort", ["name/hidden-characters"]],
    ['"a\\x1bb"', "seed-sort", ["name/hidden-characters"]],
    ["seed_sort", "seed_sort", ["name/differs-from-folder"]],
    ["cafe\u0301", "caf\u00e9", ["name/normalized", "name/differs-from-folder", "name/not-portable"]],
    ["种子", "种子", ["name/differs-from-folder", "name/not-portable"]],
    ["p\u0430ypal", "p\u0430ypal", ["name/differs-from-folder", "name/confusable"]],
    ["ｓｋｉｌｌ", "ｓｋｉｌｌ", ["name/differs-from-folder", "name/confusable"]],
    ["n".repeat(65), "n".repeat(65), ["name/differs-from-folder", "name/too-long"]],
    ["😀".repeat(64), "😀".repeat(64), ["name/differs-from-folder", "name/not-portable"]],
    ["toString", "toString", ["name/differs-from-folder", "name/not-portable"]],
  ])("name: %s", (text, name, codes) => check(withLines(`name: ${text}`), { name, codes }));

  it("shows hidden characters as code points", () => {
    const read = readSkill(withLines('name: "safe\u202etxt"'));
    expect(read.diagnostics[0]?.severity).toBe("error");
    expect(read.diagnostics[0]?.message).toContain("U+202E");
    expect(read.diagnostics[0]?.message).not.toContain("\u202e");
  });

  it("takes a flat file's name, and gives up where nothing is safe", () => {
    const flat = lenientReader.read(
      skillFile("---\ndescription: Flat.\n---\n", "skills", "notes"),
      testContext,
    );
    expect(flat.document).toMatchObject({ name: "notes", nameFrom: "file" });
    const unsafe = readSkill("---\nname: ../x\ndescription: d\n---\n", "a\u202eb");
    expect(unsafe.skip).toMatchObject({ code: "name/folder-unsafe" });
  });

  it("warns of long descriptions by code points and keeps them", () => {
    const long = "😀".repeat(1025);
    check(withLines(`description: ${long}`), { description: long, codes: ["description/too-long"] });
    check(withLines(`description: ${"😀".repeat(1024)}`), { codes: [] });
  });

  it("removes hidden characters from values", () => {
    check(
      withLines(
        'description: "safe \u202etxet\u202c end\\x1b[2J"\nlicense: "MIT\\0"\nmetadata: {"a": "x\\x07"}',
      ),
      {
        description: "safe txet end[2J",
        license: "MIT",
        metadata: { a: "x" },
        codes: ["text/hidden-characters", "text/hidden-characters", "text/hidden-characters"],
      },
    );
    check(withLines('description: "\\x07"'), {
      description: "Body.",
      codes: ["text/hidden-characters", "description/missing"],
    });
  });
});

describe("missing fields", () => {
  it.each<[string, Expected]>([
    [
      "# Prune roses\n\nCut above\nan outward bud.\n\nMore.",
      {
        name: "seed-sort",
        nameFrom: "folder",
        description: "Cut above an outward bud.",
        descriptionFrom: "body",
        codes: ["frontmatter/absent", "name/missing", "description/missing"],
      },
    ],
    [
      "---\nname: seed-sort\n---\n# T\n\n<!-- note\nmore -->\n[![b](x)](y)\n\n```\ncode\n```\n\n---\n\nText.\n",
      { description: "Text.", codes: ["description/missing"] },
    ],
    [
      "---\nname: seed-sort\ndescription: '  '\n---\nText.\n",
      { description: "Text.", codes: ["description/missing"] },
    ],
    [
      "---\nname: seed-sort\n---\n- first\n- second\n",
      { description: "first", codes: ["description/missing"] },
    ],
    [
      "---\nname: seed-sort\n---\nTitle\n=====\n\n> Quoted text.\n",
      { description: "Quoted text.", codes: ["description/missing"] },
    ],
    [
      "---\nname: seed-sort\n---\n# Only a heading\n",
      { description: null, descriptionFrom: null, codes: ["description/missing"] },
    ],
    [
      "---\ndescription: Folder serves.\n---\n",
      { name: "seed-sort", nameFrom: "folder", codes: ["name/missing"] },
    ],
    [
      "---\n- name\n- description\n---\nText.\n",
      {
        name: "seed-sort",
        description: "Text.",
        codes: ["frontmatter/not-a-mapping", "name/missing", "description/missing"],
      },
    ],
    [
      "---\n---\nText.\n",
      { name: "seed-sort", description: "Text.", codes: ["name/missing", "description/missing"] },
    ],
  ])("%j", (file, expected) => check(file, expected));
});

describe("fences and encodings", () => {
  const fields = "name: seed-sort\ndescription: Sort seeds.\n";
  it.each([
    [`\ufeff---\n${fields}---\nBody.\n`, [], "Body.\n"],
    [`\ufeff\ufeff---\n${fields}---\nBody.\n`, ["frontmatter/leading-lines"], "Body.\n"],
    [`--- \t\n${fields}---  \nBody.\n`, [], "Body.\n"],
    [`----\n${fields}-----\nBody.\n`, ["frontmatter/fence", "frontmatter/fence"], "Body.\n"],
    [`---\n${fields}...\nBody.\n`, ["frontmatter/fence"], "Body.\n"],
    [`---\n${fields}  ---\nBody.\n\n---\n`, ["frontmatter/fence"], "Body.\n\n---\n"],
    [` ---\n${fields}---\nBody.\n`, ["frontmatter/fence"], "Body.\n"],
    [`\n\n---\n${fields}---\nBody.\n`, ["frontmatter/leading-lines"], "Body.\n"],
    [`<!-- a\nb -->\n---\n${fields}---\nBody.\n`, ["frontmatter/leading-lines"], "Body.\n"],
    [`--- yaml\n${fields}---\nBody.\n`, ["frontmatter/language-tag"], "Body.\n"],
    [`---yml\n${fields}---\nBody.\n`, ["frontmatter/language-tag"], "Body.\n"],
    [`---\n${fields}---\n\n---\n\nb\n`, [], "\n---\n\nb\n"],
    [`---\n${fields}---`, [], ""],
    [`---\n${fields}---\n\ufeffBody`, [], "\ufeffBody"],
    [`---\n\n# the fields\n\n${fields}---\nBody.\n`, null, ""],
    [`---\n# the fields\n${fields}# more\n---\nBody.\n`, [], "Body.\n"],
    [`---\nname: seed-sort\ndescription: |\n  Sort seeds.\n  ---\n---\nBody.\n`, [], "Body.\n"],
  ])("%j", (file, codes, body) => {
    const read = readSkill(file);
    if (codes === null) {
      expect(read.skip?.code).toBe("frontmatter/unclosed");
      return;
    }
    expect(read.diagnostics.map((one) => one.code)).toEqual(codes);
    expect(read.document).toMatchObject({ name: "seed-sort" });
    expect(lenientReader.body(skillFile(file), testContext)).toBe(body);
  });

  it.each(["\r\n", "\r"])("no carriage return survives with line end %j", (lineEnd) => {
    const file =
      `---\nname: seed-sort\ndescription: >-\n  One.\n  Two.\nmetadata:\n  a: b\n---\nBody.\n`.replaceAll(
        "\n",
        lineEnd,
      );
    const read = readSkill(file);
    expect(read.diagnostics).toEqual([]);
    expect(read.document).toMatchObject({ description: "One. Two.", metadata: { a: "b" } });
  });

  it("honours a UTF-16 mark and names a missing one", () => {
    const file = `---\r\nname: wide\r\ndescription: Wide é.\r\n---\r\nBody 😀\r\n`;
    for (const littleEndian of [true, false]) {
      const marked = utf16(file, { littleEndian, mark: true });
      const read = readSkill(marked, "wide");
      expect(read.document).toMatchObject({ name: "wide", description: "Wide é." });
      expect(read.diagnostics.map((one) => one.code)).toEqual(["text/utf16"]);
      expect(lenientReader.body(skillFile(marked), testContext)).toBe("Body 😀\n");
      const bare = readSkill(utf16(file, { littleEndian, mark: false }), "wide");
      expect(bare.skip?.code).toBe("text/utf16-unmarked");
    }
    expect(readSkill(utf16(file, { littleEndian: true, mark: true }).subarray(0, 41)).skip?.code).toBe(
      "text/not-utf8",
    );
  });

  it.each<[string, Uint8Array | string, string]>([
    ["empty", "", "file/empty"],
    ["white space", " \n\t\n", "file/empty"],
    ["only a mark", "\ufeff", "file/empty"],
    ["only fences", "---\n---\n", "file/empty"],
    ["only an opening fence", "---\n", "frontmatter/unclosed"],
    [
      "no closing fence",
      "---\nname: open-end\ndescription: x\n\n# Steps\n\nname: impostor\n",
      "frontmatter/unclosed",
    ],
    [
      "a rule further down",
      "---\nname: open-end\ndescription: x\n\n# Steps\n\nname: impostor\n\n---\n\nMore.\n",
      "frontmatter/unclosed",
    ],
    [
      "a paragraph before the rule",
      "---\nname: open-end\ndescription: x\n\nDo the small task and stop.\n\n---\n",
      "frontmatter/unclosed",
    ],
    [
      "a list before the rule",
      "---\nname: open-end\ndescription: x\n\n## Steps\n- one\n- two\n\n---\n",
      "frontmatter/unclosed",
    ],
    ["JavaScript", "---js\n{ name: process.exit(3) }\n---\n", "frontmatter/unsupported-language"],
    ["JavaScript, spaced", "--- javascript\nmodule.exports = {}\n---\n", "frontmatter/unsupported-language"],
    ["TOML", '+++\nname = "x"\n+++\n', "frontmatter/unsupported-language"],
    [
      "GBK",
      Uint8Array.from([
        ...new TextEncoder().encode("---\nname: legacy\ndescription: "),
        0xd6,
        0xd0,
        0xce,
        0xc4,
        0x0a,
      ]),
      "text/not-utf8",
    ],
    ["overlong", Uint8Array.from([0x61, 0xc0, 0xaf]), "text/not-utf8"],
    ["surrogate", Uint8Array.from([0x61, 0xed, 0xa0, 0x80]), "text/not-utf8"],
    ["NUL", "---\nname: a\ndescription: a\0b\n---\n", "text/not-text"],
    [
      "PNG",
      Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]),
      "text/not-text",
    ],
    ["gzip without NUL", Uint8Array.from([0x1f, 0x8b, 0x08, 0x08, 0xff, 0xfe]), "text/not-text"],
    ["UTF-32", Uint8Array.from([0xff, 0xfe, 0, 0, 0x2d, 0, 0, 0]), "text/utf32"],
  ])("refuses: %s", (_, file, code) => {
    const read = readSkill(file);
    expect(read.document).toBeNull();
    expect(read.skip?.code).toBe(code);
    expect(read.diagnostics).toHaveLength(1);
    expect(read.diagnostics[0]).toMatchObject({ code, severity: "error" });
  });

  it("names the line of an unclosed fence and keeps the declared name for look-ups", () => {
    const read = readSkill("---\nname: open-end\ndescription: x\n\nname: impostor\n");
    expect(read.skip).toMatchObject({
      name: "open-end",
      message: "frontmatter opened on line 1 is never closed",
    });
    expect(read.diagnostics[0]?.range).toEqual({ line: 1, column: 1 });
  });
});
