import fc from "fast-check";
import { expect, test } from "vitest";
import { anyFrontmatter, tidyFrontmatter } from "../../../test/support/frontmatter-arbitrary.ts";
import { analyseSkill } from "./analyse-skill.ts";
import { noteBody } from "./note-body.ts";
import { plainSkill } from "./plain-skill.ts";
import { skillFile, testContext } from "./reading.fixture.ts";

const runs = Number(process.env.PROPERTY_RUNS ?? 300);

/** Lines that are mostly plain, with one thing in them now and then that is not. */
const plainWord = fc.constantFrom("Sorts", "seeds", "by", "size", "a:b", "é", "末", "(x)", "#1", "C:\\x");
const oddWord = fc.constantFrom(
  "true",
  "null",
  "No",
  "on",
  "007",
  "C: x",
  "x:",
  " # y",
  "'s",
  '"q"',
  "\t",
  "\u00a0",
  "\u200b",
);
const oddStart = fc.constantFrom("--- ", "- a", "[b]", "$1", "", "👩‍🌾", "\u2028", "\ufeff", "#");
const value = fc
  .tuple(
    fc.oneof({ weight: 6, arbitrary: fc.constantFrom("Sorts", "Use") }, { weight: 1, arbitrary: oddStart }),
    fc.array(fc.oneof({ weight: 12, arbitrary: plainWord }, { weight: 1, arbitrary: oddWord }), {
      maxLength: 9,
    }),
  )
  .map(([first, words]) => [first, ...words].join(" "))
  .chain((text) => fc.constantFrom(text, text, text, `"${text}"`, `"${text}`, `'${text}'`, `"${text}" `));
const key = fc.constantFrom(
  "description",
  "license",
  "compatibility",
  "name",
  "description",
  "license",
  "compatibility",
  "Name",
  "licence",
  "title",
  "...",
  " name",
  "name ",
);
const line = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(key, value).map(([left, right]) => `${left}: ${right}`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom("name: seed-sort", "description: Sorts seeds by size and weight."),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("", "---", "----", "...", " ---", "name:", "description:", "# note", "\r"),
  },
);
const frontmatter = fc.oneof(
  fc
    .tuple(value, value, fc.constantFrom("license", "compatibility", "version"))
    .map(([one, other, key]) => `name: seed-sort\ndescription: ${one}\n${key}: ${other}\n`),
  fc
    .array(line, { maxLength: 5 })
    .map((lines) => `name: seed-sort\n${lines.map((one) => `${one}\n`).join("")}`),
  anyFrontmatter,
  tidyFrontmatter,
);
const body = fc.constantFrom(
  "Text.\n",
  "# Head\n\nText.\n",
  "",
  "Text.\n",
  "# Head\n\nText.",
  "Use $1.\n",
  "\0",
  "末\n".repeat(2000),
  "x\n".repeat(600),
  "---\nmore: x\n---\n",
);

test("a file that is read the short way gives what the thorough way gives, without a finding", () => {
  let short = 0;
  fc.assert(
    fc.property(
      frontmatter,
      body,
      fc.constantFrom("---\n", "---\n", "---\n", "--- \n", "\ufeff---\n", "---\r\n"),
      (text, rest, fence) => {
        const source = skillFile(`${fence}${text}---\n${rest}`);
        const plain = plainSkill(source, testContext);
        if (plain === null) return;
        short += 1;
        const analysis = analyseSkill(source, testContext);
        noteBody(analysis);
        expect(plain).toStrictEqual(analysis.document);
        expect(analysis.findings.list).toEqual([]);
      },
    ),
    { numRuns: runs * 10 },
  );
  expect(short).toBeGreaterThan(runs / 50);
});

test("plain files are read the short way", () => {
  const file = "---\nname: seed-sort\ndescription: Sorts seeds – by size.\nlicense: MIT\n---\n\nText.\n";
  expect(plainSkill(skillFile(file), testContext)).toMatchObject({ name: "seed-sort", license: "MIT" });
  expect(plainSkill(skillFile(file, "other"), testContext)).toBeNull();
});
