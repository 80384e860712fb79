import { expect, test } from "vitest";
import { processorTime } from "../../../../test/support/processor-time.ts";
import { loadYaml } from "./yaml.ts";
import { jsYaml4, YamlOpaque, type YamlValue } from "./yaml-value.ts";

const limits = { depth: 60, keys: 500, aliases: 50 };

function plain(value: YamlValue | undefined): unknown {
  if (value instanceof YamlOpaque) return `<${value.kind}>`;
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, plain(item)]));
  return Array.isArray(value) ? value.map(plain) : value;
}

function load(text: string): unknown {
  const result = loadYaml(text, limits);
  return result.ok ? plain(result.value) : "failed";
}

// Every row was given to js-yaml 3.14.1 (`safeLoad`) with the same result, and so were 1.2 million generated texts; only
// `__proto__` is an ordinary key here.
const rows: readonly (readonly [text: string, value: unknown])[] = [
  ["name: a\ndescription: D", { name: "a", description: "D" }],
  ["\n  \n", null],
  ["a: 1\nb: 1.5\nc: 1e3\nd: .5", { a: 1, b: 1.5, c: 1000, d: 0.5 }],
  ["a: 0x1F\nb: 010\nc: 0b11\nd: 1_000\ne: 1:30\nf: 09", { a: 31, b: 8, c: 3, d: 1000, e: 90, f: "09" }],
  ["a: 0o17\nb: 1_\nc: _1\nd: 1:60\ne: 0:30", { a: "0o17", b: "1_", c: "_1", d: "1:60", e: "0:30" }],
  ["a: yes\nb: no\nc: on\nd: y", { a: "yes", b: "no", c: "on", d: "y" }],
  ["a: True\nb: FALSE\nc: tRue", { a: true, b: false, c: "tRue" }],
  ["a: ~\nb: Null\nc:\nd: nULL", { a: null, b: null, c: null, d: "nULL" }],
  ["a: .inf\nb: -.INF\nc: .NaN", { a: Number.POSITIVE_INFINITY, b: Number.NEGATIVE_INFINITY, c: Number.NaN }],
  ["a: 2024-01-01\nb: 2024-1-1\nc: 2024-1-1 1:02:03Z", { a: "<timestamp>", b: "2024-1-1", c: "<timestamp>" }],
  ["a: 1.5.0\nb: v1\nc: 1e", { a: "1.5.0", b: "v1", c: "1e" }],
  ["a: !!str 12\nb: ! 12\nc: !!str\nd: !!int '7'", { a: "12", b: "12", c: "", d: 7 }],
  ["a: !!str\n  12", { a: 12 }],
  ["a: !!binary aGk=", { a: "<binary>" }],
  ["a: !!binary x", "failed"],
  ["a: !foo b", "failed"],
  ["a: !!js/function x", "failed"],
  ["a: &n x\nb: *n", { a: "x", b: "x" }],
  ["a: &n\n  x\nb: *n", { a: "x", b: {} }],
  ["b: *n", "failed"],
  ["a: &m {x: 1}\nb:\n  <<: *m\n  x: 2\n  y: 3", { a: { x: 1 }, b: { x: 2, y: 3 } }],
  ["a: {<<: [{x: 1}, {x: 2, z: 3}]}", { a: { x: 1, z: 3 } }],
  ["a: 1\na: 2", "failed"],
  ["1: a\n01: b", "failed"],
  ["a: b: c", "failed"],
  ["a: b:c", { a: "b:c" }],
  ["a:b", "a:b"],
  ["a: 'it''s'\nb: \"t\\t\\x41\\u4e2d\"", { a: "it's", b: "t\tA中" }],
  ['a: "bad \\q"', "failed"],
  ['a: "one\n  two \\\n  three"', { a: "one two three" }],
  ["a: 'x' y", "failed"],
  ["a: x # c\nb: y#z\nc: #z", { a: "x", b: "y#z", c: null }],
  ["a: |\n  one\n    two\n\n  three\nb: x", { a: "one\n  two\n\nthree\n", b: "x" }],
  ["a: >\n  one\n  two\n\n  three", { a: "one two\nthree\n" }],
  ["a: >-\n  one\n   two\n  three", { a: "one\n two\nthree" }],
  ["a: |+\n  one\n\nb: x", { a: "one\n\n", b: "x" }],
  ["a: |2\n    two\n  base", { a: "  two\nbase\n" }],
  ["a: |\nb: x", { a: "", b: "x" }],
  ["a: >text", "failed"],
  ["a: |0\n  x", "failed"],
  ["a: one\n  two\n\n  three", { a: "one two\nthree" }],
  ["a: one\ntwo", "failed"],
  ["a:\n- x\n-\n  y: z\n- - p\n  - q", { a: ["x", { y: "z" }, ["p", "q"]] }],
  ["a: - x", "failed"],
  ["a: [x, y: z, , 'q']", { a: ["x", { y: "z" }, null, "q"] }],
  ["a: [x", "failed"],
  ["a: {x: 1, y, ? z : 2}", { a: { x: 1, y: null, z: 2 } }],
  ["? [x, y]\n: z\n? k", { "x,y": "z", k: null }],
  ["? [[x]]\n: z", "failed"],
  ["a:\n\tx: 1", { a: null, x: 1 }],
  ["\ta: 1\n\tb: 2", "failed"],
  ["a:\tx", { a: "x" }],
  ["a:\r\n  b: c\r\n", { a: { b: "c" } }],
  ["a: @x", "failed"],
  ["a: `x`", "failed"],
  ["a: %x", "failed"],
  ["%YAML 1.2\na: b", "failed"],
  ["%YAML 1.2\n---\na: b", { a: "b" }],
  ["%TAG !e! tag:yaml.org,2002:\n---\na: !e!str 1", { a: "1" }],
  ["a: b\n...\n", { a: "b" }],
  ["a: b\n...\nc: d", "failed"],
  ["a: x\u0007y", "failed"],
  ["a: 'x\u0007y'", "failed"],
  ["a: x\u0000", "failed"],
  ["__proto__: {x: 1}\na: b", { ["__proto__"]: { x: 1 }, a: "b" }],
  [
    "a: !!set {x, y}\nb: !!omap [x: 1]\nc: !!pairs [x: 1, x: 2]",
    {
      a: { x: null, y: null },
      b: [{ x: 1 }],
      c: [
        ["x", 1],
        ["x", 2],
      ],
    },
  ],
  ["a: !!set {x: 1}", "failed"],
  ["just text", "just text"],
];

test.each(rows)("%j", (text, value) => {
  expect(load(text)).toEqual(value);
});

test("says where it stopped", () => {
  const result = loadYaml("a: b\nc: [x\n", limits);
  expect(result).toMatchObject({ ok: false, limit: null, offset: 8 });
});

const hostile: readonly (readonly [name: string, text: string, limit: string | null])[] = [
  ["nested brackets", "[".repeat(100_000), "depth"],
  ["nested keys", Array.from({ length: 5_000 }, (_, level) => `${" ".repeat(level)}a:`).join("\n"), "depth"],
  ["many keys", Array.from({ length: 100_000 }, (_, index) => `k${index}: 1`).join("\n"), "keys"],
  [
    "a bomb of aliases",
    `a: &a [x]\n${Array.from({ length: 300 }, (_, index) => `b${index}: *a`).join("\n")}`,
    "aliases",
  ],
  [
    "quadratic merges",
    `a: &a {${Array.from({ length: 400 }, (_, index) => `k${index}: 1`).join(", ")}}\nb:\n  <<: [${"*a, ".repeat(40)}]`,
    "keys",
  ],
  ["a long line of blanks", `a: ${" ".repeat(500_000)}x: y`, null],
  ["many quotes", `a: "${"'".repeat(500_000)}`, null],
];

test.each(hostile)("%s end soon", (_, text, limit) => {
  const started = processorTime();
  expect(loadYaml(text, limits)).toMatchObject({ ok: false, limit });
  expect(processorTime() - started).toBeLessThan(2_000);
});

test("a value that holds itself is loaded, not walked", () => {
  expect(loadYaml("a: &a [*a]", limits).ok).toBe(true);
});

/** Where js-yaml 4.1 gives another answer than 3.14; null = it fails. */
test.each<[text: string, earlier: YamlValue, later: YamlValue]>([
  ["017", 15, 17],
  ["0o17", "0o17", 15],
  ["1:30", 90, "1:30"],
  ["1:30.5", 90.5, "1:30.5"],
  ["007.5", "007.5", 7.5],
  ["[a,,b]", ["a", null, "b"], null],
  [
    "a: x\n\tb: y",
    new Map([
      ["a", "x"],
      ["b", "y"],
    ]),
    null,
  ],
  ["a:\n\t- x", new Map([["a", ["x"]]]), null],
  [
    'a: "x" b: y',
    new Map([
      ["a", "x"],
      ["b", "y"],
    ]),
    null,
  ],
])("%j by both versions", (text, earlier, later) => {
  const first = loadYaml(text, limits);
  const second = loadYaml(text, limits, jsYaml4);
  expect(first.ok ? first.value : null).toEqual(earlier);
  expect(second.ok ? second.value : null).toEqual(later);
});
