import { describe, expect, it } from "vitest";
import { skillFile, testContext, utf16 } from "./reading.fixture.ts";
import type { NameRules } from "./strict-name.ts";
import { validateStrict } from "./validate-strict.ts";

const description = "description: Sort seeds. Use when the seed box is a mess.";

function codes(content: string | Uint8Array, options: { folder?: string; names?: NameRules } = {}): string[] {
  const found = validateStrict(skillFile(content, options.folder), testContext, {
    names: options.names ?? "ascii",
  });
  return found.map((one) => (one.severity === "error" ? one.code : `(${one.code})`));
}

/** The frontmatter's lines in a file with text. */
function file(lines: string, body = "Text.\n"): string {
  return `---\n${lines}\n---\n${body}`;
}

describe("validateStrict: names (the published standard)", () => {
  it.each<[string, string, NameRules, string[]]>([
    ["seed-sort", "seed-sort", "ascii", []],
    ["Seed-Sort", "Seed-Sort", "ascii", ["standard/name-case"]],
    ["n".repeat(70), "n".repeat(70), "ascii", ["standard/name-too-long"]],
    ["-seed", "-seed", "ascii", ["standard/name-hyphen"]],
    ["seed-", "seed-", "ascii", ["standard/name-hyphen"]],
    ["seed--sort", "seed--sort", "ascii", ["standard/name-hyphen"]],
    ["seed_sort", "seed_sort", "ascii", ["standard/name-characters"]],
    ["seed sort", "seed sort", "ascii", ["standard/name-characters"]],
    ["seed-sort", "other", "ascii", ["standard/name-folder"]],
    ["技能", "技能", "ascii", ["standard/name-characters"]],
    ["技能", "技能", "unicode", []],
    ["навык", "навык", "unicode", []],
    ["мой-навык", "мой-навык", "unicode", []],
    ["Навык", "Навык", "unicode", ["standard/name-case"]],
    ["cafe\u0301", "caf\u00e9", "unicode", []],
    ["caf\u00e9", "cafe\u0301", "unicode", []],
    ["007", "007", "ascii", []],
    ["claude-helper", "claude-helper", "ascii", ["(standard/name-reserved)"]],
    ["[a]", "seed-sort", "ascii", ["(standard/flow-style)", "standard/field-type"]],
    ['""', "seed-sort", "ascii", ["standard/name-missing"]],
  ])("name %s in folder %s (%s)", (name, folder, names, expected) => {
    expect(codes(file(`name: ${name}\n${description}`), { folder, names })).toEqual(expected);
  });
});

describe("validateStrict: fields", () => {
  it.each<[string, string[]]>([
    [
      `name: seed-sort\n${description}\nlicense: MIT\ncompatibility: Needs git.\nmetadata:\n  author: me\nallowed-tools: Read Bash(git:*)`,
      [],
    ],
    [description, ["standard/name-missing"]],
    ["name: seed-sort", ["standard/description-missing"]],
    ["name: seed-sort\ndescription: ' '", ["standard/description-missing"]],
    [`name: seed-sort\ndescription: Use ${"d".repeat(1100)}`, ["standard/description-too-long"]],
    [`name: seed-sort\n${description}\nmodel: opus`, ["standard/unknown-key"]],
    [`name: seed-sort\n${description}\ncompatibility: ${"c".repeat(500)}`, []],
    [`name: seed-sort\n${description}\ncompatibility: ${"c".repeat(550)}`, ["standard/compatibility"]],
    [`name: seed-sort\n${description}\ncompatibility:`, ["standard/compatibility"]],
    [`name: seed-sort\n${description}\nlicense:\n  - MIT`, ["standard/field-type"]],
    [`name: seed-sort\n${description}\nmetadata: text`, ["standard/field-type"]],
    [
      `name: seed-sort\n${description}\nmetadata:\n  a:\n    b: c\n  version: 2.10`,
      ["standard/metadata-value", "(standard/metadata-number)"],
    ],
    [`name: seed-sort\n${description}\nallowed-tools: Read, Grep`, ["(standard/tool-list)"]],
    [`name: seed-sort\n${description}\nallowed-tools:\n  - Read`, ["(standard/tool-list)"]],
    [`name: seed-sort\n${description}\nallowed-tools: Bash(a,b) Read`, []],
    ["name: seed-sort\ndescription: Use: when", ["standard/yaml"]],
    [`name: seed-sort\nname: seed-sort\n${description}`, ["standard/yaml"]],
    [`name: seed-sort\ndescription: !tag Use it.`, ["standard/yaml"]],
    [`name: seed-sort\ndescription: &a Use it.`, ["standard/yaml"]],
    ["just text", ["standard/not-a-mapping"]],
    ["- a\n- b", ["standard/not-a-mapping"]],
    ["", ["standard/name-missing", "standard/description-missing"]],
    ["{name: seed-sort, description: Use it.}", ["(standard/flow-style)"]],
    ["name: seed-sort\ndescription: Use --- it.", ["(standard/dashes)"]],
    ["name: seed-sort\ndescription: Use <name>.", ["(standard/markup-in-description)"]],
    ["name: seed-sort\ndescription: |\n  Use it.\n  Twice.", ["(standard/description-lines)"]],
    ["name: seed-sort\ndescription: Sorts seeds.", ["(standard/description-when)"]],
    ["name: seed-sort\ndescription: Use it. TODO more.", ["(standard/todo)"]],
    ["name: seed-sort\ndescription: 整理种子。", []],
  ])("%j", (lines, expected) => {
    expect(codes(lines === "" ? "---\n---\nText.\n" : file(lines))).toEqual(expected);
  });

  it("names line, column and the key that was meant", () => {
    const found = validateStrict(skillFile(file(`name: seed-sort\ndescripton: Use it.`)), testContext, {
      names: "ascii",
    });
    expect(found[0]).toMatchObject({ code: "standard/description-missing", severity: "error" });
    expect(found[1]).toMatchObject({ code: "standard/unknown-key", range: { line: 3, column: 1 } });
    expect(found[1]?.hint).toContain("did you mean description?");
  });
});

describe("validateStrict: file", () => {
  const sound = `name: seed-sort\n${description}`;
  it.each<[string, string | Uint8Array, string[]]>([
    ["empty", "", ["file/empty"]],
    ["no frontmatter", "# Title\n", ["standard/no-frontmatter"]],
    ["unclosed", `---\n${sound}\n`, ["standard/unclosed"]],
    ["blank line first", `\n${file(sound)}`, ["standard/no-frontmatter"]],
    ["four dashes", `----\n${sound}\n---\nText.\n`, ["frontmatter/fence"]],
    ["JavaScript", "---js\n{}\n---\n", ["frontmatter/unsupported-language"]],
    ["mark", `\ufeff${file(sound)}`, ["(standard/byte-order-mark)"]],
    ["CRLF", file(sound).replaceAll("\n", "\r\n"), []],
    ["UTF-16", utf16(file(sound), { littleEndian: true, mark: true }), ["text/utf16"]],
    ["not UTF-8", Uint8Array.from([0x2d, 0xff]), ["text/not-utf8"]],
    ["deep", file(`${sound}\nmetadata: ${"[".repeat(900)}`), ["frontmatter/too-deep"]],
    ["no text", file(sound, ""), ["(standard/body-empty)"]],
    ["long text", file(sound, "line\n".repeat(501)), ["(standard/body-long)"]],
    ["hidden characters", file(sound, "Text\u200b.\n"), ["(standard/hidden-characters)"]],
  ])("%s", (_, content, expected) => expect(codes(content)).toEqual(expected));

  it("placeholders in code blocks of a skill that takes arguments (case a-substitution)", () => {
    const plot = file(
      sound,
      "Plot: $0\nPrice tag: \\$1\n\n```awk\n{ print $1 }\n{ print \\$2, $HOME }\n```\n",
    );
    const found = validateStrict(skillFile(plot), testContext, { names: "ascii" });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      code: "standard/argument-in-code",
      severity: "warning",
      range: { line: 9, column: 9 },
    });
    expect(found[0]?.message).toContain(
      "unescaped $1 inside a code block will be replaced when arguments are given",
    );
    expect(codes(file(sound, "```awk\n{ print $1 }\n```\n"))).toEqual([]);
    const named = `${sound}\narguments:\n  - bed`;
    expect(codes(file(named, "```sh\necho $bed $HOME\n```\n"))).toEqual([
      "standard/unknown-key",
      "(standard/argument-in-code)",
    ]);
  });
});
