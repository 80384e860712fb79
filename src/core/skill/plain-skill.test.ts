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
  "title",
  "when_to_use",
  "argument-hint",
  "allowed-tools",
  "version",
  "tags",
  "metadata",
  "user-invocable",
  "aliases",
  "descripton",
  "tag s",
  "_x",
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
/** Words and what may stand for one in a list, quoted or not. */
const item = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom("Read", "code review", "a-b", "x/y.md", "git", "Read") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "true",
      "Null",
      "1.0",
      "Bash(git:*)",
      "a: b",
      "é",
      "-",
      "",
      "a  b",
      "'c'",
      "[d]",
    ),
  },
);
const listed = fc
  .array(item, { maxLength: 4 })
  .chain((items) =>
    fc.constantFrom(
      `[${items.join(", ")}]`,
      `[${items.map((one) => `"${one}"`).join(", ")}]`,
      `[ ${items.join(" , ")} ]`,
      `[${items.join(",")}]`,
      items.join(", "),
      ...["  - ", "- ", " - ", "  -", "    - "].map(
        (mark) => `\n${items.map((one) => mark + one).join("\n")}`,
      ),
      `\n  - ${items.join("\n   - ")}`,
    ),
  );
const lineOf = fc.array(fc.oneof({ weight: 9, arbitrary: plainWord }, { weight: 1, arbitrary: oddWord }), {
  minLength: 1,
  maxLength: 5,
});
const wrapped = fc
  .tuple(
    fc.constantFrom("|", ">", "|-", ">-", "|+", ">+", "|2", "Sorts", '"Sorts', ""),
    fc.array(
      fc
        .tuple(fc.constantFrom("  ", "  ", "  ", "    ", " ", ""), lineOf)
        .map(([lead, all]) => lead + all.join(" ")),
      { maxLength: 4 },
    ),
    fc.constantFrom("", "", "", "\n", '"', "\n  # x", "\n  ---"),
  )
  .map(([first, lines, last]) => [first, ...lines].join("\n") + last);
const scalar = fc.constantFrom(
  "true",
  "false",
  "True",
  "yes",
  "1.2.0",
  "1.0",
  "2",
  "007",
  "null",
  "~",
  "<file>",
  '""',
);
const line = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(key, value).map(([left, right]) => `${left}: ${right}`) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(key, fc.oneof(listed, wrapped, scalar))
      .map(([left, right]) => (right.startsWith("\n") ? `${left}:${right}` : `${left}: ${right}`)),
  },
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
    .array(line, { minLength: 1, maxLength: 2 })
    .map((lines) => ["name: seed-sort", "description: Sorts seeds.", ...lines, ""].join("\n")),
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
  ...Array<string>(12).fill("Text for $HOME.\n"),
  "Text.\n",
  "# Head\n\nText.\n",
  "",
  "Text.\n",
  "# Head\n\nText.",
  "Use $1.\n",
  "\0",
  "末\n".repeat(2000),
  "x\n".repeat(600),
  "x\n".repeat(300),
  "Costs $HOME and $ARG.\n",
  "Costs $HOME.\r",
  "words and words\n".repeat(1500),
  "words and words and words\n".repeat(400),
  "---\nmore: x\n---\n",
  "x\r".repeat(600),
  "many words in it\r".repeat(600),
  "Text.\r\n",
);

test("a file that is read the short way gives what the thorough way gives, without a finding", () => {
  let short = 0;
  fc.assert(
    fc.property(
      frontmatter,
      body,
      fc.constantFrom(...Array<string>(12).fill("---\n"), "--- \n", "\ufeff---\n", "---\r\n"),
      fc.constantFrom("\n", "\n", "\n", "\r\n", "\r"),
      (text, rest, fence, lineEnd) => {
        const file = `${fence}${text}---\n${rest}`;
        const source = skillFile(lineEnd === "\n" ? file : file.replaceAll("\n", lineEnd));
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

test.each([
  "allowed-tools: Read, Grep, Bash",
  "allowed-tools: [Read, Grep]",
  'triggers: ["read", "grep this"]',
  "tags:\n  - read\n  - grep",
  "version: 1.2.0\nauthor: Example Team",
  "user-invocable: true",
  "when_to_use: When somebody\n  asks for it.",
  "compatibility: >-\n  Needs git\n  and a shell",
])("the common shape %j is read the short way", (fields) => {
  const file = `---\nname: seed-sort\ndescription: Sorts seeds.\n${fields}\n---\n\nText for $HOME.\n`;
  const analysis = analyseSkill(skillFile(file), testContext);
  expect(plainSkill(skillFile(file), testContext)).toStrictEqual(analysis.document);
  expect(analysis.findings.list).toEqual([]);
});

test("line ends of either kind are read the short way", () => {
  const file = "---\r\nname: seed-sort\r\ndescription: |\r\n  Sorts\r\n  seeds.\r\n---\r\n\r\nText.\r\n";
  const analysis = analyseSkill(skillFile(file), testContext);
  expect(plainSkill(skillFile(file), testContext)).toStrictEqual(analysis.document);
  expect(analysis.document?.description).toBe("Sorts\nseeds.");
});

test("plain files are read the short way", () => {
  const file = "---\nname: seed-sort\ndescription: Sorts seeds – by size.\nlicense: MIT\n---\n\nText.\n";
  expect(plainSkill(skillFile(file), testContext)).toMatchObject({ name: "seed-sort", license: "MIT" });
  expect(plainSkill(skillFile(file, "other"), testContext)).toBeNull();
});
