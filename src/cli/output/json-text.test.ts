import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonPieces, jsonText } from "./json-text.ts";

const value = fc.oneof(
  fc.jsonValue(),
  fc.dictionary(fc.string(), fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue())),
);

describe("JSON for stdout", () => {
  test("is what JSON.stringify gives, whatever is in it", () => {
    fc.assert(
      fc.property(value, (data) => {
        expect(JSON.parse(jsonText(data))).toEqual(JSON.parse(JSON.stringify(data)));
      }),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z "\\]*$/), fc.array(fc.integer())), (data) => {
        expect(jsonText(data)).toBe(`${JSON.stringify(data, null, 2)}\n`);
      }),
    );
  });

  test("leaves out what has no place in JSON, as JSON.stringify does", () => {
    const data = { a: undefined, b: [undefined, null], c: () => 1, d: {}, e: [], f: { g: undefined } };
    expect(jsonText(data)).toBe(`${JSON.stringify(data, null, 2)}\n`);
    expect(jsonText({ a: undefined })).toBe("{}\n");
    expect(jsonText({})).toBe("{}\n");
  });

  test("comes in a piece for each item of a list", () => {
    const pieces = [...jsonPieces({ version: 1, skills: [{ name: "a" }, { name: "b" }] })];
    expect(pieces.filter((piece) => piece.includes("name"))).toEqual([
      '[\n    {\n      "name": "a"\n    }',
      ',\n    {\n      "name": "b"\n    }',
    ]);
  });

  test("has no control, direction or other invisible character", () => {
    const data = { "\u202ekey": ["a\u202eb", "\u009b31m", "\u{e0041}"], text: "\u2066x\u2069" };
    expect(jsonText(data)).toMatch(/^[\n -~]*$/);
    expect(JSON.parse(jsonText(data))).toEqual(data);
  });
});
