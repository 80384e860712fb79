import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expandWord } from "./expand-word.ts";
import { tokenize } from "./tokenize.ts";
import { withinOneEdit } from "./within-one-edit.ts";

function tokens(text: string): string[] {
  const found: string[] = [];
  tokenize(text, {
    word: ({ text: source }, start, end) => found.push(...expandWord(source.slice(start, end))),
    whole: (term) => found.push(`=${term}`),
    run: (characters) => found.push(`~${characters}`),
    gap: () => undefined,
  });
  return found;
}

describe("tokenize", () => {
  it.each([
    ["bee-log BEE LOG", "bee log =beelog bee log"],
    ["snake_case_name a/b", "snake case name =snakecasename b"],
    ["parseHTMLTable TypeScript", "parsehtmltable parse html table typescript type script"],
    ["GPUs and APIs", "gpus apis"],
    ["C++ c# .NET node.js .docx", "c =c++ c =c# net =.net node js =nodejs docx =.docx"],
    ["don't user's it’s", "user"],
    ["python3 k8s H264", "python3 python k8s h264"],
    ["数据分析 and PDF转换", "~数据分析 pdf ~转换"],
    ["한국어 テスト", "~한국어 ~テスト"],
    ["ÉCOLE naïve ﬁle Ｗｉｄｅ", "école naïve file wide"],
    ["😀 𠀀𠀁 x", "~𠀀𠀁 x"],
    ["- -- a- -b", "b"],
    ["x".repeat(60), ""],
    ["\ud83d \udc00 ok", "ok"],
  ])("%j", (text, expected) => expect(tokens(text).join(" ")).toBe(expected));

  it("never throws and gives lower case", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        for (const token of tokens(text)) if (!token.startsWith("~")) expect(token).toBe(token.toLowerCase());
      }),
    );
  });
});

describe("withinOneEdit", () => {
  it.each([
    ["document", "document", true],
    ["documnet", "document", true],
    ["documet", "document", true],
    ["doccument", "document", true],
    ["docunent", "document", true],
    ["document", "documen", true],
    ["ocument", "document", true],
    ["documents", "documen", false],
    ["docmuetn", "document", false],
    ["", "a", true],
    ["", "ab", false],
  ])("%j and %j: %s", (left, right, expected) => {
    expect(withinOneEdit(left, right)).toBe(expected);
    expect(withinOneEdit(right, left)).toBe(expected);
  });
});
