import { describe, expect, it } from "vitest";
import { fastEntries } from "./fast-entries.ts";
import { testLimits } from "./reading.fixture.ts";
import { yamlEntries } from "./yaml-entries.ts";

const shapes = [
  "name: seed-sort\ndescription: Sort seeds. Use when the box is a mess.\n",
  'name: seed-sort\ndescription: "Sort seeds: all of them"\n',
  "name: 'seed-sort'\ndescription: 'Sort, \"carefully\"'\n",
  "name: seed-sort\ndescription: >\n  Sort seeds\n  by month.\nlicense: MIT\n",
  "name: seed-sort\ndescription: >-\n  Sort seeds.\n\n  Second paragraph.\n\n\nlicense: MIT\n",
  "name: seed-sort\ndescription: |\n  Sort seeds.\n    - deeper\n  name: no-key\n",
  "name: seed-sort\ndescription: |+\n  Sort seeds.\n\n",
  'name: seed-sort\ndescription: Sort seeds\n  and - also - trays\n  [in] "boxes" & bags\nlicense: MIT\n',
  "name: seed-sort\ndescription:\n  Sort seeds\n  and trays\n",
  "name: seed-sort\ndescription: Sort.   \nallowed-tools: Read, Grep, Bash(git:*)\n",
  "allowed-tools: [Read, \"Bash(ls *)\", Bash(git:*), 'x']\n",
  "allowed-tools: []\ntags: [ a , b, ]\n",
  'allowed-tools:\n  - Read\n  - Bash(git:*)\n  - "*"\n',
  "allowed-tools:\n- Read\n- Grep\nlicense: MIT\n",
  'metadata:\n  author: me\n  version: "1.0"\n  tags: [a, b]\n',
  "metadata:\n  author: me\n  tags:\n    - a\n    - b\n  domain: x\n",
  "metadata:\n  tags:\n  - a\n  - b\n  domain: x\n",
  "metadata:\n  openclaw:\n    requires:\n      bins: [gh]\n    os: [linux]\n  author: me\nlicense: MIT\n",
  'metadata: {"openclaw":{"emoji":"🌱","requires":{"bins":["gh","jq"]},"always":true,"n":3}}\n',
  'metadata: { "a": "b", "c": [] }\n',
  "# a comment\nname: seed-sort\n# another\ndescription: x\n\nlicense: MIT\n",
  "license:\nname: seed-sort\n",
  "license: MIT # see LICENSE\nversion: 1.0 #beta\n",
  'when_to_use: "When the user asks,\n  or nobody does."\nlicense: MIT\n',
  'when_to_use: "When  \n    the user - asks: [x]\n  # or nobody does"\n',
  "disable-model-invocation: true\nuser-invocable: False\nversion: 2.10\n",
  "description: 整理种子。用于春天 – “quoted” don't 100% (a) <b> a:b http://x.y/z#frag\n",
  "",
];

/** Left to the YAML library, whatever it makes of them. */
const declined = [
  "description: a: b\n",
  "description: a #b\n",
  "license: MIT # see\n  LICENSE\n",
  "license: MIT # s\u00e9e\n",
  'description: "a\n\n  b"\n',
  'description: "a\nb"\n',
  'description: " a\n  b"\n',
  'description: "a\n  b "\n',
  'description: "a\\n  b"\n',
  'description: "a\\n"\n',
  "description: 'it''s'\n",
  "description: a\n\n  b\n",
  "description: `a`\n",
  "description: |2\n  a\n",
  "description: >\n  a\n    deeper\n",
  "description:\ttab\n",
  "description: a\n# comment\n  b\n",
  "? a\n: b\n",
  "name : a\n",
  "a: [b, [c]\n",
  "a: {b: c}\n",
  "a: &b c\n",
  "\n# Heading\n\na: b\n",
  "- a\n",
];

describe("fastEntries", () => {
  it.each(shapes)("reads %j as YAML does", (text) => {
    const fast = fastEntries(text, { line: 2, keys: 512 });
    expect(fast).not.toBeNull();
    const slow = yamlEntries(text, { limits: testLimits, line: 2 });
    const comparable = (value: unknown): unknown =>
      JSON.parse(
        JSON.stringify(value, (key, inner) => (key === "source" || key === "end" ? undefined : inner)),
      );
    expect(comparable(fast)).toEqual(comparable(slow.kind === "entries" ? slow.entries : slow));
  });

  it.each(declined)("declines %j", (text) => {
    expect(fastEntries(text, { line: 2, keys: 512 })).toBeNull();
  });

  it("declines more keys than the guard would have to count", () => {
    expect(fastEntries("a: b\n".repeat(300), { line: 2, keys: 512 })).toBeNull();
  });
});
