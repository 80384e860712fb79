import { describe, expect, it } from "vitest";
import { processorTime } from "../../test/support/processor-time.ts";
import { parseJson } from "./json.ts";

const first = (text: string) => {
  const { code, range, hint } = parseJson(text, "/f").diagnostics[0] ?? {};
  return [code, range?.line, range?.column, hint?.split(" (see")[0]];
};

describe("parseJson", () => {
  it("takes comments, trailing commas and a byte-order mark", () => {
    const { kind, value } = parseJson('\ufeff{ // c\n "a": [1, 2,], /* x */ "b": {"c": null,}, }', null);
    expect([kind, { ...(value as object) }]).toEqual(["value", { a: [1, 2], b: { c: null } }]);
  });

  it("gives undefined for an empty text and one of comments", () => {
    for (const text of ["", "  \n", "// only a comment"])
      expect(parseJson(text, null)).toMatchObject({ kind: "value", value: undefined, diagnostics: [] });
  });

  it("says where a text is broken and how to mend it", () => {
    expect(first('{\n  "a": 1\n  "b": 2\n}')).toEqual([
      "config/invalid-json",
      3,
      3,
      "Separate entries by commas.",
    ]);
    expect(first("{ a: 1 }")).toEqual(["config/invalid-json", 1, 3, expect.any(String)]);
    expect(first('{ "a": "x\n}')).toEqual([
      "config/invalid-json",
      1,
      8,
      expect.stringContaining("double quote"),
    ]);
    expect(first("<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> x\n")[3]).toBe("Resolve the merge in it.");
    expect(first("[".repeat(100_000))).toEqual(["config/too-deep", 1, 65, expect.any(String)]);
  });

  it("keeps the last of equal keys, in its place, and says so", () => {
    const { value, diagnostics } = parseJson('{"a": 1, "b": 2, "a": 3}', "/f");
    expect(Object.entries(value as object)).toEqual([
      ["b", 2],
      ["a", 3],
    ]);
    expect(diagnostics.map(({ code, range }) => [code, range?.column])).toEqual([
      ["config/duplicate-key", 18],
    ]);
  });

  it("never makes an object with a foreign prototype", () => {
    const { value, diagnostics } = parseJson(
      '{"__proto__": {"x": 1}, "\\u005f_proto__": 2, "constructor": 3}',
      "/f",
    );
    expect(Object.entries(value as object)).toEqual([["constructor", 3]]);
    expect(Object.getPrototypeOf(value)).toBe(null);
    expect(diagnostics).toHaveLength(2);
  });

  it("is linear in the number of findings", () => {
    const started = processorTime();
    expect(parseJson(`{${'"a":1,'.repeat(100_000)}}`, "/f").diagnostics).toHaveLength(20);
    expect(processorTime() - started).toBeLessThan(5000);
  });

  it("finds the place of a value and of its key", () => {
    const json = parseJson('{\n  "a": { "b": [1, "x"] }\n}', "/f");
    expect(json.locate(["a", "b", 1])).toEqual({ line: 2, column: 19, endLine: 2, endColumn: 22 });
    expect(json.locate(["a", "b"], { key: true })).toMatchObject({ line: 2, column: 10 });
    expect(json.locate(["a", "z"])).toBe(null);
  });
});
