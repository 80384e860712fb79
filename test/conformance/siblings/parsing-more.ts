import { expect } from "vitest";
import { matter, type Sibling, skill } from "./sibling.ts";

export const parsingMore: readonly Sibling[] = [
  {
    id: "wrapped-with-colons",
    about:
      "Wrapped descriptions: the first words on the key line, a colon further down, a line that looks like a key.",
    tree: {
      "skills/a/SKILL.md": matter(
        "name: a",
        "description: Water the beds. Note",
        "  that rain counts: skip then,",
        "  else water.",
        "license: MIT",
      ),
      "skills/b/SKILL.md": matter("name: b", "description: Plans.", "  Use when: asked.", "license: MIT"),
      "skills/c/SKILL.md": matter(
        "name: c",
        "description:",
        "  First: one.",
        "  Second: two.",
        "license: MIT",
      ),
      "skills/d/SKILL.md": matter(
        "name: d",
        "description: One,",
        "",
        "  after a blank line.",
        "license: MIT",
      ),
    },
    offered: ["a", "b", "c", "d"],
    skills: {
      a: { description: "Water the beds. Note that rain counts: skip then, else water.", license: "MIT" },
      b: { description: "Plans. Use when: asked.", license: "MIT" },
      c: { description: "First: one. Second: two.", license: "MIT" },
      d: { license: "MIT" },
    },
    said: ["a", "b", "c"].map((name) => ({
      level: "warning",
      code: name === "c" ? "frontmatter/not-text" : "frontmatter/unquoted-colon",
      file: `skills/${name}/SKILL.md`,
    })),
  },
  {
    id: "yaml-styles",
    about: "Styles that YAML allows: all keys indented, keys in quotes, JSON, comments behind values.",
    tree: {
      "skills/a/SKILL.md": matter("  name: a", "  description: Indented."),
      "skills/b/SKILL.md": matter('"name": b', "'description': Quoted keys."),
      "skills/c/SKILL.md": matter('{"name": "c", "description": "JSON."}'),
      "skills/d/SKILL.md": matter("name: d # the name", 'description: "Quoted." # not part of it'),
      "skills/e/SKILL.md": matter("name : e", "description : Blank before the colon."),
      "skills/f/SKILL.md": matter("name: 'f'", "description: 'It''s doubled.'"),
      "skills/g/SKILL.md": matter('name: "g"', 'description: "Escapes: \\u00e9, \\"quoted\\"."'),
    },
    offered: ["a", "b", "c", "d", "e", "f", "g"],
    skills: {
      a: { description: "Indented." },
      b: { description: "Quoted keys." },
      c: { description: "JSON." },
      d: { description: "Quoted." },
      e: { description: "Blank before the colon." },
      f: { description: "It's doubled." },
      g: { description: 'Escapes: é, "quoted".' },
    },
  },
  {
    id: "blank-values",
    about: "Values of blanks only, and blanks around values.",
    tree: {
      "skills/a/SKILL.md": matter('name: "  a  "', 'description: "  Trimmed.  "'),
      "skills/b/SKILL.md": matter("name: b   ", "description: Trailing blanks.   "),
      "skills/c/SKILL.md": matter("name: c", 'description: "   "'),
    },
    offered: ["a", "b", "c"],
    skills: {
      a: { description: "Trimmed." },
      b: { description: "Trailing blanks." },
      c: { description: "Do it.", derived: ["description"] },
    },
    said: [{ level: "warning", code: "description/missing", file: "skills/c/SKILL.md" }],
  },
  {
    id: "argument-fields",
    about: "Argument hints and names in other shapes.",
    tree: {
      "skills/a/SKILL.md": skill("a", "A.", "argument-hint: <bed> [--dry-run]"),
      "skills/b/SKILL.md": skill("b", "B.", 'argument-hint: "[bed]"'),
      "skills/c/SKILL.md": skill("c", "C.", "arguments: bed crop", "argument-hint: bed, crop"),
      "skills/d/SKILL.md": skill("d", "D.", "argument-hint: [a, b]"),
      "skills/e/SKILL.md": skill("e", "E.", "argument-hint: {file}"),
      "skills/f/SKILL.md": skill("f", "F.", "argument_hint: old spelling"),
      "skills/g/SKILL.md": skill("g", "G.", "argument-hint: 42"),
    },
    offered: ["a", "b", "c", "d", "e", "f", "g"],
    skills: {
      a: { argumentHint: "<bed> [--dry-run]" },
      b: { argumentHint: "[bed]" },
      c: { argumentHint: "bed, crop" },
      d: { argumentHint: "[a, b]" },
      e: { argumentHint: "{file}" },
      f: { argumentHint: "old spelling" },
      g: { argumentHint: "42" },
    },
    said: ["d", "e", "g"].map((name) => ({
      level: "warning",
      code: "frontmatter/not-text",
      file: `skills/${name}/SKILL.md`,
      says: /argument-hint/,
    })),
    more: (skills) =>
      expect(skills.entries.find(({ skill: one }) => one.name === "c")?.skill.argumentNames).toEqual([
        "bed",
        "crop",
      ]),
  },
  {
    id: "path-patterns",
    about: "File patterns: commas inside braces, one bare, an empty list, several broken ones.",
    tree: {
      "skills/a/SKILL.md": skill("a", "A.", 'paths: "src/{x,y}.ts, *.css"'),
      "skills/b/SKILL.md": skill("b", "B.", "paths: **/*.py"),
      "skills/c/SKILL.md": skill("c", "C.", "paths: []"),
      "skills/d/SKILL.md": skill("d", "D.", 'paths: ["docs/**", "{a"]'),
      "skills/e/SKILL.md": skill("e", "E.", "globs: '*.rs'"),
    },
    options: { touched: ["src/y.ts", "deep/er/a.py"] },
    offered: ["a", "b", "c", "d", "e"],
    skills: { a: { modelInvocable: true }, b: { modelInvocable: true }, c: { modelInvocable: true } },
    said: [
      { level: "warning", code: "frontmatter/reserved-character", file: "skills/b/SKILL.md" },
      { level: "warning", code: "frontmatter/pattern", file: "skills/d/SKILL.md", says: /\{a/ },
    ],
  },
  {
    id: "long-fence-and-rulers",
    about: "A fence of four dashes is no fence; dashes inside a block text do not close it.",
    tree: {
      "skills/a/SKILL.md": "---\nname: a\ndescription: |\n  One.\n  ---\n  Two.\n---\nText.\n",
      "skills/b/SKILL.md": "---\nname: b\ndescription: Dashes --- inside.\n---\nText.\n",
    },
    offered: ["a", "b"],
    skills: {
      a: { description: "One.\n---\nTwo.", body: "Text." },
      b: { description: "Dashes --- inside.", body: "Text." },
    },
  },
  {
    id: "anchors",
    about: "Anchors, aliases, merge keys and tags are never followed.",
    tree: {
      "skills/a/SKILL.md": matter("name: a", "description: &d Anchored.", "license: *d"),
      "skills/b/SKILL.md": matter("name: b", "description: !!js/function 'x'", "base: &b {k: v}", "<<: *b"),
      "skills/c/SKILL.md": matter("name: c", "description: !!str 12"),
    },
    offered: ["a", "b", "c"],
    said: [
      { level: "warning", code: "frontmatter/reserved-character", file: "skills/a/SKILL.md", line: 3 },
      { level: "warning", code: "frontmatter/reserved-character", file: "skills/a/SKILL.md", line: 4 },
      { level: "warning", code: "frontmatter/tag", file: "skills/b/SKILL.md", says: /js\/function/ },
      { level: "warning", code: "frontmatter/reserved-character", file: "skills/b/SKILL.md", line: 4 },
      { level: "warning", code: "frontmatter/alias", file: "skills/b/SKILL.md", says: /merge/ },
      { level: "warning", code: "frontmatter/tag", file: "skills/c/SKILL.md" },
    ],
    more: (skills) => {
      expect(JSON.stringify(skills.entries.map(({ skill: one }) => one.description))).not.toContain(
        "[object",
      );
      const [first] = skills.entries;
      expect(first?.skill.license).not.toBe("Anchored.");
    },
  },
  {
    id: "first-paragraph",
    about:
      "A description taken from the text: headings, quotations, lists, code and comments are not it; markup goes.",
    tree: {
      "skills/a/SKILL.md":
        "# Title\n\n<!-- comment -->\n\n**Prune** the [roses](x.md) in `spring`.\nSecond line.\n\nOther.\n",
      "skills/b/SKILL.md": "---\nname: b\n---\n\n```sh\nls\n```\n\nAfter the code.\n",
      "skills/c/SKILL.md": "---\nname: c\n---\n\n> Quoted first.\n\nThen this.\n",
    },
    offered: ["a", "b", "c"],
    skills: { b: { description: "After the code." } },
    said: [
      { level: "warning", code: "frontmatter/absent", file: "skills/a/SKILL.md" },
      { level: "warning", code: "name/missing", file: "skills/a/SKILL.md" },
      ...["a", "b", "c"].map((name) => ({
        level: "warning" as const,
        code: "description/missing",
        file: `skills/${name}/SKILL.md`,
      })),
    ],
    more: (skills) => {
      const [first] = skills.entries;
      expect(first?.skill.description).toMatch(/^\W*Prune/);
      expect(first?.skill.description).toContain("Second line.");
    },
  },
  {
    id: "metadata",
    about: "Metadata in odd shapes never costs the skill.",
    tree: {
      "skills/a/SKILL.md": skill("a", "A.", "metadata: text"),
      "skills/b/SKILL.md": skill("b", "B.", "metadata:", "  - one", "  - two"),
      "skills/c/SKILL.md": skill(
        "c",
        "C.",
        "metadata:",
        "  deep:",
        "    er: {x: [1, 2]}",
        "  __proto__: {polluted: true}",
      ),
      "skills/d/SKILL.md": skill("d", "D.", "metadata: {version: 1.10, when: 2024-01-02, on: yes}"),
    },
    offered: ["a", "b", "c", "d"],
    said: [
      { level: "warning", code: "frontmatter/wrong-shape", file: "skills/a/SKILL.md" },
      { level: "warning", code: "frontmatter/wrong-shape", file: "skills/b/SKILL.md" },
      { level: "warning", code: "frontmatter/forbidden-key", file: "skills/c/SKILL.md" },
    ],
    more: (skills) => {
      expect(({} as { readonly polluted?: boolean }).polluted).toBeUndefined();
      const last = skills.entries.at(-1)?.skill.metadata;
      expect(last).toMatchObject({ version: "1.10", when: "2024-01-02", on: "yes" });
    },
  },
];
