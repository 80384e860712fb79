import { expect, test } from "vitest";
import { memoryCodec } from "../../../../test/support/memory-file-system.ts";
import { processorTime } from "../../../../test/support/processor-time.ts";
import { openCodeReadLimits } from "./limits.ts";
import { createOpenCodeReader } from "./reader.ts";

const context = { codec: memoryCodec, limits: openCodeReadLimits };
const common = { program: "OpenCode", described: false, callFields: false };
const first = createOpenCodeReader({ ...common, stripMark: false, fileNames: false, objectNames: true });
const second = createOpenCodeReader({ ...common, stripMark: true, fileNames: true, objectNames: false });

function read(reader: typeof first, text: string, file: string | null = null) {
  const source = { path: "/s/x/SKILL.md", folder: "x", file, bytes: new TextEncoder().encode(text) };
  const result = reader.read(source, context);
  return {
    name: result.document?.name ?? null,
    skip: result.skip?.code ?? null,
    codes: result.diagnostics.map(({ code, severity }) => `${severity} ${code}`),
    document: result.document,
    declared: result.skip?.name ?? null,
    body: reader.body(source, context),
  };
}

const skips: readonly (readonly [text: string, code: string, severity: string, declared: string | null])[] = [
  ["", "file/empty", "error", null],
  ["# Title\n", "frontmatter/absent", "warning", null],
  ["---\ndescription: D\n---\n", "name/missing", "warning", null],
  ["---\n- a\n---\n", "frontmatter/not-a-mapping", "warning", null],
  ["---\nname: 12\n---\n", "frontmatter/wrong-shape", "warning", null],
  ["---\nname: a\ndescription:\n---\n", "frontmatter/wrong-shape", "warning", "a"],
  ["---\nname: a\nname: b\n---\n", "frontmatter/invalid-yaml", "error", null],
  ["---toml\nname = 1\n---\n", "frontmatter/unsupported-language", "error", null],
  ["---js\nmodule.exports = {}\n---\n", "frontmatter/unsupported-language", "error", null],
  [`---\nname: a\nx: ${"[".repeat(500)}\n---\n`, "frontmatter/too-deep", "error", null],
  [`---\nname: a\nx: ${"y".repeat(1_100_000)}\n---\n`, "frontmatter/too-large", "error", null],
];

test.each(skips.map(([text, ...rest]) => [JSON.stringify(text.slice(0, 50)), text, ...rest] as const))(
  "%s is skipped with a reason",
  (_, text, code, severity, declared) => {
    for (const reader of [first, second])
      expect(read(reader, text)).toMatchObject({ skip: code, codes: [`${severity} ${code}`], declared });
  },
);

test("an unquoted colon is forgiven and said", () => {
  const { name, document, codes } = read(first, "---\nname: a\ndescription: Use when: x\n---\nB");
  expect([name, document?.description, codes]).toEqual([
    "a",
    "Use when: x",
    ["warning frontmatter/unquoted-colon"],
  ]);
});

test("a byte order mark keeps the first generation from forgiving colons, not the second", () => {
  const text = "\ufeff---\nname: a\ndescription: Use when: x\n---\nB";
  expect(read(first, text).skip).toBe("frontmatter/invalid-yaml");
  expect(read(second, text).name).toBe("a");
});

test("names that every object has are kept and said; the one that is lost is skipped", () => {
  expect(read(first, "---\nname: toString\n---\n")).toMatchObject({
    name: "toString",
    codes: ["warning precedence/duplicate-name"],
  });
  expect(read(first, "---\nname: __proto__\n---\n")).toMatchObject({
    skip: "name/unsafe",
    declared: "__proto__",
  });
  expect(read(second, "---\nname: __proto__\n---\n").name).toBe("__proto__");
});

test("an empty name counts in the first generation only", () => {
  expect(read(first, '---\nname: ""\n---\n').name).toBe("");
  expect(read(second, '---\nname: ""\n---\n').skip).toBe("name/missing");
});

test("the second generation names a file at the top after itself", () => {
  expect(read(second, "# Title\n", "guide")).toMatchObject({ name: "guide", codes: [] });
  expect(read(second, "---\nname: own\n---\n", "guide").name).toBe("own");
  expect(read(second, "text", "").name).toBe(".md");
  // What nothing can read becomes text as a whole.
  expect(read(second, "---\na: [\n---\nB", "guide")).toMatchObject({
    name: "guide",
    body: "---\na: [\n---\nB",
    codes: ["error frontmatter/invalid-yaml"],
  });
});

test("other fields are kept as data", () => {
  const text = "---\nname: a\nslash: true\nmetadata: {v: 1.0, d: 2024-01-01}\n__proto__: {x: 1}\n---\n";
  expect(read(second, text).document?.extra).toEqual({ slash: true, metadata: { v: 1, d: "2024-01-01" } });
  expect(read(second, "---\nname: a\nslash: yes\n---\n").skip).toBe("frontmatter/wrong-shape");
});

test("an alias that holds itself cannot blow up what is kept", () => {
  const text = `---\nname: a\nx: &a [${"*a, ".repeat(100)}]\n---\n`;
  const started = processorTime();
  expect(read(first, text).name).toBe("a");
  expect(processorTime() - started).toBeLessThan(1_000);
});
