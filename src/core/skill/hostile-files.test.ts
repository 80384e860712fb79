import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { processorTime } from "../../../test/support/processor-time.ts";
import { lenientReader } from "./lenient-reader.ts";
import { patternFault } from "./path-patterns.ts";
import { readSkill, skillFile, testContext, testLimits } from "./reading.fixture.ts";
import { guardYaml } from "./yaml-guard.ts";

/** Shapes that bring YAML readers down (security.md A02 to A05, A12, A18), by depth or count. */
const deep: Record<string, (depth: number) => string> = {
  flow: (d) => "[".repeat(d) + "]".repeat(d),
  open: (d) => "[".repeat(d),
  map: (d) => "{a: ".repeat(d) + "}".repeat(d),
  json: (d) => `${'{"a":'.repeat(d)}1${"}".repeat(d)}`,
  seq: (d) => `\n  ${"- ".repeat(d)}x`,
  key: (d) => `\n  ${"? ".repeat(d)}x`,
  val: (d) => `\n  ? a\n  ${": ".repeat(d)}x`,
  tags: (d) => `\n  ${"!a ".repeat(d)}x`,
  anchors: (d) => `\n  ${"&a ".repeat(d)}x`,
  mixed: (d) => "[1.5, true, ".repeat(d),
  quoted: (d) => '["a", '.repeat(d),
  // Brackets behind something that looks like a quote but is none.
  hidden: (d) => `[a 'b ${"[".repeat(d)}`,
  block: (d) => Array.from({ length: Math.min(d, 250) }, (_, i) => `\n${" ".repeat(i + 1)}a:`).join(""),
  compact: (d) =>
    `\n  ${"- a:\n".padEnd(6)}${Array.from({ length: Math.min(d, 200) }, (_, i) => `${" ".repeat(i + 4)}- b:`).join("\n")}`,
};

describe("deep nesting", () => {
  it.each(Object.keys(deep))("%s is refused before YAML sees it", (shape) => {
    for (const depth of [40, 200, 800, 4000]) {
      const value = (deep[shape] as (depth: number) => string)(depth);
      const started = processorTime();
      const read = readSkill(`---\nname: seed-sort\ndescription: deep\nmetadata: ${value}\n---\nbody\n`);
      expect(processorTime() - started).toBeLessThan(1000);
      // Chains of tags and anchors are no nesting; whatever they come to, they are read without trouble.
      if (shape === "tags" || shape === "anchors") continue;
      expect(read.skip?.code).toMatch(/^frontmatter\/(too-deep|too-large)$/);
      expect(read.diagnostics[0]?.message).toMatch(/too deep|at most/);
    }
  });

  it("a bare deep document without keys is refused too", () => {
    for (const text of ["[".repeat(900), "- ".repeat(900), "? ".repeat(900), "{a: ".repeat(900)]) {
      expect(readSkill(`---\n${text}\n---\nbody\n`).document).toBeNull();
    }
  });

  it("ordinary nesting passes", () => {
    for (const text of [
      "a:\n  b:\n    c:\n      d:\n        - e:\n            f: [g, {h: i}]\n",
      `a: ${"[".repeat(14)}x${"]".repeat(14)}\n`,
      "description: '[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[['\n",
      `description: |\n  ${"[[".repeat(40)}\n  ${"- - ".repeat(15)}\n`,
      `description: "${"{".repeat(60)}"\n`,
      `tags:\n${"  - [a, b, c]\n".repeat(60)}`,
    ]) {
      expect(guardYaml(text, testLimits)).toMatchObject({ kind: "ok" });
    }
  });
});

describe("counts and sizes", () => {
  it("more keys than allowed are refused, quickly", () => {
    for (const count of [600, 2000, 13000]) {
      const keys = Array.from({ length: count }, (_, i) => `k${i}: v`).join("\n");
      const started = processorTime();
      const read = readSkill(`---\nname: seed-sort\ndescription: x\n${keys}\n---\n`);
      expect(read.skip?.code).toMatch(/^frontmatter\/(too-many-keys|too-large)$/);
      expect(processorTime() - started).toBeLessThan(2000);
    }
    const flow = `{${Array.from({ length: 600 }, (_, i) => `k${i}`).join(", ")}}`;
    expect(readSkill(`---\nname: a\nmetadata: ${flow}\n---\n`).skip?.code).toBe("frontmatter/too-many-keys");
  });

  it("300 keys and a text with a thousand colons pass", () => {
    const keys = Array.from({ length: 300 }, (_, i) => `k${i}: v`).join("\n");
    expect(readSkill(`---\nname: seed-sort\ndescription: x\n${keys}\n---\n`).diagnostics).toEqual([]);
    const prose = `description: >\n${"  a: b, c ? d\n".repeat(700)}`;
    expect(readSkill(`---\nname: seed-sort\n${prose}---\n`).document).not.toBeNull();
  });

  it("3 MB without a closing fence take linear time", () => {
    for (const line of ["key: value\n", "  ---\n", "a: |\n  ---\n", "- \n", "x".repeat(1000)]) {
      const file = skillFile(`---\nname: big\n${line.repeat(Math.ceil(3e6 / line.length))}`);
      const started = processorTime();
      const read = lenientReader.read(file, testContext);
      // An indented fence that stands in no block text closes the frontmatter.
      if (line !== "  ---\n") expect(read.skip?.code).toMatch(/frontmatter\/(unclosed|too-large)/);
      // 100 ms on an idle machine; the codec of these tests alone takes a good part of it.
      expect(processorTime() - started).toBeLessThan(2000);
    }
  });

  it("a large body costs nothing", () => {
    const file = skillFile(
      `---\nname: seed-sort\n---\n${"![".repeat(50000)}\n${"<".repeat(50000)}\n${"- ".repeat(50000)}`,
    );
    const started = processorTime();
    lenientReader.read(file, testContext);
    expect(processorTime() - started).toBeLessThan(1000);
  });
});

describe("aliases", () => {
  const bomb = [
    "a: &a [x, x, x, x, x, x, x, x, x]",
    ..."bcdefghi".split("").map((key, i) => {
      const before = `*${"abcdefgh"[i]}`;
      return `${key}: &${key} [${Array.from({ length: 9 }, () => before).join(", ")}]`;
    }),
  ].join("\n");

  it("an alias bomb is reported field by field and never expanded", () => {
    const started = processorTime();
    const read = readSkill(`---\nname: seed-sort\ndescription: x\n${bomb}\nmetadata: *i\n---\n`);
    expect(processorTime() - started).toBeLessThan(500);
    expect(read.document).toMatchObject({ name: "seed-sort", description: "x" });
    expect(read.diagnostics.length).toBeGreaterThan(8);
    expect(JSON.stringify(read.document).length).toBeLessThan(2000);
  });

  it("cycles and merge keys end", () => {
    const read = readSkill("---\nname: seed-sort\ndescription: x\na: &a [*a]\nb:\n  <<: *a\n  c: d\n---\n");
    expect(read.document?.name).toBe("seed-sort");
    expect(read.diagnostics.every((one) => one.severity !== "error")).toBe(true);
  });
});

describe("linear in the length of hostile lines", () => {
  it.each([
    "@",
    "$",
    "[",
    "(",
    "`",
    "<",
    "-",
    " ",
    "'",
    '"',
    "\\",
    ":",
    ": ",
    "#",
    " #",
    "{",
    "!",
    "&",
    "*",
    "\t",
    "|",
    "　",
    "：",
    "a ",
    "- ",
  ])("%j", (unit) => {
    const time = (count: number): number => {
      const text = unit.repeat(Math.ceil(count / unit.length));
      const started = processorTime();
      for (const lines of [
        `description: ${text}`,
        `description: "${text}`,
        `paths: [${text}`,
        `x:\n  ${text}`,
        `${text}: x`,
        `allowed-tools: ${text}`,
      ])
        readSkill(`---\nname: a\n${lines}\n---\n${text}\n`);
      return processorTime() - started;
    };
    time(1000);
    // Quadratic work on 60 000 characters takes minutes, also on a fast machine.
    expect(time(60000)).toBeLessThan(10_000);
  });

  it("patterns", () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom("[", "]", "{", "}", "(", ")", "*", "!", "-", "a", "\\", ",", "/"),
        }),
        (pattern) => {
          expect([null, "string"]).toContain(patternFault(pattern) === null ? null : "string");
        },
      ),
    );
    const started = processorTime();
    patternFault("[".repeat(50000));
    patternFault("{".repeat(50000));
    expect(processorTime() - started).toBeLessThan(3000);
  });
});
