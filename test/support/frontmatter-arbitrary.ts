import fc from "fast-check";

/** Pieces from which damaged and sound frontmatter is made up. */
const word = fc.constantFrom(
  "seeds",
  "Use",
  "when",
  "the",
  "user's",
  "a",
  "PDF",
  "C:\\x",
  "#12",
  "-",
  "--dry-run",
  "(north)",
  "[bed]",
  "{x}",
  "http://x.y/z",
  "Bash(git:*)",
  "50%",
  "@me",
  "*bold*",
  "`code`",
  "&",
  "|",
  ">",
  "!",
  "?",
  "“quoted”",
  '"q"',
  "'s",
  "末",
  "é",
  "e\u0301",
  "👩‍🌾",
  "a:b",
  "x,",
  "y;",
  "007",
  "true",
  "~",
  "null",
  "1e3",
  "2.10",
  "...",
  "---",
  "\\n",
  "=",
  "<b>",
);
const prose = fc.array(word, { minLength: 1, maxLength: 7 }).map((words) => words.join(" "));
const colons = fc
  .tuple(prose, fc.constantFrom(": ", ":", " #", " # ", " : ", "： "), prose)
  .map((parts) => parts.join(""));
const plain = fc.oneof({ weight: 3, arbitrary: prose }, colons);
const quoted = fc
  .tuple(plain, fc.constantFrom('"', "'"), fc.boolean(), fc.constantFrom("", " tail", " # note"))
  .map(([text, quote, open, tail]) => `${quote}${text}${open ? "" : quote}${tail}`);
const flow = fc
  .tuple(
    fc.array(fc.oneof(word, prose, quoted), { maxLength: 4 }),
    fc.constantFrom("]", "] tail", "", "]]"),
    fc.constantFrom(", ", ",", " , "),
  )
  .map(([items, close, comma]) => `[${items.join(comma)}${close}`);
const json = fc.oneof(
  fc
    .jsonValue({ maxDepth: 3 })
    .filter((value) => typeof value === "object" && value !== null && !Array.isArray(value))
    .map((value) => JSON.stringify(value)),
  fc.constantFrom(
    "{}",
    '{"a": 1',
    '{"a":"b","c":[1,2]}',
    '{ "a" : "b" }',
    '{"a":"b",}',
    "{a: b, c: d}",
    '{"a":b}',
    '{"a":{"b":["c"]}} # x',
  ),
);
const indent = fc.constantFrom("  ", "    ", " ", "\t", "");
const lines = (line: fc.Arbitrary<string>, max = 4): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(indent, fc.oneof({ weight: 6, arbitrary: line }, fc.constant(""))), {
      minLength: 1,
      maxLength: max,
    })
    .map((all) => all.map(([space, text]) => (text === "" ? "" : space + text)).join("\n"));
const evenLines = fc
  .tuple(
    fc.constantFrom("  ", "    "),
    fc.array(fc.oneof({ weight: 5, arbitrary: plain }, fc.constant("")), { minLength: 1, maxLength: 4 }),
  )
  .map(([space, all]) => all.map((text) => (text === "" ? "" : space + text)).join("\n"));
const block = fc
  .tuple(
    fc.constantFrom(">", "|", ">-", "|-", ">+", "|+", "|2", "> ", "| # c"),
    fc.oneof({ weight: 3, arbitrary: evenLines }, lines(plain)),
  )
  .map(([mark, text]) => `${mark}\n${text}`);
const wrapped = fc
  .tuple(plain, fc.oneof(evenLines, lines(plain)))
  .map(([first, rest]) => `${first}\n${rest}`);
const below = fc.oneof(evenLines, lines(plain)).map((text) => `\n${text}`);
const list = fc
  .tuple(
    fc.constantFrom("  ", "", "    "),
    fc.array(fc.oneof(word, plain, quoted, flow), { minLength: 1, maxLength: 4 }),
  )
  .map(([space, items]) => `\n${items.map((item) => `${space}- ${item}`).join("\n")}`);
const innerKey = fc.constantFrom(
  "author",
  "version",
  "openclaw",
  "zh-CN",
  "bins",
  "name",
  "__proto__",
  "constructor",
  "a b",
);
const innerValue = fc.oneof({ weight: 4, arbitrary: plain }, quoted, flow, fc.constant(""));
const map = fc
  .array(
    fc.tuple(innerKey, innerValue, fc.constantFrom("", "", "\n    - a\n    - b c", "\n    x: y", "\n  - a")),
    { minLength: 1, maxLength: 4 },
  )
  .map(
    (all) =>
      `\n${all.map(([key, value, more]) => `  ${key}: ${value}${value === "" ? more : ""}`).join("\n")}`,
  );
const flags = fc.constantFrom(
  "true",
  "False",
  "yes",
  "off",
  "ture",
  "flase",
  "",
  '"true"',
  "1",
  "[true]",
  "true # only me",
);
const value = fc.oneof(
  { weight: 4, arbitrary: plain },
  { weight: 2, arbitrary: quoted },
  { weight: 2, arbitrary: flow },
  json,
  block,
  wrapped,
  below,
  { weight: 2, arbitrary: list },
  { weight: 2, arbitrary: map },
  flags,
  fc.constant(""),
);
const key = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      "name",
      "description",
      "license",
      "compatibility",
      "metadata",
      "allowed-tools",
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "title",
      "when_to_use",
      "argument-hint",
      "arguments",
      "aliases",
      "paths",
      "requires",
      "disable-model-invocation",
      "user-invocable",
      "displayNames",
      "descriptions",
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "version",
      "author",
      "tags",
      "model",
      "descripton",
      "Name",
      "allowed_tools",
      "whenToUse",
      "__proto__",
      "toString",
      "名前",
      '"name"',
      "x y",
    ),
  },
);
const separator = fc.oneof(
  { weight: 12, arbitrary: fc.constant(": ") },
  fc.constantFrom(":", ":  ", " : ", ":\t", "：", "= "),
);
const entry = fc
  .tuple(key, separator, value, fc.constantFrom("", "", "", "", " ", "  ", "\t"))
  .map(
    ([name, colon, text, lead]) =>
      `${lead}${name}${text === "" || text.startsWith("\n") ? colon.trimEnd() : colon}${text}`,
  );
const filler = fc.constantFrom("", "# comment", "  # indented comment", "- stray", "stray text", "\t", "   ");

/** Frontmatter as people and programs write it, sound and damaged, LF line ends, last line ended. */
export const anyFrontmatter: fc.Arbitrary<string> = fc
  .array(fc.oneof({ weight: 8, arbitrary: entry }, filler), { maxLength: 7 })
  .map((entries) => (entries.length === 0 ? "" : `${entries.join("\n")}\n`));

/** Frontmatter that is mostly sound: every field on its own would be valid YAML more often than not. */
export const tidyFrontmatter: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(
      key,
      fc.oneof(
        prose,
        flow,
        json,
        block,
        evenLines.map((text) => `\n${text}`),
        list,
        map,
        flags,
      ),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map(
    (all) =>
      `${all.map(([name, text]) => `${name}:${text === "" || text.startsWith("\n") ? "" : " "}${text}`).join("\n")}\n`,
  );
