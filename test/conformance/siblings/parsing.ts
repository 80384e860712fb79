import { expect } from "vitest";
import { matter, type Sibling, skill } from "./sibling.ts";

const utf16 = (text: string, little: boolean, mark: boolean): Uint8Array => {
  const bytes = Buffer.from((mark ? "\uFEFF" : "") + text, "utf16le");
  return little ? bytes : bytes.swap16();
};

export const parsing: readonly Sibling[] = [
  {
    id: "hash-in-text",
    about: "A space and a hash sign inside a description: YAML would lose the rest without a word.",
    tree: { "skills/a/SKILL.md": skill("a", "Fix issue #12 in the tracker.") },
    offered: ["a"],
    skills: { a: { description: "Fix issue #12 in the tracker." } },
    said: [{ level: "warning", code: "frontmatter/hash", file: "skills/a/SKILL.md", line: 3 }],
  },
  {
    id: "colon-in-text",
    about: "Unquoted colons: in one line, twice, at the end, and in a web address.",
    tree: {
      "skills/a/SKILL.md": skill("a", "Use when: the user asks."),
      "skills/b/SKILL.md": skill("b", "Steps: first: this, second: that."),
      "skills/c/SKILL.md": skill("c", "See https://example.org/a:b for more."),
      "skills/d/SKILL.md": skill("d", "Ends with a colon:"),
    },
    offered: ["a", "b", "c", "d"],
    skills: {
      a: { description: "Use when: the user asks." },
      b: { description: "Steps: first: this, second: that." },
      c: { description: "See https://example.org/a:b for more." },
      d: { description: "Ends with a colon:" },
    },
    said: ["a", "b", "d"].map((name) => ({
      level: "warning",
      code: "frontmatter/unquoted-colon",
      file: `skills/${name}/SKILL.md`,
      line: 3,
    })),
  },
  {
    id: "numbers-as-names",
    about: "Names that YAML takes for numbers, booleans or nothing.",
    tree: {
      "skills/a/SKILL.md": matter("name: 12306", "description: Trains."),
      "skills/b/SKILL.md": matter("name: 007", "description: Agent."),
      "skills/c/SKILL.md": matter("name: 1e3", "description: Thousand."),
      "skills/d/SKILL.md": matter("name: true", "description: Truth."),
      "skills/e/SKILL.md": matter("name: 2.10", "description: Version."),
      "skills/f/SKILL.md": matter("name: 2024-01-02", "description: Date."),
      "skills/g/SKILL.md": matter("name: 0x1F", "description: Hex."),
      "skills/no/SKILL.md": matter("name: no", "description: Refusal."),
    },
    offered: ["007", "0x1F", "12306", "1e3", "2.10", "2024-01-02", "no", "true"],
    said: ["a", "b", "c", "d", "e", "f", "g", "no"].map((name) => ({
      level: "warning",
      code: "frontmatter/not-text",
      file: `skills/${name}/SKILL.md`,
      line: 2,
      says: /used as written/,
    })),
  },
  {
    id: "empty-names",
    about: "A name that is empty, null, a tilde or blank: the folder's name serves.",
    tree: {
      "skills/a/SKILL.md": matter("name:", "description: Empty."),
      "skills/b/SKILL.md": matter("name: null", "description: Null."),
      "skills/c/SKILL.md": matter("name: ~", "description: Tilde."),
      "skills/d/SKILL.md": matter('name: "  "', "description: Blank."),
    },
    offered: ["a", "b", "c", "d"],
    skills: { a: { derived: ["name"] }, b: { derived: ["name"] }, d: { derived: ["name"] } },
    said: ["a", "b", "c", "d"].map((name) => ({
      level: "warning",
      code: "name/missing",
      file: `skills/${name}/SKILL.md`,
    })),
  },
  {
    id: "duplicate-keys",
    about: "A key is given twice; strict readers drop the file.",
    tree: {
      "skills/a/SKILL.md": matter("name: a", "description: First.", "description: Second."),
      "skills/b/SKILL.md": matter("name: b", "description:", "description: Not empty."),
    },
    offered: ["a", "b"],
    skills: { a: { description: "First." }, b: { description: "Not empty." } },
    said: [
      { level: "warning", code: "frontmatter/duplicate-key", file: "skills/a/SKILL.md", line: 4 },
      { level: "warning", code: "frontmatter/duplicate-key", file: "skills/b/SKILL.md" },
    ],
  },
  {
    id: "tabs",
    about: "Tabs as indentation.",
    tree: {
      "skills/a/SKILL.md": matter("name: a", "description: Tabs.", "metadata:", "\tauthor: me"),
      "skills/b/SKILL.md": matter("name: b", "description: Wrapped", "\tby a tab."),
      "skills/c/SKILL.md": matter("name:\tc", "description:\tTab behind the colon."),
    },
    offered: ["a", "b", "c"],
    skills: {
      a: { description: "Tabs." },
      b: { description: "Wrapped by a tab." },
      c: { description: "Tab behind the colon." },
    },
    said: [
      { level: "warning", code: "frontmatter/tab", file: "skills/a/SKILL.md" },
      { level: "warning", code: "frontmatter/tab", file: "skills/b/SKILL.md" },
    ],
  },
  {
    id: "odd-fences",
    about: "Blanks behind a fence, blank lines before it, three dots at the end, a language behind it.",
    tree: {
      "skills/a/SKILL.md": "---  \nname: a\ndescription: Blanks.\n--- \nText a.\n",
      "skills/b/SKILL.md": "\n\n---\nname: b\ndescription: Blank lines first.\n---\nText b.\n",
      "skills/c/SKILL.md": "---\nname: c\ndescription: Dots.\n...\nText c.\n",
      "skills/d/SKILL.md": "---yaml\nname: d\ndescription: Language.\n---\nText d.\n",
      "skills/e/SKILL.md": "<!-- licence -->\n---\nname: e\ndescription: Comment first.\n---\nText e.\n",
    },
    offered: ["a", "b", "c", "d", "e"],
    skills: {
      a: { description: "Blanks.", body: "Text a." },
      b: { description: "Blank lines first.", body: "Text b." },
      c: { description: "Dots.", body: "Text c." },
      d: { description: "Language.", body: "Text d." },
      e: { description: "Comment first.", body: "Text e." },
    },
    said: [
      { level: "warning", code: "frontmatter/leading-lines", file: "skills/b/SKILL.md" },
      { level: "warning", code: "frontmatter/fence", file: "skills/c/SKILL.md" },
      { level: "warning", code: "frontmatter/language-tag", file: "skills/d/SKILL.md" },
      { level: "warning", code: "frontmatter/leading-lines", file: "skills/e/SKILL.md" },
    ],
  },
  {
    id: "fences-that-editors-make",
    about:
      "Dashes joined by an editor, hidden characters before a fence, everything indented, pasted as a code block.",
    tree: {
      "skills/a/SKILL.md": "\u2014-\nname: a\ndescription: Dashes, größer.\n\u2014-\n\nText a.\n",
      "skills/b/SKILL.md": `\u200B${skill("b", "Zero width.", "license: MIT")}`,
      "skills/c/SKILL.md": "  ---\n  name: c\n  description: Indented.\n  ---\n  Text c.\n",
      "skills/d/SKILL.md": "```markdown\n---\nname: d\ndescription: Pasted.\n---\nText d.\n```\n",
      "skills/e/SKILL.md": "\u2014\nAn aside begins this text.\n",
      "skills/f/SKILL.md": "```sh\nrun it\n```\n\nA command first.\n",
      "skills/g/SKILL.md": "\u2013\u2013\u2013\r\nname: g\r\ndescription: Mixed.\r\n---\r\nText g.\r\n",
    },
    offered: ["a", "b", "c", "d", "e", "f", "g"],
    skills: {
      a: { description: "Dashes, größer.", body: "Text a." },
      b: { description: "Zero width." },
      c: { description: "Indented.", body: "Text c." },
      d: { description: "Pasted." },
      f: { description: "A command first." },
      g: { description: "Mixed.", body: "Text g." },
    },
    said: [
      { level: "warning", code: "frontmatter/fence", file: "skills/a/SKILL.md", line: 1, says: /dash/ },
      { level: "warning", code: "frontmatter/leading-lines", file: "skills/b/SKILL.md", says: /hidden/ },
      { level: "warning", code: "frontmatter/fence", file: "skills/c/SKILL.md", says: /indented/ },
      { level: "warning", code: "frontmatter/leading-lines", file: "skills/d/SKILL.md", says: /code block/ },
      ...["e", "f"].flatMap((name) =>
        ["frontmatter/absent", "name/missing", "description/missing"].map((code) => ({
          level: "warning" as const,
          code,
          file: `skills/${name}/SKILL.md`,
        })),
      ),
      { level: "warning", code: "frontmatter/fence", file: "skills/g/SKILL.md", line: 1 },
    ],
  },
  {
    id: "script-fence",
    about: "Frontmatter in JavaScript is never run and never read.",
    tree: {
      "skills/a/SKILL.md": '---js\n{ name: process.exit(3), description: "x" }\n---\nText.\n',
      "skills/b/SKILL.md": skill("b"),
    },
    offered: ["b"],
    said: [{ level: "error", code: "frontmatter/unsupported-language", file: "skills/a/SKILL.md" }],
    more: (skills) => expect(skills.explain("a").verdict).toBe("skipped"),
  },
  {
    id: "misspelt-keys",
    about: "Misspelt and otherwise spelt keys.",
    tree: {
      "skills/a/SKILL.md": matter("name: a", "descripton: Misspelt."),
      "skills/b/SKILL.md": matter("Name: b", "Description: Capitals."),
      "skills/c/SKILL.md": matter("name: c", "description: Tools.", "allowed_tools: Read, Bash(git:*)"),
      "skills/d/SKILL.md": matter("name: d", "description: Tools.", "allowedTools: [Read]"),
    },
    offered: ["a", "b", "c", "d"],
    skills: {
      a: { description: "Misspelt." },
      b: { description: "Capitals." },
      c: { allowedTools: ["Read", "Bash(git:*)"] },
      d: { allowedTools: ["Read"] },
    },
    said: [
      { level: "warning", code: "frontmatter/misspelt-key", file: "skills/a/SKILL.md", says: /descripton/ },
    ],
  },
  {
    id: "unknown-keys",
    about: "Unknown keys are kept as data, numbers in them as written.",
    tree: {
      "skills/a/SKILL.md": skill(
        "a",
        "Keys.",
        "version: 2.10",
        "homepage: https://example.org",
        "metadata:",
        "  build: 007",
      ),
    },
    offered: ["a"],
    more: (skills) => {
      const [entry] = skills.entries;
      expect(entry?.skill.extra).toMatchObject({ homepage: "https://example.org" });
      expect(JSON.stringify([entry?.skill.extra, entry?.skill.metadata])).toContain('"2.10"');
      expect(JSON.stringify(entry?.skill.metadata)).toContain('"007"');
    },
  },
  {
    id: "quotes",
    about: "Quotes inside quotes, apostrophes, backslashes, an opening quote that never ends.",
    tree: {
      "skills/a/SKILL.md": matter("name: a", 'description: "Use "quick" mode."'),
      "skills/b/SKILL.md": matter("name: b", "description: 'It's late.'"),
      "skills/c/SKILL.md": matter("name: c", 'description: "In C:\\Users\\me."'),
      "skills/d/SKILL.md": matter("name: d", "description: It's fine as it is."),
      "skills/e/SKILL.md": matter("name: e", 'description: "Never ends.', "license: MIT"),
    },
    offered: ["a", "b", "c", "d", "e"],
    skills: {
      a: { description: 'Use "quick" mode.' },
      b: { description: "It's late." },
      c: { description: "In C:\\Users\\me." },
      d: { description: "It's fine as it is." },
      e: { description: "Never ends.", license: "MIT" },
    },
    said: [
      { level: "warning", code: "frontmatter/inner-quote", file: "skills/a/SKILL.md" },
      { level: "warning", code: "frontmatter/inner-quote", file: "skills/b/SKILL.md" },
      { level: "warning", code: "frontmatter/escape", file: "skills/c/SKILL.md" },
      { level: "error", code: "frontmatter/unclosed-quote", file: "skills/e/SKILL.md" },
    ],
  },
  {
    id: "reserved-starts",
    about:
      "More first characters that YAML reserves: ampersand, question mark, dash, greater-than, pipe, hash.",
    tree: {
      "skills/amp/SKILL.md": skill("amp", "&you and me."),
      "skills/ask/SKILL.md": skill("ask", "? what to do."),
      "skills/dash/SKILL.md": skill("dash", "- a dash first."),
      "skills/more/SKILL.md": skill("more", "> a quotation."),
      "skills/pipe/SKILL.md": skill("pipe", "| a table |"),
      "skills/hash/SKILL.md": skill("hash", "#1 helper for beds."),
    },
    offered: ["amp", "ask", "dash", "hash", "more", "pipe"],
    skills: {
      amp: { description: "&you and me." },
      ask: { description: "? what to do." },
      dash: { description: "- a dash first." },
      more: { description: "> a quotation." },
      pipe: { description: "| a table |" },
      hash: { description: "#1 helper for beds." },
    },
    said: ["amp", "ask", "dash", "more", "pipe", "hash"].map((name) => ({
      level: "warning",
      code: name === "hash" ? "frontmatter/hash" : "frontmatter/reserved-character",
      file: `skills/${name}/SKILL.md`,
    })),
  },
  {
    id: "block-text",
    about: "Block texts: not indented, with a comment behind the mark, with an indentation number, empty.",
    tree: {
      "skills/a/SKILL.md": matter("name: a", "description: >", "Not indented.", "license: MIT"),
      "skills/b/SKILL.md": matter("name: b", "description: | # comment", "  One.", "  Two."),
      "skills/c/SKILL.md": matter("name: c", "description: |2-", "   One more.", "license: MIT"),
      "skills/d/SKILL.md": matter("name: d", "description: >", "license: MIT"),
    },
    offered: ["a", "b", "c", "d"],
    skills: {
      a: { description: "Not indented.", license: "MIT" },
      b: { description: "One.\nTwo." },
      c: { description: "One more.", license: "MIT" },
      d: { description: "Do it.", derived: ["description"], license: "MIT" },
    },
    said: [
      { level: "warning", code: "frontmatter/indentation", file: "skills/a/SKILL.md" },
      { level: "warning", code: "description/missing", file: "skills/d/SKILL.md" },
    ],
  },
  {
    id: "description-shapes",
    about: "A description that is a number, a list, a mapping or a boolean.",
    tree: {
      "skills/a/SKILL.md": matter("name: a", "description: 42"),
      "skills/b/SKILL.md": matter("name: b", "description:", "  - First point.", "  - Second point."),
      "skills/c/SKILL.md": matter("name: c", "description: yes"),
    },
    offered: ["a", "b", "c"],
    skills: { a: { description: "42" }, c: { description: "yes" } },
    more: (skills) => {
      const description = skills.entries.find(({ skill: one }) => one.name === "b")?.skill.description;
      expect(description).toContain("First point.");
      expect(description).toContain("Second point.");
      expect(description).not.toContain("[object");
    },
    said: ["a", "b", "c"].map((name) => ({
      level: "warning",
      code: "frontmatter/not-text",
      file: `skills/${name}/SKILL.md`,
    })),
  },
  {
    id: "encodings-more",
    about: "UTF-16 big endian with a mark, UTF-16 without one, UTF-32, Latin-1, NUL bytes, only blanks.",
    tree: {
      "skills/big/SKILL.md": utf16(skill("big", "Größe."), false, true),
      "skills/unmarked/SKILL.md": utf16(skill("unmarked"), true, false),
      "skills/latin/SKILL.md": Buffer.from(skill("latin", "Gr\u00f6\u00dfe."), "latin1"),
      "skills/nul/SKILL.md": skill("nul", "A\0B."),
      "skills/blank/SKILL.md": " \n\t\n",
      "skills/twice/SKILL.md": `\uFEFF\uFEFF${skill("twice")}`,
    },
    offered: ["big", "twice"],
    skills: { big: { description: "Größe." } },
    said: [
      { level: "warning", code: "text/utf16", file: "skills/big/SKILL.md" },
      { level: "error", code: "text/utf16-unmarked", file: "skills/unmarked/SKILL.md" },
      { level: "error", code: "text/not-utf8", file: "skills/latin/SKILL.md" },
      { level: "error", code: "text/not-text", file: "skills/nul/SKILL.md" },
      { level: "error", code: "file/empty", file: "skills/blank/SKILL.md" },
      { level: "warning", code: "frontmatter/leading-lines", file: "skills/twice/SKILL.md", says: /mark/ },
    ],
  },
  {
    id: "line-ends",
    about: "CRLF in block texts, mixed line ends, and carriage returns alone.",
    tree: {
      "skills/a/SKILL.md": "---\r\nname: a\r\ndescription: |\r\n  One.\r\n  Two.\r\n---\r\nText\r\nmore\r\n",
      "skills/b/SKILL.md": "---\nname: b\r\ndescription: Mixed.\n---\r\nText\n",
      "skills/c/SKILL.md": "---\rname: c\rdescription: Old Macintosh.\r---\rText\r",
    },
    offered: ["a", "b", "c"],
    skills: {
      a: { description: "One.\nTwo.", body: "Text\nmore" },
      b: { description: "Mixed.", body: "Text" },
      c: { description: "Old Macintosh.", body: "Text" },
    },
  },
  {
    id: "chinese-punctuation",
    about: "Full-width colons and Chinese text.",
    tree: {
      "skills/a/SKILL.md": matter("name：a", "description：把文档转换成 PDF。使用场景：用户提到转换"),
      "skills/b/SKILL.md": skill("b", "整理表格：按月份排序"),
    },
    offered: ["a", "b"],
    skills: {
      a: { description: "把文档转换成 PDF。使用场景：用户提到转换" },
      b: { description: "整理表格：按月份排序" },
    },
    said: [{ level: "warning", code: "frontmatter/wide-colon", file: "skills/a/SKILL.md" }],
  },
  {
    id: "body-has-fences",
    about: "Rulers and fences in the text do not move the frontmatter's end.",
    tree: {
      "skills/a/SKILL.md": "---\nname: a\ndescription: Rulers.\n---\n\n# A\n\n---\n\nname: impostor\n\n---\n",
    },
    offered: ["a"],
    skills: { a: { body: "# A\n\n---\n\nname: impostor\n\n---" } },
  },
  {
    id: "empty-parts",
    about: "Empty frontmatter, frontmatter alone, fields in another order, comments between them.",
    tree: {
      "skills/a/SKILL.md": "---\n---\n\nFirst paragraph\nof two lines.\n\nSecond.\n",
      "skills/b/SKILL.md": "---\nname: b\ndescription: No text.\n---\n",
      "skills/c/SKILL.md": "---\n# comment\ndescription: Order.\n\n# another\nname: c\n---\nText.\n",
    },
    offered: ["a", "b", "c"],
    skills: {
      a: { description: "First paragraph of two lines.", derived: ["name", "description"] },
      b: { body: "" },
      c: { description: "Order." },
    },
    said: [
      { level: "warning", code: "name/missing", file: "skills/a/SKILL.md" },
      { level: "warning", code: "description/missing", file: "skills/a/SKILL.md" },
    ],
  },
  {
    id: "no-text-at-all",
    about: "No description, and no paragraph to take one from: offered by name all the same.",
    tree: { "skills/a/SKILL.md": "---\nname: a\n---\n\n# Only a heading\n\n```sh\nls\n```\n" },
    offered: ["a"],
    said: [{ level: "warning", code: "description/missing", file: "skills/a/SKILL.md" }],
  },
  {
    id: "flags-more",
    about: "Other spellings of the flags: off, 0, on, 1, empty.",
    tree: {
      "skills/a/SKILL.md": skill("a", "Off.", "disable-model-invocation: off"),
      "skills/b/SKILL.md": skill("b", "No.", 'disable-model-invocation: "false"'),
      "skills/c/SKILL.md": skill("c", "One.", "disable-model-invocation: 1"),
      "skills/d/SKILL.md": skill("d", "On.", "disable-model-invocation: on"),
      "skills/e/SKILL.md": skill("e", "Empty.", "disable-model-invocation:"),
      "skills/f/SKILL.md": skill("f", "Hidden.", 'user-invocable: "no"'),
      "skills/g/SKILL.md": skill("g", "Snake.", "disable_model_invocation: true"),
    },
    offered: ["a", "b", "c", "d", "e", "f", "g"],
    skills: {
      a: { modelInvocable: true },
      b: { modelInvocable: true },
      c: { modelInvocable: false },
      d: { modelInvocable: false },
      f: { userInvocable: false },
      g: { modelInvocable: false },
    },
    said: ["a", "b", "c", "d", "e", "f"].map((name) => ({
      level: "warning",
      code: name === "e" ? "frontmatter/boolean-unclear" : "frontmatter/boolean-text",
      file: `skills/${name}/SKILL.md`,
      line: 4,
    })),
  },
  {
    id: "torn-values",
    about: "Brackets that never close cost one field, not the file.",
    tree: {
      "skills/a/SKILL.md": matter("name: a", "items: [x, y", "description: After the tear."),
      "skills/b/SKILL.md": matter("name: b", "description: [WIP] compost", "metadata: {author: me"),
      "skills/c/SKILL.md": matter("name: c", "description: Fine.", "stray line without a key"),
    },
    offered: ["a", "b", "c"],
    skills: {
      a: { description: "After the tear." },
      b: { description: "[WIP] compost" },
      c: {},
    },
    said: [
      { level: "error", code: "frontmatter/unclosed-collection", file: "skills/a/SKILL.md", line: 3 },
      { level: "warning", code: "frontmatter/reserved-character", file: "skills/b/SKILL.md", line: 3 },
      { level: "error", code: "frontmatter/unclosed-collection", file: "skills/b/SKILL.md", line: 4 },
      { level: "warning", code: "frontmatter/indentation", file: "skills/c/SKILL.md", says: /line 4/ },
    ],
  },
  {
    id: "tool-list-more",
    about: "Tool lists with quotes, other separators, nested brackets and duplicates.",
    tree: {
      "skills/a/SKILL.md": skill("a", "A.", 'allowed-tools: "Read, Write"'),
      "skills/b/SKILL.md": skill("b", "B.", "allowed-tools: Read Read, Grep"),
      "skills/c/SKILL.md": skill("c", "C.", "allowed-tools:"),
      "skills/d/SKILL.md": skill("d", "D.", "allowed-tools: Bash(npm run test:*), Bash(echo (a, b))"),
      "skills/e/SKILL.md": skill("e", "E.", "allowed-tools: *"),
      "skills/f/SKILL.md": skill("f", "F.", "allowed-tools: mcp__server__tool, WebFetch(domain:example.org)"),
      "skills/g/SKILL.md": skill("g", "G.", "allowed-tools:", "  - Read, Grep", "  - Bash(ls *)"),
      "skills/h/SKILL.md": skill("h", "H.", "allowed-tools: null", "paths: ~", "aliases: null"),
    },
    offered: ["a", "b", "c", "d", "e", "f", "g", "h"],
    skills: {
      h: { allowedTools: [] },
      a: { allowedTools: ["Read", "Write"] },
      b: { allowedTools: ["Read", "Grep"] },
      c: { allowedTools: [] },
      d: { allowedTools: ["Bash(npm run test:*)", "Bash(echo (a, b))"] },
      e: { allowedTools: ["*"] },
      f: { allowedTools: ["mcp__server__tool", "WebFetch(domain:example.org)"] },
      g: { allowedTools: ["Read", "Grep", "Bash(ls *)"] },
    },
    said: [{ level: "warning", code: "frontmatter/reserved-character", file: "skills/e/SKILL.md" }],
  },
  {
    id: "fence-never-closed-more",
    about: "An unclosed fence with nothing behind it, and one whose only later dashes are a table's.",
    tree: {
      "skills/a/SKILL.md": "---\nname: a\n",
      "skills/b/SKILL.md": "---\nname: b\ndescription: x\n\n| a | b |\n|---|---|\n",
      "skills/c/SKILL.md": "---",
    },
    offered: [],
    said: ["a", "b", "c"].map((name) => ({
      level: "error",
      code: "frontmatter/unclosed",
      file: `skills/${name}/SKILL.md`,
      line: 1,
    })),
  },
];
