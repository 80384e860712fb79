import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { anyFrontmatter, tidyFrontmatter } from "../../../test/support/frontmatter-arbitrary.ts";
import { codeText } from "../diagnostics/table.ts";
import { fixSkill, type SkillFix } from "./fix-skill.ts";
import { lenientReader } from "./lenient-reader.ts";
import { readSkill, skillFile, testContext, utf16 } from "./reading.fixture.ts";

function fixed(content: string | Uint8Array): SkillFix | null {
  return fixSkill(skillFile(content), testContext);
}

function withoutSources(content: string | Uint8Array): unknown {
  return { ...readSkill(content).document, nameFrom: null, descriptionFrom: null };
}

/** The edits applied to the old text, last first. */
function applied(text: string, fix: SkillFix): string {
  const lines = text.split(/(?<=\n)/);
  for (const { range, newText } of [...fix.edits].reverse()) {
    lines.splice(range.line - 1, range.endLine - range.line, newText);
  }
  return lines.join("");
}

describe("fixSkill", () => {
  it.each([
    ["description: Use when: asked", 'description: "Use when: asked"'],
    ["Description: Upper.", "description: Upper."],
    ["descripton: Slip", "description: Slip"],
    ["description: Fix issue #12", 'description: "Fix issue #12"'],
    ["description: `probe` reads", 'description: "`probe` reads"'],
    ['description: "Quick" planner', "description: '\"Quick\" planner'"],
    ["description: d\ndisable-model-invocation: yes", "description: d\ndisable-model-invocation: true"],
    ["description: d\nargument-hint: [bed]", 'description: d\nargument-hint: "[bed]"'],
    ["description: d\nallowed-tools: *", 'description: d\nallowed-tools: "*"'],
    ["description: d\npaths: [**/*.py, *.ts]", 'description: d\npaths:\n  - "**/*.py"\n  - "*.ts"'],
    ["description: d\ndescription: e", "description: d\n# description: e"],
    [
      "description: d\nmetadata:\n  author: @me\n  version: 1.0",
      'description: d\nmetadata:\n  author: "@me"\n  version: 1.0',
    ],
    ['description: d\nmetadata: {"a":{"b":["c"]}', "description: d\nmetadata:\n  a:\n    b:\n      - c"],
    ["description: Use when the beds\nare dry", "description: Use when the beds are dry"],
    ["# note\ndescription: a: b\n# more\nlicense: MIT", '# note\ndescription: "a: b"\n# more\nlicense: MIT'],
    ["stray\ndescription: d: e", '# stray\ndescription: "d: e"'],
  ])("%j", (lines, expected) => {
    const file = `---\nname: seed-sort\n${lines}\n---\nBody.\n`;
    const fix = fixed(file);
    expect(fix?.text).toBe(`---\nname: seed-sort\n${expected}\n---\nBody.\n`);
    expect(applied(file, fix as SkillFix)).toBe(fix?.text);
  });

  it.each([
    "\u2014-\nname: a\ndescription: Größe.\n\u2014-\n",
    "\u200b---\nname: a\ndescription: Größe.\n---\n",
    "  ---\nname: a\ndescription: Größe.\n  ---\n",
  ])("writes the fences of %j plainly", (head) => {
    const fix = fixed(`${head}Body.\n`);
    expect(fix?.text).toBe("---\nname: a\ndescription: Größe.\n---\nBody.\n");
    expect(applied(`${head}Body.\n`, fix as SkillFix)).toBe(fix?.text);
  });

  it("leaves a sound file and an unreadable one alone", () => {
    expect(fixed("---\nname: seed-sort\ndescription: d\n---\nBody.\n")).toBeNull();
    expect(fixed("---\nname: seed-sort\n")).toBeNull();
    expect(fixed("")).toBeNull();
  });

  it("adds what is missing", () => {
    expect(fixed("# Title\n\nFirst paragraph.\n")?.text).toBe(
      "---\nname: seed-sort\ndescription: First paragraph.\n---\n# Title\n\nFirst paragraph.\n",
    );
    expect(fixed("---\nlicense: MIT\n---\nText: more.\n")?.text).toBe(
      '---\nname: seed-sort\ndescription: "Text: more."\nlicense: MIT\n---\nText: more.\n',
    );
    expect(fixed("---\njust text\n---\nText.\n")?.text).toBe(
      "---\nname: seed-sort\ndescription: Text.\n# just text\n---\nText.\n",
    );
  });

  it("normalises fences, keeps comments before them, and follows the line ends of the file", () => {
    expect(fixed("<!-- kept -->\n\n---- \nname: seed-sort\ndescription: d\n...\nBody.\n")?.text).toBe(
      "---\n# kept\nname: seed-sort\ndescription: d\n---\nBody.\n",
    );
    expect(fixed("---\r\nname: seed-sort\r\ndescription: a: b\r\n---\r\nBody.\r\n")?.text).toBe(
      '---\r\nname: seed-sort\r\ndescription: "a: b"\r\n---\r\nBody.\r\n',
    );
    expect(fixed("{")).not.toBeNull();
  });

  it("drops a byte order mark and saves UTF-16 as UTF-8", () => {
    const text = "---\nname: seed-sort\ndescription: é 😀\n---\nBody 😀\n";
    expect(fixed(`\ufeff${text}`)?.text).toBe(text);
    const fix = fixed(utf16(text, { littleEndian: true, mark: true }));
    expect(fix?.text).toBe(text);
    expect(new TextDecoder().decode(fix?.bytes)).toBe(text);
  });

  it("for any frontmatter: says the same as before, in strict YAML, and the body's bytes are the old ones", () => {
    let asked = 0;
    let refused = 0;
    fc.assert(
      fc.property(
        fc.oneof(anyFrontmatter, tidyFrontmatter),
        fc.string({ unit: "grapheme", maxLength: 20 }),
        fc.constantFrom("\n", "\n", "\r\n"),
        (frontmatter, tail, lineEnd) => {
          const body = `Body.${tail.replaceAll(/[\0\r]/g, "")}\n`;
          const file = `---\n${frontmatter}---\n`.replaceAll("\n", lineEnd) + body;
          const before = readSkill(file);
          if (before.document === null) return;
          const fix = fixed(file);
          const mendable = before.diagnostics.some((one) => codeText(one.code)?.mendable === true);
          if (mendable) asked++;
          if (fix === null) {
            if (mendable) refused++;
            return;
          }
          expect(withoutSources(fix.bytes)).toEqual(withoutSources(file));
          expect(fix.text.endsWith(body)).toBe(true);
          expect(applied(file, fix)).toBe(fix.text);
          const after = readSkill(fix.bytes);
          expect(after.diagnostics.filter((one) => codeText(one.code)?.mendable === true)).toEqual([]);
          const head = fix.text.slice(
            0,
            fix.text.length - lenientReader.body(skillFile(fix.bytes), testContext).length,
          );
          expect(() => parse(head.replace(/---\s*$/, ""), { logLevel: "error" })).not.toThrow();
          expect(fixed(fix.text)).toBeNull();
        },
      ),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 100) },
    );
    // Heaps of brackets and quotes in a list of tools may have no sound spelling; everything else has one.
    expect(refused).toBeLessThanOrEqual(asked * 0.02);
  });
});
