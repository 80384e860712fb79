import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { partsOf, skillUri } from "./skill-uri.ts";

const segment = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
  .filter((text) => text !== "." && text !== ".." && !/[/\\\0]/.test(text) && !/\p{Surrogate}/u.test(text));

describe("addresses of skills", () => {
  it("come back as what they were made of, also after a parser of addresses", () => {
    fc.assert(
      fc.property(segment, fc.array(segment, { maxLength: 4 }), (name, path) => {
        const uri = skillUri(name, path.join("/"));
        expect(partsOf(uri)).toEqual({ name, path: path.join("/") });
        expect(partsOf(new URL(uri).href)).toEqual({ name, path: path.join("/") });
      }),
    );
  });

  it("never name anything outside a skill's folder", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        for (const uri of [
          text,
          `skill://${text}`,
          `skill://a/${text}`,
          `skill://a/${encodeURIComponent(text)}`,
        ]) {
          const parts = partsOf(uri);
          if (parts === null) continue;
          const segments = [parts.name, ...(parts.path === "" ? [] : parts.path.split("/"))];
          for (const one of segments) {
            expect(["", ".", ".."]).not.toContain(one);
            expect(one).not.toMatch(/[/\\\0]/);
          }
        }
      }),
    );
  });

  it("give lone surrogates a place that can be written", () => {
    expect(skillUri("a\ud800b")).toBe("skill://a%EF%BF%BDb");
  });

  it.each([
    ["skill://a/%2e%2e/b"],
    ["skill://a/..%2fb"],
    ["skill://a/b%5c..%5cc"],
    ["skill://a//b"],
    ["skill://a/b?c"],
    ["skill://a/b#c"],
    ["skill://a/%"],
    ["file:///a"],
    ["skill://"],
  ])("%s is none", (uri) => expect(partsOf(uri)).toBeNull());
});
