import { expect, test } from "vitest";
import { blockScalarColons } from "./loose-colons.ts";
import { type MatterRead, readMatter } from "./matter.ts";

const limits = { block: 10_000, depth: 40, keys: 100, aliases: 10 };

function view(read: MatterRead): unknown {
  if (!read.ok) return { problem: read.problem.kind, silent: read.silent };
  const data = read.data instanceof Map ? Object.fromEntries(read.data) : read.data;
  return { data, content: read.content, ...(read.repaired === null ? {} : { repaired: true }) };
}

const rows: readonly (readonly [text: string, expected: unknown])[] = [
  ["---\na: b\n---\nBody\n", { data: { a: "b" }, content: "Body\n" }],
  ["---\r\na: b\r\n---\r\nBody\r\n", { data: { a: "b" }, content: "Body\r\n" }],
  ["Body", { data: {}, content: "Body" }],
  ["", { data: {}, content: "" }],
  ["---", { data: {}, content: "" }],
  ["----\na: b\n----\n", { data: {}, content: "----\na: b\n----\n" }],
  ["\n---\na: b\n---\n", { data: {}, content: "\n---\na: b\n---\n" }],
  ["---\na: b\n", { data: { a: "b" }, content: "" }],
  ["---\na: b\n---- x\nBody", { data: { a: "b" }, content: "- x\nBody" }],
  ["---\na: b\n ---\nBody", { problem: "unclosed", silent: true }],
  ["---\n---\nBody", { data: {}, content: "Body" }],
  ["---\n# only\n\n  # comments\n---\nBody", { data: {}, content: "Body" }],
  ["---\nnull\n---\nBody", { data: {}, content: "Body" }],
  ["---\ntext\n---\nBody", { data: "text", content: "Body" }],
  ["--- \na: b\n---\nBody", { data: { a: "b" }, content: "Body" }],
  ["---yaml\na: b\n---\nBody", { data: { a: "b" }, content: "Body" }],
  ["--- YML\na: b\n---\nBody", { data: { a: "b" }, content: "Body" }],
  ['---json\n{"a": "b", "c": [1, null]}\n---\nBody', { data: { a: "b", c: [1, null] }, content: "Body" }],
  ["---json\n{a}\n---\nBody", { problem: "json", silent: true }],
  ["---JSON\n{}\n---\n", { problem: "language", silent: true }],
  ["---toml\na = 1\n---\n", { problem: "language", silent: true }],
  ["---constructor\na: b\n---\n", { problem: "language", silent: true }],
  ["--- # note\na: b\n---\n", { problem: "language", silent: true }],
  ["---js\nglobalThis.ran = true\n---\n", { problem: "script", silent: true }],
  ["---JavaScript\nglobalThis.ran = true\n---\n", { problem: "script", silent: true }],
  ["\ufeff---\na: b\n---\nBody", { data: { a: "b" }, content: "Body" }],
  ["\ufeff---\na: b: c\n---\nBody", { problem: "yaml", silent: true }],
  ["---\na: b: c\n---\nBody", { data: { a: "b: c" }, content: "Body", repaired: true }],
  ["---\na: b: c\na: d\n---\nBody", { problem: "yaml", silent: false }],
  [`---\na: ${"x".repeat(20_000)}\n---\n`, { problem: "block", silent: false }],
  [`---\na: ${"[".repeat(100)}\n---\n`, { problem: "depth", silent: false }],
];

test.each(rows.map(([text, expected]) => [JSON.stringify(text.slice(0, 60)), text, expected] as const))(
  "%s",
  (_, text, expected) => {
    expect(view(readMatter(text, limits))).toEqual(expected);
    expect(globalThis).not.toHaveProperty("ran");
  },
);

test("says in which line of the file the problem is", () => {
  expect(readMatter("---\na: b\nc: [x\n---\n", limits)).toMatchObject({
    problem: { range: { line: 3, column: 4 } },
  });
  expect(readMatter("---yaml\na: b: c\na: d\n---\n", limits)).toMatchObject({
    problem: { range: { line: 2 } },
  });
});

const loose: readonly (readonly [text: string, expected: string])[] = [
  ["---\na: b: c\n---\n", "---\na: |-\n  b: c\n---\n"],
  ["---\na:\tb: c \n---\n", "---\na: |-\n  b: c\n---\n"],
  ["---\r\na: b: c\r\nd: e\r\n---\r\nBody", "---\r\na: |-\n  b: c\nd: e\r\n---\r\nBody"],
  ["---\na_b: x:y\n---", "---\na_b: |-\n  x:y\n---"],
  ["---\na-b: x: y\n---", "---\na-b: x: y\n---"],
  ["---\n  a: x: y\n---", "---\n  a: x: y\n---"],
  ["---\n# a: x: y\n---", "---\n# a: x: y\n---"],
  ["---\na: \"x\": y\nb: 'x': y\nc: >\nd: |\ne:\n---", "---\na: \"x\": y\nb: 'x': y\nc: >\nd: |\ne:\n---"],
  ["---\na: > x: y\n---", "---\na: |-\n  > x: y\n---"],
  ["---yaml\na: b: c\n---", "---yaml\na: b: c\n---"],
  ["---\na: b: c\n", "---\na: b: c\n"],
];

test.each(loose)("colons of %j become text", (text, expected) => {
  expect(blockScalarColons(text)).toBe(expected);
});
